/// Why values do not become arguments of a program.
package struct ArgumentError: Error, Equatable, Sendable {
    /// What failed, why, and the next step.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
