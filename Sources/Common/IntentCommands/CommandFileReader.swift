import IntentConfiguration
import IntentProtocol

/// Builds a ``CommandFile`` from the assignments in a file, and collects the mistakes.
struct CommandFileReader {
    private let unit: UnitFile
    private let file: String
    private var result = CommandFile()
    private var problems: [ConfigurationProblem]
    /// The parameters that are being parsed, keyed by the name of their intent.
    private var drafts: [String: [ParameterDraft]] = [:]

    init(_ unit: UnitFile, file: String) {
        self.unit = unit
        self.file = file
        problems = unit.problems
    }

    mutating func read() throws(CommandFileProblems) -> CommandFile {
        for section in unit.sections { note { reader throws(ConfigurationProblem) in try reader.open(section) } }
        for assignment in unit.assignments {
            note { reader throws(ConfigurationProblem) in try reader.apply(assignment) }
        }
        if result.server != nil {
            try finishServer()
            return result
        }
        result.intents = result.intents.map { finished($0) }
        // Skip intents with an invalid parameter. Otherwise, this check would also report each placeholder that names
        // the parameter.
        for intent in result.intents where intent.parameters.count == drafts[intent.name]?.count ?? 0 {
            for message in TemplateCheck(of: intent, in: result.intents).messages() {
                problems.append(problem("[Intent \(intent.name)]: \(message)", at: intent.line))
            }
        }
        if result.intents.isEmpty, problems.isEmpty {
            problems.append(
                problem(
                    "the file has no intent; add a section [Intent NAME] with Exec=, or MCPServer= in [App]",
                    at: nil
                )
            )
        }
        try throwProblems()
        return result
    }

    private func throwProblems() throws(CommandFileProblems) {
        guard problems.isEmpty else {
            throw CommandFileProblems(problems: problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }, file: result)
        }
    }

    /// Completes a file that declares the tools of a server as intents. Its sections of intents have only settings of
    /// intentd.app(5).
    private mutating func finishServer() throws(CommandFileProblems) {
        for assignment in unit.assignments {
            guard case .intent? = CommandSection(assignment.section),
                CommandSection(assignment.section)?.describesIntent(assignment.key) == true
            else { continue }
            problems.append(
                assignment.problem(
                    "the server in MCPServer= describes the intent; remove the key. Effect= says whether a tool only reads"
                )
            )
        }
        try throwProblems()
        result.intents = []
        // intentd itself reports a mistake in [Sandbox].
        if let sandbox = try? SandboxSettings(ofCommands: unit) {
            result.roots = sandbox.readPaths + sandbox.writePaths
        }
    }

    /// Collects the problem that a function throws.
    private mutating func note(_ body: (inout Self) throws(ConfigurationProblem) -> Void) {
        do {
            try body(&self)
        } catch {
            problems.append(error)
        }
    }

    private func problem(_ message: String, at line: Int?) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, message: message)
    }

    // MARK: Sections

    private mutating func open(_ section: UnitFile.Section) throws(ConfigurationProblem) {
        guard case .intent(let name, let parameter)? = CommandSection(section.name) else { return }
        for name in [name, parameter ?? name] where !CommandParameter.isName(name) {
            let (header, excerpt) = (WireCoding.excerpt(section.name), WireCoding.excerpt(name))
            let message = "[\(header)]: invalid name '\(excerpt)'; use letters, digits, '-' and '_'"
            throw problem(message, at: section.line)
        }
        let isKnown = result.intents.contains { $0.name == name }
        guard let parameter else {
            if isKnown { throw problem("the intent '\(name)' has two sections; merge them", at: section.line) }
            return result.intents.append(CommandIntent(name: name, line: section.line))
        }
        guard isKnown else {
            let message = "[\(section.name)]: the section [Intent \(name)] must come before its parameters"
            throw problem(message, at: section.line)
        }
        if drafts[name, default: []].contains(where: { $0.name == parameter }) {
            let message = "the parameter '\(parameter)' of '\(name)' has two sections; merge them"
            throw problem(message, at: section.line)
        }
        drafts[name, default: []].append(ParameterDraft(name: parameter, line: section.line))
    }

    private mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        defer { if assignment.hasTrailingComment { noteComment(in: assignment) } }
        switch CommandSection(assignment.section) {
        case .app?:
            guard let key = CommandAppKey(rawValue: assignment.key) else { return }
            switch key {
            case .description: result.description = assignment.value.isEmpty ? nil : assignment.value
            case .mcpServer:
                guard !assignment.value.isEmpty else { return result.server = nil }
                _ = try assignment.command()
                result.server = try assignment.fixedWords()
            }
        case .intent(let name, nil)?:
            // Skip all other keys, which are intentd.app(5) keys.
            guard let key = CommandIntentKey(rawValue: assignment.key),
                let index = result.intents.firstIndex(where: { $0.name == name })
            else { return }
            try result.intents[index].apply(assignment, as: key)
        case .intent(let name, let parameter?)?:
            guard let key = CommandParameterKey(rawValue: assignment.key) else {
                throw assignment.unknownKey
            }
            guard let index = drafts[name]?.firstIndex(where: { $0.name == parameter }) else { return }
            try drafts[name]?[index].apply(assignment, as: key)
        case nil: break
        }
    }

    /// Notes a value with a '#', which is valid in texts and arguments.
    private mutating func noteComment(in assignment: UnitFile.Assignment) {
        guard let section = CommandSection(assignment.section), section.describesIntent(assignment.key) else { return }
        result.comments.append(
            "line \(assignment.line): \(assignment.key)=: '#' and what follows are part of the value. Write a comment on a line of its own"
        )
    }

    // MARK: The end of the file

    /// Returns the intent with its parameters, after all sections have been read.
    private mutating func finished(_ draft: CommandIntent) -> CommandIntent {
        var intent = draft
        for draft in drafts[intent.name] ?? [] {
            note { reader throws(ConfigurationProblem) in
                intent.parameters.append(try draft.parameter(file: reader.file))
            }
        }
        if intent.exec.isEmpty {
            let isReported = problems.contains {
                $0.message.hasPrefix(utf8: "Exec=") && $0.line.map { $0 > intent.line } == true
            }
            if !isReported {
                problems.append(problem("[Intent \(intent.name)] has no Exec=", at: intent.line))
            }
            return intent
        }
        if intent.result == .none, !intent.outputs.isEmpty { intent.result = .files }
        return intent
    }
}
