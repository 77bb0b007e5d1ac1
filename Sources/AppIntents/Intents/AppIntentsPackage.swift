/// A library of intents. On Linux every linked intent is found; packages only group them.
///
/// Source: Apple's AppIntentsPackage page.
public protocol AppIntentsPackage {
    /// The libraries that this one uses. Empty by default.
    static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
    public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
