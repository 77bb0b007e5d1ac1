import IntentLinux
package import IntentSharedTypes

extension ValueType {
    /// A phrase that describes the permitted values of the type.
    package var words: String {
        switch self {
        case .string: "text"
        case .int: "a whole number"
        case .double, .decimal: "a number"
        case .bool: "true or false"
        case .file: "the path of a file, or - for standard input"
        case .date: "a date, such as 2026-11-21 09:30 or tomorrow"
        case .url: "a URL"
        case .duration: "a time span, such as 90s or 1h 30min"
        case .enumeration(let choices):
            "one of " + choices.prefix(20).map(\.value).joined(separator: ", ") + (choices.count > 20 ? ", …" : "")
        case .array(let element): "a list in which each element is \(element.words)"
        case .entity(let type): "the id of a \(type.title)"
        case .object(let type): "an object as JSON (\(type.title))"
        case .measurement(let units):
            units.count == 1
                ? "a number of \(units[0])" : "a number with a unit, such as 5 \(units.first ?? "km")"
        case .currencyAmount(let codes):
            codes.isEmpty ? "an amount, such as 12.50 EUR" : "an amount in \(codes.joined(separator: ", "))"
        case .dateComponents: "a day, a time or both, such as 2026-11-21 09:30 or tomorrow"
        case .unknown(let word): "a value of the type '\(SafeText.line(word))', which this release does not support"
        }
    }

    /// The placeholder for the type in tables and usage lines.
    package var placeholder: String {
        switch self {
        case .string: "TEXT"
        case .int: "INTEGER"
        case .double, .decimal: "NUMBER"
        case .bool: "true|false"
        case .file: "FILE"
        case .date: "DATE"
        case .url: "URL"
        case .duration: "TIME"
        case .enumeration(let choices):
            choices.isEmpty || choices.count > 4 ? "NAME" : choices.map(\.value).joined(separator: "|")
        case .array(let element): element.placeholder + "..."
        case .entity: "ID"
        case .object: "JSON"
        case .measurement: "MEASURE"
        case .currencyAmount: "AMOUNT"
        case .dateComponents: "DATE"
        case .unknown: "UNKNOWN"
        }
    }

    /// An example value as typed on a command line, without quotation marks.
    var example: String {
        switch self {
        case .string: "text"
        case .int: "3"
        case .double: "1.5"
        case .bool: "true"
        case .file: "photo.jpg"
        case .decimal: "12.50"
        case .date: "2026-11-21"
        case .url: "https://example.org"
        case .duration: "90s"
        case .enumeration(let choices): choices.first?.value ?? "name"
        case .array(let element): element.example
        case .entity: "ID"
        case .object(let type): JSONValue.object(type.properties.exampleMembers).text()
        case .measurement(let units): "5 \(units.first ?? "km")"
        case .currencyAmount(let codes): "12.50 \(codes.first ?? "EUR")"
        case .dateComponents: "2026-11-21 09:30"
        case .unknown: "?"
        }
    }

    /// An example value in the `--json` object.
    var jsonExample: JSONValue {
        switch self {
        case .int: .int(3)
        case .double: .double(1.5)
        case .bool: .bool(true)
        case .duration: .int(90)
        case .string, .file, .decimal, .date, .url, .enumeration, .entity, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            .string(example)
        case .object(let type): .object(type.properties.exampleMembers)
        case .array(let element): .array([element.jsonExample])
        }
    }
}

extension [PropertyDeclaration] {
    fileprivate var exampleMembers: [String: JSONValue] {
        // A catalogue may be invalid. If two properties have the same name, use the first.
        Dictionary(map { ($0.name, $0.type.jsonExample) }) { first, _ in first }
    }
}

extension ParameterDeclaration {
    /// A phrase that describes the permitted values of the parameter, or of one element of a list.
    package var words: String {
        switch (type.element, dateKind, boolNames) {
        case (.date, .date?, _), (.dateComponents, .date?, _): "a day, such as 2026-11-21 or tomorrow"
        case (.date, .time?, _), (.dateComponents, .time?, _): "a time, such as 09:30"
        case (.bool, _, let names?):
            "true (\(SafeText.line(names.true))) or false (\(SafeText.line(names.false)))"
        case _: type.element.words
        }
    }

    /// The placeholder for the type in tables and usage lines.
    package var placeholder: String {
        switch (type, dateKind) {
        case (.date, .time?), (.dateComponents, .time?): "HH:MM"
        case _: type.placeholder
        }
    }

    /// An example value as typed on a command line, without quotation marks.
    private var exampleText: String {
        switch (type.element, dateKind) {
        case (.date, .time?), (.dateComponents, .time?): "09:30"
        case (.dateComponents, .date?): "2026-11-21"
        case _: type.example
        }
    }

    /// An example of the parameter's option with a value.
    package var example: String {
        let option = ShellWord.quote("--" + ParameterName.kebab(name))
        if type == .bool { return option }
        return "\(option) \(ShellWord.quote(exampleInRange))"
    }

    /// An example of the parameter in a `--json` object.
    var jsonExample: String { JSONValue.object([name: type.jsonExample]).text() }

    /// The example of the type, or the nearest bound if the example is out of range.
    private var exampleInRange: String {
        guard let range, let number = Double(type.example) else { return exampleText }
        if let lower = range.lowerBound, number < lower { return NumberText.short(lower) }
        if let upper = range.upperBound, number > upper { return NumberText.short(upper) }
        return type.example
    }
}
