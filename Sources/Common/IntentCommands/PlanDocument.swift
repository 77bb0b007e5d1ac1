package import IntentCommandLine
import IntentConfiguration
import IntentLauncherMessages
package import IntentProtocol

/// A shortcut as JSON, which an agent writes, and its text in the syntax of intentd.shortcut(5).
///
/// The members of a step are the keys of `[Step NAME]` with a small first letter, and `name`. The members of `values` and
/// `files` are parameters of the shortcut.
package struct PlanDocument {
    /// A mistake in the JSON, for a model.
    package struct Mistake: Error {
        package let message: String
    }

    /// The members of a plan.
    package enum Member: String, CaseIterable {
        case name, title, steps, values, files, result, onFailure
    }

    package let text: String
    package let shortcut: ShortcutFile
    /// The values of the parameters.
    package let inputs: [String: JSONValue]

    /// - Parameters:
    ///   - intentNamed: Returns the name APP/INTENT for what a step calls its intent.
    package init(_ members: [String: JSONValue], intentNamed: (String) -> String) throws(Mistake) {
        var lines: [String] = []
        let name =
            try members[Member.name.rawValue].map { json throws(Mistake) in try Self.line(json, "name") } ?? "Plan"
        lines.append("[Shortcut \(name)]")
        let title = try members[Member.title.rawValue].map { json throws(Mistake) in try Self.line(json, "title") }
        if let title { lines.append("\(ShortcutKey.title.rawValue)=\(title)") }
        for (member, key) in [(Member.result, ShortcutKey.result), (.onFailure, .onFailure)] {
            guard let json = members[member.rawValue] else { continue }
            lines.append("\(key.rawValue)=\(try Self.line(json, member.rawValue))")
        }
        inputs = try Self.parameters(members, &lines)
        guard case .array(let steps)? = members[Member.steps.rawValue], !steps.isEmpty else {
            throw Mistake(message: "'steps': expected an array with at least one step")
        }
        for (index, step) in steps.enumerated() {
            guard case .object(let step) = step else {
                throw Mistake(message: "step \(index + 1): expected an object")
            }
            try Self.add(step, number: index + 1, intentNamed, to: &lines)
        }
        text = lines.joined(separator: "\n") + "\n"
        do throws(CommandFileProblems) {
            shortcut = try ShortcutFile(ofUser: Array(text.utf8), file: "plan")
        } catch {
            // A model has not seen the lines.
            throw Mistake(message: error.problems.map(\.message).joined(separator: "\n"))
        }
    }

    /// A step, as far as a program outside of intentd needs it.
    package struct Step {
        package let name: String
        /// What the step does, on one line.
        package let text: String
        /// The app and the intent; nil for a step that performs no intent. The intent is empty for the only one of the app.
        package let performed: (app: String, intent: String)?
        /// The names of the parameters with a value.
        package let parameters: Set<String>
    }

    package var steps: [Step] {
        shortcut.plan.steps.map { step in
            guard case .perform(let app, let intent, let values) = step.work else {
                return Step(name: step.name, text: step.text, performed: nil, parameters: [])
            }
            return Step(name: step.name, text: step.text, performed: (app, intent), parameters: Set(values.keys))
        }
    }

    /// Checks the names and types of the steps, as `intentctl verify` does.
    package func check(against catalogs: [String: IntentCatalog]) -> (problems: [String], warnings: [String]) {
        let types = ShortcutTypes(of: shortcut, file: "plan", catalogs: catalogs)
        return (types.problems.map(\.message), types.warnings)
    }

    // MARK: Parameters

    private static func parameters(
        _ members: [String: JSONValue],
        _ lines: inout [String]
    ) throws(Mistake) -> [String: JSONValue] {
        var inputs: [String: JSONValue] = [:]
        for member in [Member.values, .files] {
            guard let json = members[member.rawValue] else { continue }
            guard case .object(let values) = json else {
                throw Mistake(message: "'\(member.rawValue)': expected an object")
            }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                guard CommandParameter.isName(name), inputs[name] == nil else {
                    let excerpt = WireCoding.excerpt(name)
                    throw Mistake(
                        message: "'\(member.rawValue)': '\(excerpt)' is no name, or a name that is used twice"
                    )
                }
                inputs[name] = value
                lines.append("[Shortcut \(shortcutName(lines)).Parameter \(name)]")
                let type = member == .files ? CommandValueType.file : try type(of: value, name)
                lines.append("\(CommandParameterKey.type.rawValue)=\(type.rawValue)")
                if case .array = value { lines.append("\(CommandParameterKey.list.rawValue)=yes") }
            }
        }
        return inputs
    }

    private static func shortcutName(_ lines: [String]) -> String {
        String((lines.first ?? "").dropFirst(scalars: "[Shortcut ".scalarCount).dropLast(scalars: 1))
    }

    private static func type(of value: JSONValue, _ name: String) throws(Mistake) -> CommandValueType {
        switch value {
        case .string: return .string
        case .int: return .integer
        case .double: return .number
        case .bool: return .boolean
        case .array(let elements):
            guard let first = elements.first else { return .string }
            if case .array = first { break }
            return try type(of: first, name)
        case .null, .object: break
        }
        throw Mistake(message: "'\(name)': expected a string, a number, a boolean, or an array of them")
    }

    // MARK: Steps

    private static func add(
        _ step: [String: JSONValue],
        number: Int,
        _ intentNamed: (String) -> String,
        to lines: inout [String]
    ) throws(Mistake) {
        let name = try step["name"].map { json throws(Mistake) in try line(json, "name") } ?? "step\(number)"
        lines.append("[Step \(name)]")
        for (member, value) in step.sorted(by: { $0.key < $1.key }) where member != "name" && value != .null {
            guard let key = ShortcutStepKey.allCases.first(where: { $0.member == member }) else {
                let names = (["name"] + ShortcutStepKey.allCases.map(\.member)).joined(separator: ", ")
                throw Mistake(
                    message: "step '\(name)': unknown member '\(WireCoding.excerpt(member))'; expected \(names)"
                )
            }
            let place = "step '\(name)', '\(member)'"
            switch key {
            case .values:
                guard case .object(let values) = value else { throw Mistake(message: "\(place): expected an object") }
                for (parameter, json) in values.sorted(by: { $0.key < $1.key }) where json != .null {
                    let word = "\(parameter)=\(try scalar(json, "\(place), '\(parameter)'"))"
                    lines.append("\(key.rawValue)=\(TemplateText.quote(word))")
                }
            case .options:
                let words = if case .array(let words) = value { words } else { [value] }
                let quoted = try words.map { json throws(Mistake) in TemplateText.quote(try scalar(json, place)) }
                lines.append("\(key.rawValue)=\(quoted.joined(separator: " "))")
            case .intent: lines.append("\(key.rawValue)=\(intentNamed(try line(value, place)))")
            case .shortcut, .ask, .type, .choose, .wait, .condition, .alternative, .forEach, .parallel, .repetition,
                .until, .retry, .onError:
                lines.append("\(key.rawValue)=\(try line(value, place))")
            }
        }
    }

    private static func scalar(_ json: JSONValue, _ place: String) throws(Mistake) -> String {
        switch json {
        case .string(let text): return text
        case .int(let number): return String(number)
        case .double(let number): return String(number)
        case .bool(let flag): return flag ? "true" : "false"
        case .null, .array, .object:
            throw Mistake(
                message:
                    "\(place): expected a string, a number or a boolean; put a list into 'values' of the plan, and write "
                    + "\"%{name}\" here"
            )
        }
    }

    /// Returns the text of a line of the file. A text with several lines would be several assignments.
    private static func line(_ json: JSONValue, _ place: String) throws(Mistake) -> String {
        let text = try scalar(json, place)
        guard !text.unicodeScalars.contains(where: { $0.isLineBreak || $0.properties.generalCategory == .control }),
            !text.hasSuffix(utf8: "\\")
        else { throw Mistake(message: "\(place): expected one line that does not end with a backslash") }
        return text
    }
}

extension ShortcutStepKey {
    /// The member of a step in JSON: the key with a small first letter.
    package var member: String {
        String(rawValue.prefix(scalars: 1)).lowercased() + String(rawValue.dropFirst(scalars: 1))
    }
}
