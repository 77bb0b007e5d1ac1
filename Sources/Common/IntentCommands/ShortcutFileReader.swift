import IntentConfiguration
import IntentLauncherMessages
import IntentProtocol

/// Builds a ``ShortcutFile`` from the assignments in a file, and collects the mistakes.
struct ShortcutFileReader {
    private let unit: UnitFile
    private let file: String
    /// True if the file can have sections of intentd.app(5).
    private let hasSettings: Bool
    private var result: ShortcutFile?
    private var steps: [StepDraft] = []
    private var parameters: [ParameterDraft] = []
    private var problems: [ConfigurationProblem]

    init(_ bytes: [UInt8], file: String, hasSettings: Bool = true) {
        self.hasSettings = hasSettings
        unit = UnitFile(bytes, file: file)
        self.file = file
        problems = unit.problems
        if bytes.count > ShortcutPlan.byteLimit {
            problems.append(problem("the file has \(bytes.count) bytes; the limit is \(ShortcutPlan.byteLimit) bytes"))
        }
    }

    mutating func read() throws(CommandFileProblems) -> ShortcutFile {
        for section in unit.sections { note { reader throws(ConfigurationProblem) in try reader.open(section) } }
        for assignment in unit.assignments {
            note { reader throws(ConfigurationProblem) in try reader.apply(assignment) }
        }
        var shortcut = result ?? ShortcutFile(name: "")
        for draft in parameters {
            note { reader throws(ConfigurationProblem) in
                shortcut.parameters.append(try draft.parameter(file: reader.file))
            }
        }
        for draft in steps {
            note { reader throws(ConfigurationProblem) in shortcut.plan.steps.append(try draft.step(file: reader.file))
            }
        }
        for parameter in shortcut.parameters {
            shortcut.plan.defaults[parameter.name] = parameter.declaration.defaultValue
        }
        if problems.isEmpty {
            if result == nil { problems.append(problem("the file has no section [Shortcut NAME]")) }
            if steps.isEmpty { problems.append(problem("the shortcut has no step; add a section [Step NAME]")) }
            for mistake in ShortcutCheck(of: shortcut).mistakes() {
                problems.append(problem(mistake.message, at: mistake.line))
            }
        }
        guard problems.isEmpty else {
            throw CommandFileProblems(problems: problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
        return shortcut
    }

    private mutating func note(_ body: (inout Self) throws(ConfigurationProblem) -> Void) {
        do {
            try body(&self)
        } catch {
            problems.append(error)
        }
    }

    private func problem(_ message: String, at line: Int? = nil) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, message: message)
    }

    // MARK: Sections

    private mutating func open(_ section: UnitFile.Section) throws(ConfigurationProblem) {
        func check(_ name: String) throws(ConfigurationProblem) {
            guard !CommandParameter.isName(name) else { return }
            let (header, excerpt) = (WireCoding.excerpt(section.name), WireCoding.excerpt(name))
            let message = "[\(header)]: invalid name '\(excerpt)'; use letters, digits, '-' and '_'"
            throw problem(message, at: section.line)
        }
        switch ShortcutSection(section.name) {
        case .shortcut(let name)?:
            try check(name)
            if result != nil { throw problem("a file describes one shortcut; move this one", at: section.line) }
            result = ShortcutFile(name: name)
        case .parameter(let name, let shortcut)?:
            try check(name)
            guard result?.name == shortcut else {
                let message = "[\(section.name)]: the section [Shortcut \(shortcut)] must come before its parameters"
                throw problem(message, at: section.line)
            }
            try claim(name, at: section.line)
            parameters.append(ParameterDraft(name: name, line: section.line))
        case .step(let name)?:
            try check(name)
            try claim(name, at: section.line)
            steps.append(StepDraft(name: name, line: section.line))
        case nil:
            if !hasSettings {
                let excerpt = WireCoding.excerpt(section.name)
                let message = "[\(excerpt)]: only a file of the operator has settings; remove the section"
                throw problem(message, at: section.line)
            }
            if section.name == "Sandbox" || section.name.hasPrefix(utf8: "Intent ") {
                throw problem("[\(WireCoding.excerpt(section.name))]: a shortcut runs no program", at: section.line)
            }
        }
    }

    /// Parameters and steps share their names, because both are the names of values.
    private func claim(_ name: String, at line: Int) throws(ConfigurationProblem) {
        if ShortcutCheck.reserved.contains(name) {
            throw problem("'\(name)' has a meaning of its own; choose another name", at: line)
        }
        if parameters.contains(where: { $0.name == name }) || steps.contains(where: { $0.name == name }) {
            throw problem("two sections have the name '\(name)'; rename one of them", at: line)
        }
    }

    private mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        switch ShortcutSection(assignment.section) {
        case .shortcut?:
            guard let key = ShortcutKey(rawValue: assignment.key) else { throw unknown(assignment) }
            try apply(assignment, as: key)
        case .parameter(let name, _)?:
            guard let key = CommandParameterKey(rawValue: assignment.key), key != .optionsCommand else {
                throw unknown(assignment)
            }
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return }
            try parameters[index].apply(assignment, as: key)
        case .step(let name)?:
            guard let key = ShortcutStepKey(rawValue: assignment.key) else { throw unknown(assignment) }
            guard let index = steps.firstIndex(where: { $0.name == name }) else { return }
            try steps[index].apply(assignment, as: key)
        case nil:
            guard hasSettings, assignment.section == "Limits", !ShortcutSection.permitsLimit(assignment.key) else {
                return
            }
            throw assignment.problem("a shortcut has no limits but QuestionTimeout=; set the limits of its steps")
        }
    }

    private func unknown(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.unknownKey
    }

    private mutating func apply(
        _ assignment: UnitFile.Assignment,
        as key: ShortcutKey
    ) throws(ConfigurationProblem) {
        let text = assignment.value.isEmpty ? nil : assignment.value
        let name = result?.name ?? ""
        switch key {
        case .title: result?.plan.title = text ?? name
        case .description: result?.description = text
        case .summary: result?.summary = text == nil ? nil : try assignment.sentence()
        case .result: result?.plan.result = text == nil ? nil : try assignment.template()
        case .onFailure:
            switch text {
            case nil, "keep": result?.plan.undoesOnFailure = false
            case "undo": result?.plan.undoesOnFailure = true
            default: throw assignment.problem("expected one of keep, undo, got '\(assignment.excerpt)'")
            }
        case .destructive: result?.isDestructive = try assignment.isOn()
        }
    }
}

extension UnitFile.Assignment {
    /// Parses the whole value as one template.
    func template() throws(ConfigurationProblem) -> ShortcutPlan.Template {
        try template(try sentence())
    }

    func template(_ word: TemplateWord) throws(ConfigurationProblem) -> ShortcutPlan.Template {
        ShortcutPlan.Template(
            try word.pieces.map { piece throws(ConfigurationProblem) in
                switch piece {
                case .text(let text): .text(text)
                case .placeholder(.value(let name)): .value(ShortcutPlan.Reference(name))
                case .placeholder(.part(let name, let path)): .value(ShortcutPlan.Reference(name, path))
                case .placeholder(.condition(let name, let then, let otherwise)):
                    .condition(ShortcutPlan.Reference(name), then: then, otherwise: otherwise)
                case .placeholder(.output), .placeholder(.descriptor), .placeholder(.result), .placeholder(.lastLine):
                    throw problem("a shortcut has only the placeholders %{name}, %{name.part} and %{name?text:other}")
                }
            }
        )
    }

    /// Parses the value as a reference to a value.
    func reference() throws(ConfigurationProblem) -> ShortcutPlan.Reference {
        guard let reference = try template().only else {
            throw problem("expected a reference of the form %{name}, got '\(excerpt)'")
        }
        return reference
    }

    /// Parses the value as a condition.
    func condition() throws(ConfigurationProblem) -> ShortcutPlan.Condition {
        let words = try templateWords()
        guard let first = words.first, let reference = try template(first).only else {
            throw problem("expected a condition such as '%{list.count} > 0', got '\(excerpt)'")
        }
        if words.count == 1 { return ShortcutPlan.Condition(reference) }
        guard words.count == 3, let comparison = words[1].fixedText.flatMap(ShortcutPlan.Comparison.init) else {
            let signs = ShortcutPlan.Comparison.allCases.map(\.rawValue).joined(separator: " ")
            throw problem("expected a value, one of \(signs), and a value, separated by spaces; got '\(excerpt)'")
        }
        return ShortcutPlan.Condition(reference, comparison, try template(words[2]))
    }
}
