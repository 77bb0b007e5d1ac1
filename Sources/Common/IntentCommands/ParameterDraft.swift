import IntentCommandLine
import IntentConfiguration
import IntentProtocol

/// A section `[Intent NAME.Parameter NAME]` that is being parsed. The meaning of some keys depends on later keys.
struct ParameterDraft {
    let name: String
    let line: Int
    private var type = CommandValueType.string
    private var title: String?
    private var description: String?
    private var question: String?
    private var defaultValue: UnitFile.Assignment?
    private var isOptional = false
    private var isList = false
    private var isSecret = false
    private var count: UnitFile.Assignment?
    private var range: UnitFile.Assignment?
    private var pattern: UnitFile.Assignment?
    private var options: [EnumerationCase] = []
    /// The first assignment that sets options.
    private var optionsKey: UnitFile.Assignment?
    private var optionsCommand: [TemplateWord]?
    private var optionsCommandKey: UnitFile.Assignment?

    init(name: String, line: Int) {
        self.name = name
        self.line = line
    }

    mutating func apply(
        _ assignment: UnitFile.Assignment,
        as key: CommandParameterKey
    ) throws(ConfigurationProblem) {
        let text = assignment.value.isEmpty ? nil : assignment.value
        switch key {
        case .type: type = try text == nil ? .string : assignment.word()
        case .title: title = text
        case .description: description = text
        case .question: question = text
        case .defaultValue: defaultValue = text == nil ? nil : assignment
        case .optional: isOptional = try assignment.isOn()
        case .list: isList = try assignment.isOn()
        case .count: count = text == nil ? nil : assignment
        case .range: range = text == nil ? nil : assignment
        case .pattern: pattern = text == nil ? nil : assignment
        case .options:
            if text == nil { options = [] }
            try add(try assignment.fixedWords().map { EnumerationCase(value: $0, title: $0) }, by: assignment)
        case .option:
            let words = try assignment.fixedWords()
            guard let value = words.first else { return options = [] }
            let title = words.dropFirst().joined(separator: " ")
            try add([EnumerationCase(value: value, title: title.isEmpty ? value : title)], by: assignment)
        case .optionsCommand:
            optionsCommand = try text == nil ? nil : assignment.command()
            optionsCommandKey = assignment
        case .secret: isSecret = try assignment.isOn()
        }
    }

    private mutating func add(
        _ cases: [EnumerationCase],
        by assignment: UnitFile.Assignment
    ) throws(ConfigurationProblem) {
        for option in cases {
            guard !options.contains(where: { $0.value == option.value }) else {
                throw assignment.problem("'\(WireCoding.excerpt(option.value))' is listed twice")
            }
            options.append(option)
        }
        optionsKey = optionsKey ?? assignment
    }

    /// Returns the parameter that the section declares.
    func parameter(file: String) throws(ConfigurationProblem) -> CommandParameter {
        var declaration = ParameterDeclaration(
            name: name,
            title: title ?? name,
            summary: description,
            type: try valueType,
            isOptional: isOptional,
            question: question
        )
        declaration.isSecret = isSecret.trueOrNil
        declaration.dateKind = dateKind
        if let range {
            guard isNumber else { throw range.problem("only a number, an integer or a duration can have a range") }
            declaration.range = try range.numberRange()
        }
        if let count {
            guard isList else { throw count.problem("only a list can have a count; add List=yes") }
            let bounds = try count.numberRange()
            guard let size = ElementCount(bounds) else {
                throw count.problem("expected a range of whole numbers such as 1..5, got '\(count.excerpt)'")
            }
            declaration.size = size
        }
        var parameter = CommandParameter(declaration, line: line)
        if let pattern {
            guard type == .string || type == .url else {
                throw pattern.problem("only a string or a URL can have a pattern")
            }
            parameter.pattern = try pattern.explained { () throws(TemplateError) in try ValuePattern(pattern.value) }
        }
        if let optionsCommand, let key = optionsCommandKey {
            guard type == .string, options.isEmpty else {
                throw key.problem("only a string without Options= can have an OptionsCommand=")
            }
            parameter.optionsCommand = optionsCommand
            parameter.declaration.hasOptions = true
        }
        if isSecret, isList || type != .string {
            throw ConfigurationProblem(
                file: file,
                line: line,
                message: "Secret=: only a string that is not a list can be secret"
            )
        }
        if let defaultValue { parameter.declaration.defaultValue = try value(defaultValue, for: parameter) }
        return parameter
    }

    private var isNumber: Bool {
        switch type {
        case .integer, .number, .duration: true
        case .string, .boolean, .date, .time, .datetime, .url, .file: false
        }
    }

    private var dateKind: ParameterDeclaration.DateKind? {
        switch type {
        case .date: .date
        case .time: .time
        case .string, .integer, .number, .boolean, .datetime, .duration, .url, .file: nil
        }
    }

    private var valueType: ValueType {
        get throws(ConfigurationProblem) {
            let element: ValueType =
                switch type {
                case .string: options.isEmpty ? .string : .enumeration(options)
                case .integer: .int
                case .number: .double
                case .boolean: .bool
                case .date, .time: .dateComponents
                case .datetime: .date
                case .duration: .duration
                case .url: .url
                case .file: .file
                }
            if !options.isEmpty, type != .string, let optionsKey {
                throw optionsKey.problem("only a string can have options; remove Type=")
            }
            return isList ? .array(element) : element
        }
    }

    /// Parses a default in the same way as a value on a command line.
    private func value(
        _ assignment: UnitFile.Assignment,
        for parameter: CommandParameter
    ) throws(ConfigurationProblem) -> IntentValue {
        if type == .file { throw assignment.problem("a file cannot have a default; use Optional=yes") }
        // Refuse a default, which would reveal the secret: every user can read the file and the catalogue.
        if isSecret { throw assignment.problem("a secret cannot have a default; use Optional=yes") }
        let texts = isList ? try assignment.fixedWords() : [assignment.value]
        var values: [IntentValue] = []
        for text in texts {
            let declaration = parameter.declaration
            guard let input = ParameterInput.read(text, as: declaration.type.element, of: declaration) else {
                let words = declaration.type.element.words
                throw assignment.problem("expected \(words), got '\(WireCoding.excerpt(text))'")
            }
            do throws(ValueMismatch) {
                values.append(try declaration.type.element.accept(input.plainValue, in: declaration.range))
            } catch {
                throw assignment.problem(error.message)
            }
        }
        guard let first = values.first else { throw assignment.problem("expected a value") }
        let value = isList ? IntentValue.array(values) : first
        do throws(ArgumentError) {
            try parameter.check(value)
        } catch {
            throw assignment.problem(error.message)
        }
        if let size = parameter.declaration.size, isList, !size.contains(values.count) {
            throw assignment.problem("Count= does not permit this number of elements: \(values.count)")
        }
        return value
    }
}

extension ElementCount {
    /// Returns nil if a bound is not a whole number of at least 0.
    fileprivate init?(_ range: NumberRange) {
        func whole(_ number: Double?) -> Int?? {
            guard let number else { return .some(nil) }
            guard let whole = Int(exactly: number), whole >= 0 else { return nil }
            return .some(whole)
        }
        guard let minimum = whole(range.lowerBound), let maximum = whole(range.upperBound) else { return nil }
        self.init(minimum: minimum, maximum: maximum)
    }
}
