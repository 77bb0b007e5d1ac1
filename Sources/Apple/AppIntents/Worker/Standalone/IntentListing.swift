import IntentCommandLine
import IntentSharedTypes

/// The text that lists a program's intents on a terminal.
enum IntentListing {
    static func text(of catalog: IntentCatalog, program: String) -> String {
        let intents = catalog.intents.filter(\.isDiscoverable)
        guard !intents.isEmpty else { return "\(program) has no intents." }
        let usage = [
            "", "Run one here, without a sandbox or limits:  \(program) INTENT [--PARAMETER VALUE]…",
            "Show the values to choose from:             \(program) INTENT --help",
        ]
        return (intents.map { text(of: $0, choices: false) } + usage).joined(separator: "\n")
    }

    /// Returns the description of an intent with its parameters. If `choices` is true, the cases of enumerations are
    /// included.
    static func text(of intent: IntentDeclaration, choices: Bool) -> String {
        let summary = intent.summary.map { ["    \($0)"] } ?? []
        let parameters = intent.parameters.flatMap { parameter in
            ["    \(line(of: parameter))"] + (choices ? self.choices(of: parameter).map { "        \($0)" } : [])
        }
        return (["\(intent.name)  \(intent.title)"] + summary + parameters).joined(separator: "\n")
    }

    /// Returns the usage of a parameter's option: `--soup tomato|lentil`.
    static func usage(of parameter: ParameterDeclaration) -> String {
        let name = ParameterName.kebab(parameter.name)
        return parameter.type == .bool ? "--[no-]\(name)" : "--\(name) \(parameter.placeholder)"
    }

    private static func line(of parameter: ParameterDeclaration) -> String {
        var notes: [String] = []
        if parameter.type.isList { notes.append("repeatable") }
        if let names = parameter.boolNames { notes.append("true: \(names.true), false: \(names.false)") }
        if let bounds = parameter.range.flatMap(NumberText.of) { notes.append(bounds) }
        if let value = parameter.defaultValue {
            notes.append("default \(text(of: value))")
        } else if parameter.isOptional {
            notes.append("optional")
        }
        let summary = parameter.summary.map { ": \($0)" } ?? ""
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        return "\(usage(of: parameter))  \(parameter.title)\(summary)\(note)"
    }

    /// Returns one line for each enumeration case, with its value and title; an empty array for other types.
    private static func choices(of parameter: ParameterDeclaration) -> [String] {
        guard case .enumeration(let cases) = parameter.type.element else { return [] }
        let width = cases.map(\.value.scalarCount).max() ?? 0
        return cases.map { choice in
            let padding = String(repeating: " ", count: width - choice.value.scalarCount)
            return "\(choice.value)\(padding)  \(choice.title)\(choice.subtitle.map { ": \($0)" } ?? "")"
        }
    }

    private static func text(of value: IntentValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let flag): String(flag)
        case .int(let number): String(number)
        case .double(let number): NumberText.short(number)
        case .string(let text): "'\(text)'"
        case .array(let values): values.map(text).joined(separator: ", ")
        case .file(let file): file.name
        case .object(let members): members["title"].map(text) ?? "an object"
        }
    }
}
