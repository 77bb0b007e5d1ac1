import IntentConfiguration
import IntentLauncherMessages
import IntentProtocol

/// A section `[Step NAME]` that is being parsed. Each key is kept with its line, because keys depend on each other.
struct StepDraft {
    let name: String
    private let line: Int
    private var assignments: [ShortcutStepKey: UnitFile.Assignment] = [:]
    private var values: [String: ShortcutPlan.Template] = [:]
    private var options: [ShortcutPlan.Template] = []

    /// The keys of which a step has exactly one.
    private static let works: [ShortcutStepKey] = [.intent, .shortcut, .ask, .choose, .wait]

    init(name: String, line: Int) {
        self.name = name
        self.line = line
    }

    mutating func apply(_ assignment: UnitFile.Assignment, as key: ShortcutStepKey) throws(ConfigurationProblem) {
        if assignment.value.isEmpty {
            assignments[key] = nil
            if key == .values { values = [:] }
            if key == .options { options = [] }
            return
        }
        assignments[key] = assignment
        switch key {
        case .values:
            for word in try assignment.templateWords() {
                guard let value = CommandVariable(word) else {
                    throw assignment.problem("expected words of the form PARAMETER=VALUE")
                }
                values[value.name] = try assignment.template(value.value)
            }
        case .options:
            for word in try assignment.templateWords() { options.append(try assignment.template(word)) }
        case .intent, .shortcut, .ask, .type, .choose, .wait, .condition, .alternative, .forEach, .parallel,
            .repetition, .until, .retry, .onError:
            break
        }
    }

    func step(file: String) throws(ConfigurationProblem) -> ShortcutPlan.Step {
        let found = Self.works.filter { assignments[$0] != nil }
        guard found.count == 1, let key = found.first, let assignment = assignments[key] else {
            let names = Self.works.map { $0.rawValue + "=" }.joined(separator: ", ")
            throw ConfigurationProblem(
                file: file,
                line: line,
                message: "[Step \(name)]: expected one of \(names), got \(found.isEmpty ? "none" : "\(found.count)")"
            )
        }
        try refuseOthers(than: key)
        var step = ShortcutPlan.Step(name: name, line: line, work: try work(key, assignment))
        step.condition = try assignments[.condition].map { a throws(ConfigurationProblem) in try a.condition() }
        step.alternativeTo = assignments[.alternative]?.value
        step.list = try assignments[.forEach].map { a throws(ConfigurationProblem) in try a.reference() }
        step.end = try assignments[.until].map { a throws(ConfigurationProblem) in try a.condition() }
        if let key = assignments[.parallel] { step.parallelCount = try key.count(in: 1...ShortcutPlan.parallelLimit) }
        if let key = assignments[.repetition] { step.repeatCount = try key.count(in: 1...ShortcutPlan.runLimit) }
        if let key = assignments[.retry] { step.retryCount = try key.count(in: 0...100) }
        if let key = assignments[.onError] {
            guard ["fail", "continue"].contains(key.value) else {
                throw key.problem("expected one of fail, continue, got '\(key.excerpt)'")
            }
            step.continuesAfterError = key.value == "continue"
        }
        if step.condition != nil, let other = assignments[.alternative] {
            throw other.problem("a step has either If= or Else=; remove one of them")
        }
        if step.list != nil, let other = assignments[.repetition] {
            throw other.problem("a step has either ForEach= or Repeat=; remove one of them")
        }
        return step
    }

    private func work(
        _ key: ShortcutStepKey,
        _ assignment: UnitFile.Assignment
    ) throws(ConfigurationProblem) -> ShortcutPlan.Work {
        switch key {
        case .shortcut:
            guard AppName(assignment.value) != nil else {
                throw assignment.problem("expected the name of a shortcut, got '\(assignment.excerpt)'")
            }
            return .perform(app: assignment.value, intent: "", values: values)
        case .ask:
            return .ask(try assignment.template(), type: try type())
        case .choose:
            guard options.count > 1 || options.contains(where: { $0.fixedText == nil }) else {
                throw assignment.problem("expected a list, or at least two words, in Options=")
            }
            return .choose(try assignment.template(), options: options)
        case .wait:
            let span = try assignment.span()
            return .wait(milliseconds: span.milliseconds)
        case .intent, .values, .type, .options, .condition, .alternative, .forEach, .parallel, .repetition, .until,
            .retry, .onError:
            let parts = assignment.value.split(scalar: "/", omittingEmptySubsequences: false).map { String($0) }
            guard parts.count == 2, AppName(parts[0]) != nil, !parts[1].isEmpty else {
                throw assignment.problem("expected APP/INTENT, got '\(assignment.excerpt)'")
            }
            return .perform(app: parts[0], intent: parts[1], values: values)
        }
    }

    private func type() throws(ConfigurationProblem) -> ValueType? {
        guard let assignment = assignments[.type] else { return nil }
        switch assignment.value {
        case "string": return .string
        case "integer": return .int
        case "number": return .double
        case "boolean": return .bool
        default: throw assignment.problem("expected one of string, integer, number, boolean")
        }
    }

    /// Refuses keys that have no effect in a step of this kind.
    private func refuseOthers(than work: ShortcutStepKey) throws(ConfigurationProblem) {
        var permitted: Set<ShortcutStepKey> = [work, .condition, .alternative]
        switch work {
        case .intent, .shortcut:
            permitted.formUnion([.values, .forEach, .parallel, .repetition, .until, .retry, .onError])
        case .ask: permitted.formUnion([.type, .onError])
        case .choose: permitted.formUnion([.options, .onError])
        case .wait, .values, .type, .options, .condition, .alternative, .forEach, .parallel, .repetition, .until,
            .retry, .onError:
            break
        }
        if assignments[.forEach] == nil { permitted.remove(.parallel) }
        if assignments[.repetition] == nil { permitted.remove(.until) }
        for (key, assignment) in assignments.sorted(by: { $0.value.line < $1.value.line })
        where !permitted.contains(key) {
            let reason =
                switch key {
                case .parallel: "ForEach="
                case .until: "Repeat="
                default: "a step with another purpose than \(work.rawValue)="
                }
            throw assignment.problem("the key has an effect only with \(reason); remove it")
        }
    }
}
