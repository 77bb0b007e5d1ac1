/// A plan as a person reads it who decides about it. The text consists of what is performed, not of the file.
extension ShortcutPlan {
    /// What applies to the whole plan, and to no single step.
    package var conditions: [(name: String, text: String)] {
        (undoesOnFailure ? [("on failure", "undo")] : []) + (result.map { [("result", $0.description)] } ?? [])
    }

    /// Returns the plan with the texts of known values in place of references to them.
    package func substituting(_ known: [String: String]) -> ShortcutPlan {
        var plan = self
        func substitute(_ template: Template) -> Template {
            Template(
                template.pieces.map { piece in
                    guard case .value(let reference) = piece, reference.path.isEmpty, let text = known[reference.name]
                    else {
                        return piece
                    }
                    return .text(text)
                }
            )
        }
        for index in plan.steps.indices {
            switch plan.steps[index].work {
            case .perform(let app, let intent, let values):
                plan.steps[index].work = .perform(app: app, intent: intent, values: values.mapValues(substitute))
            case .ask(let question, let type): plan.steps[index].work = .ask(substitute(question), type: type)
            case .choose(let question, let options):
                plan.steps[index].work = .choose(substitute(question), options: options.map(substitute))
            case .wait: break
            }
        }
        return plan
    }

    /// True if the values of a step consist of texts of the plan and of parameters, which a person has seen before the
    /// plan began. A result of an earlier step, or an answer, can be anything.
    package func hasKnownValues(_ step: Step) -> Bool {
        guard case .perform(_, _, let values) = step.work else { return false }
        func isKnown(_ reference: Reference) -> Bool {
            switch reference.name {
            case "index": true
            case "item": step.list.map { self.step($0.name) == nil } ?? false
            default: self.step(reference.name) == nil
            }
        }
        return values.values.allSatisfy { $0.references.allSatisfy(isKnown) }
    }
}

extension ShortcutPlan.Step {
    /// What the step does, on one line.
    package var text: String {
        var parts: [String] = []
        if let condition { parts.append("if \(condition)") }
        if let alternativeTo { parts.append("if not \(alternativeTo)") }
        if let list { parts.append("for each \(list)" + (parallelCount > 1 ? ", \(parallelCount) at a time" : "")) }
        if let repeatCount { parts.append("up to \(repeatCount) times" + (end.map { " until \($0)" } ?? "")) }
        parts.append(workText)
        if retryCount > 0 { parts.append("retry \(retryCount)") }
        if continuesAfterError { parts.append("continue after an error") }
        return parts.joined(separator: ", ")
    }

    private var workText: String {
        switch work {
        case .perform(let app, let intent, let values):
            let name = intent.isEmpty ? "the shortcut \(SafeText.line(app))" : SafeText.line("\(app)/\(intent)")
            return ([name] + values.sorted { $0.key < $1.key }.map { "\(SafeText.line($0.key))=\($0.value)" })
                .joined(separator: " ")
        case .ask(let question, let type): return "ask \(question)" + (type.map { " for the type \($0)" } ?? "")
        case .choose(let question, let options):
            return "ask \(question) with \(options.map(\.description).joined(separator: " "))"
        case .wait(let milliseconds): return "wait \(TimeSpan.format(.milliseconds(milliseconds)))"
        }
    }
}

extension ShortcutPlan.Template: CustomStringConvertible {
    /// The placeholder of a template that is one; otherwise the text in quotes.
    package var description: String {
        if let only { return only.description }
        return SafeText.quoted(pieces.map(\.text).joined())
    }

    package var references: [ShortcutPlan.Reference] { pieces.compactMap(\.reference) }
}

extension ShortcutPlan.Piece {
    package var reference: ShortcutPlan.Reference? {
        switch self {
        case .text: nil
        case .value(let reference), .condition(let reference, _, _): reference
        }
    }

    fileprivate var text: String {
        switch self {
        case .text(let text): return text.replacing(utf8: "%", with: "%%")
        case .value(let reference): return reference.description
        case .condition(let reference, let then, let otherwise):
            let name = ([reference.name] + reference.path).joined(separator: ".")
            return "%{\(name)?\(then)" + (otherwise.map { ":\($0)" } ?? "") + "}"
        }
    }
}

extension ShortcutPlan.Condition: CustomStringConvertible {
    package var description: String {
        guard let comparison, let operand else { return value.description }
        return "\(value) \(comparison.rawValue) \(operand)"
    }
}
