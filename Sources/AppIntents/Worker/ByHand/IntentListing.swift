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

    /// The option without its dashes, and its values: `soup tomato|lentil`.
    static func usage(of parameter: ParameterDeclaration) -> String {
        let name = parameter.name.asOption
        return parameter.type == .bool ? name : "\(name) \(parameter.type.placeholder)"
    }

    private static func line(of parameter: ParameterDeclaration) -> String {
        var notes: [String] = []
        if parameter.type.isArray { notes.append("once for each") }
        if let lower = parameter.range?.lowerBound, let upper = parameter.range?.upperBound {
            notes.append("\(text(of: .double(lower))) to \(text(of: .double(upper)))")
        }
        if let value = parameter.defaultValue {
            notes.append("default \(text(of: value))")
        } else if parameter.isOptional {
            notes.append("optional")
        }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        return "--\(usage(of: parameter))  \(parameter.title)\(note)"
    }

    private static func text(of value: IntentValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let flag): String(flag)
        case .int(let number): String(number)
        case .double(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let text): "'\(text)'"
        case .array(let values): values.map(text).joined(separator: ", ")
        case .file(let file): file.name
        case .object(let members): members["title"].map(text) ?? "an object"
        }
    }
}

extension IntentWire.ValueType {
    fileprivate var placeholder: String {
        switch self {
        case .string: "TEXT"
        case .int, .double, .decimal: "NUMBER"
        case .bool: "true|false"
        case .file: "FILE"
        case .date: "DATE"
        case .url: "URL"
        case .duration: "DURATION"
        case .enumeration(let cases): cases.count > 8 ? "VALUE" : cases.map(\.value).joined(separator: "|")
        case .array(let element): element.placeholder
        case .entity: "ID"
        case .object: "JSON"
        case .measurement(let units): units.count == 1 ? "'NUMBER \(units[0])'" : "'NUMBER UNIT'"
        case .currencyAmount: "'NUMBER CURRENCY'"
        case .dateComponents: "DATE"
        case .unknown: "UNKNOWN"
        }
    }
}

extension String {
    /// A property's name as an option, as in `intentctl`: `paymentMethod` is `payment-method`, `imageURL` is
    /// `image-url`.
    package var asOption: String {
        var option = ""
        let characters = Array(self)
        for (index, character) in characters.enumerated() {
            if character.isUppercase, let last = option.last, last != "-" {
                let beginsWord = !characters[index - 1].isUppercase
                let endsCapitals = index + 1 < characters.count && characters[index + 1].isLowercase
                if beginsWord || endsCapitals { option += "-" }
            }
            option += character == "_" ? "-" : character.lowercased()
        }
        return option
    }
}
