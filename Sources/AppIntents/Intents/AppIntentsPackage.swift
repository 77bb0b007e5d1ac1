/// A library of intents. On Linux every intent that is linked is found; the list groups them.
///
/// Source: Apple's AppIntentsPackage page.
public protocol AppIntentsPackage {
    /// The libraries that this one uses; by default none.
    static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
    public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
