/// A library of intents. On Linux, an app contains all intents of the libraries that are linked into it, so a package
/// only groups intents.
///
/// Source: Apple's AppIntentsPackage page.
public protocol AppIntentsPackage {
    /// The packages on which this package depends. The default is an empty list.
    static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
    public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
