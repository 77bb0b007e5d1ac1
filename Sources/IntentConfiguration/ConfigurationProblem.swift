/// A mistake in a file of the operator, with its location.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line number, from 1; nil for the file as a whole.
    package var line: Int?
    /// The mistake and its consequence.
    package var message: String
    /// True if intentd starts and the app runs without the line. A reload and a check refuse every mistake.
    package var isIgnorable = false

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(file):\(line.map { "\($0):" } ?? "") \(message)"
    }

    /// The problem as an ignorable one.
    var ignorable: ConfigurationProblem {
        var problem = self
        problem.isIgnorable = true
        return problem
    }
}
