import IntentLauncherMessages

/// A configuration file in systemd's syntax (systemd.syntax(7)): sections, `Key=Value`, comments, and lines that
/// continue after a `\`.
package struct UnitFile: Equatable, Sendable {
    package struct Assignment: Equatable, Sendable {
        package var section: String
        package var key: String
        /// The value of the key. An empty value resets the key.
        package var value: String
        package var file: String
        package var line: Int
    }

    /// A section header. A file may contain several sections with the same name.
    package struct Section: Equatable, Sendable {
        package var name: String
        package var line: Int
    }

    package private(set) var assignments: [Assignment] = []
    package private(set) var sections: [Section] = []
    package private(set) var problems: [ConfigurationProblem] = []
    /// The error for the first invalid line that the operator may have intended for `[Sandbox]`.
    private(set) var sandboxProblem: ConfigurationProblem?

    /// Parses a file. If the bytes are not valid UTF-8 text, the result has one problem but no assignments.
    package init(_ bytes: [UInt8], file: String) {
        let lines: [Substring]
        do throws(ConfigurationProblem) {
            lines = try ConfigurationLines.read(bytes, file: file)
        } catch {
            problems = [error]
            sandboxProblem = error.keepingAppsFromRunning
            return
        }
        var section: String?
        // The parts of a line that continues after a backslash, and the number of the first one.
        var parts: [String] = []
        var start = 0
        for (index, rawLine) in lines.enumerated() {
            let text = rawLine.withoutBlanks
            // Skip comments, including comments between the parts of a continued line.
            if let first = text.utf8.first, first == UInt8(ascii: "#") || first == UInt8(ascii: ";") { continue }
            if parts.isEmpty { start = index + 1 }
            let continues = text.utf8.last == UInt8(ascii: "\\")
            parts.append(continues ? text.dropLast(scalars: 1).withoutBlanks : text)
            if continues { continue }
            section = parse(Self.joined(parts), at: start, in: section, file: file)
            parts = []
        }
        if !parts.isEmpty { _ = parse(Self.joined(parts), at: start, in: section, file: file) }
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Parses a logical line, and returns the section to which the next line belongs.
    private mutating func parse(_ line: String, at number: Int, in section: String?, file: String) -> String? {
        if line.isEmpty { return section }
        let excerpt = WireCoding.excerpt(line)
        if line.utf8.first == UInt8(ascii: "[") {
            let name = line.unicodeScalars.dropFirst().dropLast()
            guard line.utf8.last == UInt8(ascii: "]"), !name.isEmpty, !name.contains("["), !name.contains("]") else {
                note("expected a section header of the form [NAME], got '\(excerpt)'", at: number, in: nil, file: file)
                return nil
            }
            sections.append(Section(name: String(name), line: number))
            return String(name)
        }
        guard let (key, value) = line.assignment else {
            note("expected KEY=VALUE, got '\(excerpt)'", at: number, in: section, file: file)
            return section
        }
        guard let section else {
            note("expected a [NAME] header before the first key, got '\(excerpt)'", at: number, in: nil, file: file)
            return nil
        }
        if let other = UnitKeys.within(value) {
            note("\(key)=: the value contains '\(other)', which must start a new line", at: number, in: nil, file: file)
        }
        assignments.append(Assignment(section: section, key: key, value: value, file: file, line: number))
        return section
    }

    /// True if an intent of an intentd.command(5) file has `Terminal=yes`. The worker reports an invalid value.
    var usesTerminal: Bool {
        assignments.contains { assignment in
            guard case .intent(_, nil)? = CommandSection(assignment.section) else { return false }
            return assignment.key == CommandIntentKey.terminal.rawValue && (try? assignment.flag()) == true
        }
    }

    /// True if an intentd.command(5) file has `MCPServer=`.
    var declaresServer: Bool {
        assignments.contains { $0.section == "App" && $0.key == CommandAppKey.mcpServer.rawValue && !$0.value.isEmpty }
    }

    /// The intentd.app(5) settings in a file that describes intents, without the keys that describe them.
    var settings: UnitFile {
        var file = self
        file.assignments.removeAll {
            CommandSection($0.section)?.describesIntent($0.key) == true || ShortcutSection($0.section) != nil
        }
        return file
    }

    private mutating func note(_ message: String, at number: Int, in section: String?, file: String) {
        let problem = ConfigurationProblem(file: file, line: number, message: message)
        problems.append(problem)
        if sandboxProblem == nil, section == nil || section == "Sandbox" {
            sandboxProblem = problem.keepingAppsFromRunning
        }
    }
}
