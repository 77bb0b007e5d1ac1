/// The text of a new intentd.shortcut(5) file with a step for each intent.
///
/// A parameter of a step is the result of the step before if the types are equal, and otherwise a parameter of the shortcut.
package struct ShortcutTemplateFile {
    package let text: String

    /// - Parameter steps: The intents, each with its app's name.
    package init(name: String, steps: [(app: String, intent: IntentDeclaration)]) {
        var parameters: [(name: String, type: ValueType)] = []
        var sections: [String] = []
        var names: Set<String> = []
        var previous: (name: String, type: ValueType?)?
        for (app, intent) in steps {
            var values: [String] = []
            var usesPrevious = false
            for parameter in intent.parameters where parameter.isRequired {
                if let previous, !usesPrevious, previous.type == parameter.type {
                    values.append("\(parameter.name)=%{\(previous.name)}")
                    usesPrevious = true
                } else {
                    if !parameters.contains(where: { $0.name == parameter.name }) {
                        parameters.append((parameter.name, parameter.type))
                    }
                    values.append("\(parameter.name)=%{\(parameter.name)}")
                }
            }
            let step = Self.unused(Self.lowercased(intent.name), in: &names, parameters.map { $0.name })
            sections.append(
                "[Step \(step)]\nIntent=\(app)/\(intent.name)\n"
                    + (values.isEmpty ? "" : "Values=\(values.joined(separator: " "))\n")
            )
            previous = (step, intent.result)
        }
        let result = previous.flatMap { $0.type == nil ? nil : "Result=%{\($0.name)}\n" } ?? ""
        let head = "[Shortcut \(name)]\nTitle=\(name)\nOnFailure=undo\n\(result)"
        let declared = parameters.map { parameter in
            "[Shortcut \(name).Parameter \(parameter.name)]\n" + Self.keys(of: parameter.type)
        }
        text = ([head] + declared + sections).joined(separator: "\n")
    }

    /// Returns a name that no other step and no parameter has.
    private static func unused(_ name: String, in names: inout Set<String>, _ others: [String]) -> String {
        let candidates = [name] + (2...1000).map { "\(name)\($0)" }
        let found = candidates.first { !names.contains($0) && !others.contains($0) } ?? name
        names.insert(found)
        return found
    }

    private static func lowercased(_ name: String) -> String {
        let base = name.hasSuffix(utf8: "Intent") ? String(name.dropLast(scalars: 6)) : name
        return String(base.prefix(scalars: 1)).lowercased() + String(base.dropFirst(scalars: 1))
    }

    private static func keys(of type: ValueType) -> String {
        if case .array(let element) = type { return keys(of: element) + "List=yes\n" }
        let word: String? =
            switch type {
            case .int: "integer"
            case .double: "number"
            case .bool: "boolean"
            case .date: "datetime"
            case .duration: "duration"
            case .url: "url"
            case .file: "file"
            case .string, .decimal, .enumeration, .array, .entity, .object, .measurement, .currencyAmount,
                .dateComponents,
                .unknown:
                nil
            }
        return word.map { "Type=\($0)\n" } ?? ""
    }
}
