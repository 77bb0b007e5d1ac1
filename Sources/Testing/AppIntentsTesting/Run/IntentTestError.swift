/// The error thrown when a test cannot continue.
public struct IntentTestError: Error, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A description of what failed, why, and the next step.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// An empty mirror. A failed expectation therefore shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
