/// The reason that a test cannot continue: what failed, why, and the next step.
public struct IntentTestError: Error, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The reason, as text.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// An empty mirror, so that a failed expectation shows only the reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
