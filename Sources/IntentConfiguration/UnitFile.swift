/// A file in systemd's syntax (systemd.syntax(7)): sections, `Key=Value`, comments, lines continued by `\`.
package struct UnitFile: Equatable, Sendable {
    package struct Assignment: Equatable, Sendable {
        package var section: String
        package var key: String
        /// Empty: everything assigned to the key before is taken back.
        package var value: String
        package var file: String
        package var line: Int
    }

    package private(set) var assignments: [Assignment] = []
    package private(set) var problems: [ConfigurationProblem] = []
    /// The first line that cannot be read and may have been meant for `[Sandbox]`.
    private(set) var sandboxProblem: ConfigurationProblem?

    package init(text: String, file: String) {
        var section: String?
        var continued: (text: String, line: Int)?
        var lineNumber = 0
        for rawLine in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lineNumber += 1
            let trimmed = rawLine.trimmed
            // A comment inside a continued line is passed over, and the line goes on after it.
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            var line = (continued.map { $0.text + " " } ?? "") + trimmed
            let start = continued?.line ?? lineNumber
            if line.hasSuffix("\\") {
                line.removeLast()
                continued = (line.trimmed, start)
                continue
            }
            continued = nil
            section = take(line, at: start, in: section, file: file)
        }
        if let continued { _ = take(continued.text, at: continued.line, in: section, file: file) }
    }

    /// Takes one logical line in, and returns the section that holds after it.
    private mutating func take(_ line: String, at number: Int, in section: String?, file: String) -> String? {
        if line.isEmpty { return section }
        if line.hasPrefix("[") {
            guard line.hasSuffix("]"), line.count > 2 else {
                note("'\(line)' is no section; write [Name]", at: number, in: nil, file: file)
                return nil
            }
            return String(line.dropFirst().dropLast())
        }
        guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
            note("'\(line)' is not of the form Key=Value, ignoring it", at: number, in: section, file: file)
            return section
        }
        guard let section else {
            note("'\(line)' stands before any [Section], ignoring it", at: number, in: nil, file: file)
            return nil
        }
        assignments.append(
            Assignment(
                section: section,
                key: line[..<equals].trimmed,
                value: line[line.index(after: equals)...].trimmed,
                file: file,
                line: number
            )
        )
        return section
    }

    private mutating func note(_ message: String, at number: Int, in section: String?, file: String) {
        let problem = ConfigurationProblem(file: file, line: number, message: message)
        problems.append(problem)
        if sandboxProblem == nil, section == nil || section == "Sandbox" {
            sandboxProblem = problem.keepingAppsFromRunning
        }
    }
}

extension StringProtocol {
    var trimmed: String {
        var rest = Substring(self)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
