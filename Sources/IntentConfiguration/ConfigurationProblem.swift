/// A mistake in one of the operator's files, with its place.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1; nil when the file as a whole is meant.
    package var line: Int?
    /// What is wrong, and what holds instead.
    package var message: String

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(file):\(line.map { "\($0):" } ?? "") \(message)"
    }
}
