/// A mistake in one of the operator's files, with its location.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line number, from 1; nil for the file as a whole.
    package var line: Int?
    /// The mistake and its consequence.
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
