import IntentConfiguration
import IntentLauncherMessages
import IntentProtocol

/// Checks that each reference of a shortcut has a value on every path.
struct ShortcutCheck {
    struct Mistake {
        var message: String
        var line: Int?
    }

    /// The names that have a meaning of their own.
    static let reserved: Set<String> = ["item", "index"]

    private let shortcut: ShortcutFile

    init(of shortcut: ShortcutFile) {
        self.shortcut = shortcut
    }

    /// A reference, and what happens if it has no value.
    private struct Use {
        var reference: ShortcutPlan.Reference
        var key: ShortcutStepKey
        /// True if the shortcut works without the value.
        var mayLack = false
    }

    func mistakes() -> [Mistake] {
        var mistakes: [Mistake] = []
        for (position, step) in shortcut.plan.steps.enumerated() {
            func note(_ message: String) {
                mistakes.append(Mistake(message: "[Step \(step.name)]: \(message)", line: step.line))
            }
            let earlier = shortcut.plan.steps[..<position]
            if let name = step.alternativeTo {
                let other = earlier.first { $0.name == name }
                if other == nil { note("Else=: no earlier step has the name '\(name)'") }
                if other != nil, other?.condition == nil { note("Else=: the step '\(name)' has no If=") }
            }
            for use in uses(of: step) {
                if let message = message(about: use, in: step, after: earlier) {
                    note("\(use.key.rawValue)=: \(message)")
                }
            }
        }
        for piece in shortcut.plan.result?.pieces ?? [] {
            guard let reference = piece.reference else { continue }
            let steps = shortcut.plan.steps[...]
            if let message = message(
                about: Use(reference: reference, key: .values, mayLack: true),
                in: nil,
                after: steps
            ) {
                mistakes.append(Mistake(message: "Result=: \(message)", line: nil))
            }
        }
        for placeholder in shortcut.summary?.placeholders ?? [] {
            let name = placeholder.parameter ?? ""
            guard case .value = placeholder, let parameter = shortcut.parameters.first(where: { $0.name == name })
            else {
                mistakes.append(Mistake(message: "Summary=: unknown parameter '\(name)'", line: nil))
                continue
            }
            if parameter.isSecret {
                mistakes.append(Mistake(message: "Summary=: the value of '\(name)' is secret", line: nil))
            }
        }
        return mistakes
    }

    private func uses(of step: ShortcutPlan.Step) -> [Use] {
        var uses: [Use] = []
        func add(_ template: ShortcutPlan.Template?, _ key: ShortcutStepKey) {
            for piece in template?.pieces ?? [] {
                guard let reference = piece.reference else { continue }
                uses.append(Use(reference: reference, key: key, mayLack: piece.isCondition))
            }
        }
        func add(_ condition: ShortcutPlan.Condition?, _ key: ShortcutStepKey) {
            guard let condition else { return }
            uses.append(Use(reference: condition.value, key: key, mayLack: condition.comparison == nil))
            add(condition.operand, key)
        }
        add(step.condition, .condition)
        add(step.end, .until)
        if let list = step.list { uses.append(Use(reference: list, key: .forEach)) }
        switch step.work {
        case .perform(_, _, let values):
            for (_, template) in values.sorted(by: { $0.key < $1.key }) { add(template, .values) }
        case .ask(let question, _): add(question, .ask)
        case .choose(let question, let options):
            add(question, .choose)
            for option in options { add(option, .options) }
        case .wait: break
        }
        return uses
    }

    /// Returns what is wrong with a reference, or nil.
    ///
    /// - Parameter step: The step that contains the reference; nil for the result of the shortcut.
    private func message(
        about use: Use,
        in step: ShortcutPlan.Step?,
        after earlier: ArraySlice<ShortcutPlan.Step>
    ) -> String? {
        let (reference, name) = (use.reference, use.reference.name)
        if name == "item" || name == "index" {
            let isLoop = name == "item" ? step?.list != nil : step?.list != nil || step?.repeatCount != nil
            let isOutside = use.key == .forEach || use.key == .condition
            return isLoop && !isOutside ? nil : "\(reference): only the values of a step with ForEach= have it"
        }
        if let parameter = shortcut.parameters.first(where: { $0.name == name }) {
            if parameter.isSecret, use.key != .values {
                return "\(reference): the value is secret; use it in Values= only"
            }
            return nil
        }
        // A repetition can use the result of the time before.
        if name == step?.name, use.key == .until { return nil }
        guard let source = earlier.first(where: { $0.name == name }) else {
            let isLater = shortcut.plan.steps.contains { $0.name == name }
            if isLater { return "\(reference): the step '\(name)' is not earlier than this one" }
            let names = shortcut.parameters.map(\.name) + earlier.map(\.name)
            let hint = NearestName.hint(for: name, among: names).map { "; \($0)" } ?? ""
            return "\(reference): no parameter and no earlier step has the name '\(name)'\(hint)"
        }
        if case .wait = source.work { return "\(reference): a step with Wait= has no value" }
        if use.mayLack { return nil }
        if source.continuesAfterError {
            return "\(reference): the step '\(name)' has no value if it fails (OnError=continue)"
        }
        let isConditional = source.condition != nil || source.alternativeTo != nil
        let isGuarded =
            source.condition == step?.condition && source.alternativeTo == step?.alternativeTo
            || source.alternativeTo == nil && step?.condition == ShortcutPlan.Condition(ShortcutPlan.Reference(name))
        guard isConditional, !isGuarded else { return nil }
        return "\(reference): the step '\(name)' has no value if its condition does not hold. Use the same condition"
    }
}

extension ShortcutPlan.Piece {
    fileprivate var isCondition: Bool { if case .condition = self { true } else { false } }
}
