/// The reason that a test cannot continue: what failed, why, and the next step.
public struct IntentTestError: Error, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The reason, as text.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Empty, so that a failed expectation shows the reason alone.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
