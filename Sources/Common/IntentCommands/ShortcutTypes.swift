import IntentCommandLine
package import IntentConfiguration
import IntentLauncherMessages
package import IntentProtocol

/// Checks the types, names and undo of a shortcut's steps against the catalogues of the apps.
package struct ShortcutTypes {
    private let shortcut: ShortcutFile
    private let file: String
    /// The catalogues of the apps that the user may run, by name.
    private let catalogs: [String: IntentCatalog]
    private var types: [String: ValueType] = [:]
    package private(set) var problems: [ConfigurationProblem] = []
    /// What does not keep the shortcut from running.
    package private(set) var warnings: [String] = []

    package init(of shortcut: ShortcutFile, file: String, catalogs: [String: IntentCatalog]) {
        self.shortcut = shortcut
        self.file = file
        self.catalogs = catalogs
        for parameter in shortcut.parameters { types[parameter.name] = parameter.declaration.type }
        for step in shortcut.plan.steps { check(step) }
    }

    private mutating func note(_ message: String, _ step: ShortcutPlan.Step) {
        problems.append(ConfigurationProblem(file: file, line: step.line, message: "[Step \(step.name)]: \(message)"))
    }

    private mutating func check(_ step: ShortcutPlan.Step) {
        switch step.work {
        case .ask(_, let type): types[step.name] = type ?? .bool
        case .choose: types[step.name] = .string
        case .wait: break
        case .perform(let app, let name, let values):
            guard let intent = intent(app, name, step) else { return }
            if let list = step.list, let type = valueType(of: list), !type.isList {
                note("ForEach=: expected a list, but \(list) is \(type.words)", step)
            }
            check(values, of: intent, app, step)
            types[step.name] = step.list == nil ? intent.result : intent.result.map { ValueType.array($0) }
            guard shortcut.plan.undoesOnFailure, !intent.isUndoable, intent.details?.effect != .reads else { return }
            warnings.append(
                "[Step \(step.name)]: \(app)/\(intent.name) declares no undo. OnFailure=undo leaves its effect, and lists it"
            )
        }
    }

    private mutating func intent(_ app: String, _ name: String, _ step: ShortcutPlan.Step) -> IntentDeclaration? {
        let key = name.isEmpty ? "Shortcut=" : "Intent="
        guard let catalog = catalogs[app] else {
            let hint = NearestName.hint(for: app, among: catalogs.keys.sorted())
            note("\(key): no app '\(app)' that you may run\(hint.map { "; \($0)" } ?? "")", step)
            return nil
        }
        if name.isEmpty {
            if catalog.intents.count != 1 { note("\(key): '\(app)' is no shortcut", step) }
            return catalog.intents.count == 1 ? catalog.intents[0] : nil
        }
        switch catalog.intent(named: name) {
        case .intent(let intent): return intent
        case .ambiguous(let names):
            note("\(key): '\(name)' matches more than one intent: \(names.joined(separator: ", "))", step)
        case .unknown:
            let hint = NearestName.hint(for: name, among: catalog.intents.map(\.name))
            note("\(key): \(app) has no intent '\(name)'\(hint.map { "; \($0)" } ?? "")", step)
        }
        return nil
    }

    private mutating func check(
        _ values: [String: ShortcutPlan.Template],
        of intent: IntentDeclaration,
        _ app: String,
        _ step: ShortcutPlan.Step
    ) {
        for name in values.keys.sorted() where !intent.parameters.contains(where: { $0.name == name }) {
            let hint = NearestName.hint(for: name, among: intent.parameters.map(\.name))
            note("Values=: \(app)/\(intent.name) has no parameter '\(name)'\(hint.map { "; \($0)" } ?? "")", step)
        }
        for parameter in intent.parameters {
            guard let template = values[parameter.name] else {
                if parameter.isRequired { note("Values=: the parameter '\(parameter.name)' has no value", step) }
                continue
            }
            if let text = template.fixedText {
                let type = parameter.type.element
                // A date, for example, has the form in which workers receive it, because it is read without a clock.
                let value =
                    [.int, .double, .bool, .duration].contains(type)
                    ? ParameterInput.read(text, as: type, of: parameter)?.plainValue : IntentValue.string(text)
                let isValid = value.map { (try? type.accept($0, in: parameter.range)) != nil } ?? false
                if type == .file || !isValid {
                    note(
                        "Values=: \(parameter.name): expected \(parameter.type.words), got '\(WireCoding.excerpt(text))'",
                        step
                    )
                }
            } else if let reference = template.only {
                guard let type = valueType(of: reference, in: step), !type.fits(parameter.type) else { continue }
                note(
                    "Values=: \(parameter.name): expected \(parameter.type.words), but \(reference) is \(type.words)",
                    step
                )
            } else if !ValueType.string.fits(parameter.type) {
                note("Values=: \(parameter.name): expected \(parameter.type.words), but the template is text", step)
            }
        }
    }

    /// Returns the type of a reference; nil if the catalogues do not state it.
    private func valueType(of reference: ShortcutPlan.Reference, in step: ShortcutPlan.Step? = nil) -> ValueType? {
        var type: ValueType?
        switch reference.name {
        case "index": type = .int
        case "item": type = step?.list.flatMap { valueType(of: $0) }?.element
        default: type = types[reference.name]
        }
        for part in reference.path { type = type?.part(part) }
        return type
    }
}

extension ValueType {
    /// Returns the type of a part of a value; nil if it is not stated.
    fileprivate func part(_ name: String) -> ValueType? {
        switch self {
        case .array(let element): name == "count" ? .int : element.part(name).map { ValueType.array($0) }
        case .string where name == "count": .int
        case .file where name == "name": .string
        case .object(let type): type.properties.first { $0.name == name }?.type
        case .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .enumeration, .entity,
            .measurement,
            .currencyAmount, .dateComponents, .unknown:
            nil
        }
    }

    /// Returns true if a value of this type can be a value of the other type. Whether a text is a date, for example, is
    /// known only when the step is performed.
    fileprivate func fits(_ other: ValueType) -> Bool {
        switch (self, other) {
        case (.array(let element), .array(let other)): element.fits(other)
        case (.array, _): false
        case (_, .array(let element)): fits(element)
        case (.unknown, _), (_, .unknown): true
        case (.entity(let type), .entity(let other)): type.name == other.name
        case (.object, .entity), (.object, .object): true
        case (.int, .double), (.int, .decimal), (.int, .duration), (.double, .duration), (.duration, .double): true
        case (.int, .measurement), (.double, .measurement), (.int, .entity): true
        case (.enumeration, .enumeration): true
        default: self == other || isText && other.isText
        }
    }

    /// True for a type with strings as its values.
    private var isText: Bool {
        switch self {
        case .string, .decimal, .date, .url, .enumeration, .dateComponents, .currencyAmount, .entity, .measurement: true
        case .int, .double, .bool, .file, .duration, .array, .object, .unknown: false
        }
    }
}
