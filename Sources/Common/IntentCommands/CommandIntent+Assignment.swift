import IntentConfiguration
import IntentProtocol

extension CommandIntent {
    /// Applies an assignment from `[Intent NAME]`. An empty value resets the key.
    mutating func apply(_ assignment: UnitFile.Assignment, as key: CommandIntentKey) throws(ConfigurationProblem) {
        let isReset = assignment.value.isEmpty
        switch key {
        case .title: title = isReset ? name : assignment.value
        case .description: description = isReset ? nil : assignment.value
        case .summary: summary = isReset ? nil : try assignment.sentence()
        case .exec:
            guard exec.isEmpty || isReset else {
                throw assignment.problem("an intent can have only one program; remove this line or the earlier Exec=")
            }
            exec = isReset ? [] : try assignment.command()
        case .environment: environment = isReset ? [] : environment + (try assignment.variables())
        case .workingDirectory:
            workingDirectory = isReset ? nil : try assignment.sentence()
            if let workingDirectory, !workingDirectory.leadingText.hasPrefix(utf8: "/") {
                throw assignment.problem("expected an absolute path, got '\(assignment.excerpt)'")
            }
        case .standardInput: standardInput = isReset ? nil : try assignment.sentence()
        case .terminal: usesTerminal = try assignment.isOn()
        case .longRunning: isLongRunning = try assignment.isOn()
        case .progress: progress = isReset ? .none : try assignment.word()
        case .progressPattern: progressPattern = isReset ? .percentage : try Self.progressPattern(assignment)
        case .progressSource: progressSource = isReset ? .both : try assignment.word()
        case .cancellable: isCancellable = try assignment.isOn()
        case .cancel: cancel = isReset ? nil : try assignment.command()
        case .killSignal: killSignal = isReset ? .terminate : try assignment.word()
        case .result: result = isReset ? .none : try assignment.word()
        case .dialog: dialog = isReset ? nil : try assignment.sentence()
        case .successExitStatus: successExitStatus = isReset ? nil : try Self.statuses(assignment)
        case .undo: undo = isReset ? nil : try Self.undo(assignment)
        case .readOnly: setEffect(.reads, try assignment.isOn())
        case .destructive: setEffect(.destroys, try assignment.isOn())
        case .idempotent: isIdempotent = try assignment.isOn()
        }
        if effects.count > 1 {
            throw assignment.problem("an intent cannot be both ReadOnly= and Destructive=; remove one of them")
        }
    }

    private mutating func setEffect(_ effect: IntentDetails.Effect, _ isSet: Bool) {
        effects.removeAll { $0 == effect }
        if isSet { effects.append(effect) }
    }

    private static func progressPattern(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> ValuePattern
    {
        let pattern = try assignment.explained { () throws(TemplateError) in try ValuePattern(assignment.value) }
        guard pattern.hasProgressGroups else {
            throw assignment.problem("expected the groups (?<done>…) and (?<total>…), or (?<percent>…)")
        }
        return pattern
    }

    private static func statuses(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Set<Int32> {
        let statuses = try assignment.fixedWords().map { word throws(ConfigurationProblem) in
            guard let status = UInt8(word) else {
                throw assignment.problem("expected numbers from 0 to 255, got '\(WireCoding.excerpt(word))'")
            }
            return Int32(status)
        }
        return Set(statuses)
    }

    private static func undo(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> CommandUndo {
        let words = try assignment.templateWords()
        guard let intent = words.first?.fixedText else {
            throw assignment.problem("the value must begin with the name of an intent")
        }
        let values = try words.dropFirst().map { word throws(ConfigurationProblem) in
            guard let value = CommandVariable(word) else {
                throw assignment.problem("expected words of the form PARAMETER=VALUE after the intent")
            }
            return value
        }
        return CommandUndo(intent: intent, values: values)
    }
}
