/// An error in a configuration file, with its location.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line number, starting at 1; nil if the error concerns the whole file.
    package var line: Int?
    /// The error and its consequence.
    package var message: String
    /// True if intentd starts and the app runs despite the error. A reload and `intentd --check` fail even then.
    package var isIgnorable = false

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(file):\(line.map { "\($0):" } ?? "") \(message)"
    }

    /// A copy of the problem that is marked as ignorable.
    var ignorable: ConfigurationProblem {
        var problem = self
        problem.isIgnorable = true
        return problem
    }
}
