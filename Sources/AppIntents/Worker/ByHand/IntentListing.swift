import IntentWire

/// A program's intents as text for a terminal.
enum IntentListing {
    static func text(of catalog: IntentCatalog, program: String) -> String {
        let intents = catalog.intents.filter(\.isDiscoverable)
        guard !intents.isEmpty else { return "\(program) has no intents." }
        let usage = "Run one here, without sandbox or limits:  \(program) INTENT [--PARAMETER VALUE]…"
        return (intents.map(text) + ["", usage]).joined(separator: "\n")
    }

    static func text(of intent: IntentDeclaration) -> String {
        let summary = intent.summary.map { ["    \($0)"] } ?? []
        let parameters = intent.parameters.map { "    \(line(of: $0))" }
        return (["\(intent.name)  \(intent.title)"] + summary + parameters).joined(separator: "\n")
    }

    private static func line(of parameter: ParameterDeclaration) -> String {
        let value = parameter.type == .bool ? "" : " \(parameter.type.rawValue.uppercased())"
        let note =
            parameter.isRequired ? "" : parameter.defaultValue.map { " (default \(text(of: $0)))" } ?? " (optional)"
        return "--\(parameter.name.asOption)\(value)  \(parameter.title)\(note)"
    }

    private static func text(of value: IntentValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let flag): String(flag)
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .string(let text): "'\(text)'"
        case .array(let values): values.map(text).joined(separator: ", ")
        case .file(let file): file.name
        }
    }
}

extension String {
    /// A property's name as an option: `paymentMethod` is `payment-method`.
    package var asOption: String {
        var option = ""
        for character in self {
            if character.isUppercase, let last = option.last, last != "-" { option += "-" }
            option += character.lowercased()
        }
        return option
    }
}
