/// A library of intents. On Linux, an app contains all intents of the libraries that it links, and a package only
/// groups them.
///
/// Source: Apple's AppIntentsPackage page.
public protocol AppIntentsPackage {
    /// The packages that this package uses. Empty by default.
    static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
    public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
