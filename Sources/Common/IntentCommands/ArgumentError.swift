/// The reason why values cannot be converted to program arguments.
package struct ArgumentError: Error, Equatable, Sendable {
    /// The error message: what failed, why, and the next step.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
