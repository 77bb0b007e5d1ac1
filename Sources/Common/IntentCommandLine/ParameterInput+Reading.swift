package import IntentSharedTypes

extension ParameterInput {
    /// Parses a string as a value of any type except a list. Returns nil if the string does not match the type.
    ///
    /// - Parameter parameter: The parameter. It may restrict a date to one of its parts, and may define names for true
    ///   and false.
    package static func read(
        _ text: String,
        as type: ValueType,
        of parameter: ParameterDeclaration? = nil
    ) -> ParameterInput? {
        switch type {
        case .string, .url, .decimal, .entity, .measurement, .currencyAmount: .value(.string(text))
        case .int: Int64(text).map { .value(.int($0)) }
        case .double: Double(text).flatMap { $0.isFinite ? .value(.double($0)) : nil }
        case .bool: truth(text, parameter?.boolNames).map { .value(.bool($0)) }
        case .file: text.isEmpty ? nil : text == "-" ? .standardInput : .path(text)
        case .date: DateText.read(text, as: parameter?.dateKind).map { .value(.string($0)) }
        case .dateComponents: DateText.components(text, as: parameter?.dateKind).map { .value(.string($0)) }
        case .duration: TimeSpan.seconds(text).map { .value(.double($0)) }
        case .enumeration(let choices): choice(text, of: choices).map { .value(.string($0)) }
        case .object:
            JSONValue(parsing: Array(text.utf8)).flatMap { json in
                if case .object = json { .value(IntentValue(json)) } else { nil }
            }
        case .array, .unknown: nil
        }
    }

    /// Converts JSON to a value of the type. The JSON type must match: `"3"` is not a number.
    package static func read(
        _ json: JSONValue,
        as type: ValueType,
        of parameter: ParameterDeclaration? = nil
    ) -> ParameterInput? {
        switch (type, json) {
        case (.string, .string), (.file, .string), (.url, .string), (.decimal, .string), (.date, .string),
            (.duration, .string), (.enumeration, .string), (.entity, .string), (.measurement, .string),
            (.currencyAmount, .string), (.dateComponents, .string):
            guard case .string(let text) = json else { return nil }
            return read(text, as: type, of: parameter)
        case (.int, .int(let number)): return .value(.int(number))
        case (.double, .int(let number)), (.duration, .int(let number)): return .value(.double(Double(number)))
        case (.double, .double(let number)), (.duration, .double(let number)): return .value(.double(number))
        case (.decimal, .int(let number)): return .value(.string("\(number)"))
        // Use the shortest string that represents the number, because the user probably typed it.
        case (.decimal, .double(let number)): return .value(.string("\(number)"))
        case (.bool, .bool(let value)): return .value(.bool(value))
        case (.entity, .int(let number)): return .value(.string("\(number)"))
        // Results contain an entity as an object, so accept that form for an entity too.
        case (.entity, .object), (.object, .object): return .value(IntentValue(json))
        case (.measurement, .int(let number)): return .value(.int(number))
        case (.measurement, .double(let number)): return .value(.double(number))
        case (.string, _), (.int, _), (.double, _), (.bool, _), (.file, _), (.decimal, _), (.date, _), (.url, _),
            (.duration, _), (.enumeration, _), (.array, _), (.entity, _), (.object, _), (.measurement, _),
            (.currencyAmount, _), (.dateComponents, _), (.unknown, _):
            return nil
        }
    }

    private static func truth(_ text: String, _ names: ParameterDeclaration.BoolNames?) -> Bool? {
        let folded = text.lowercased()
        if let names, folded == names.true.lowercased() { return true }
        if let names, folded == names.false.lowercased() { return false }
        return switch folded {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    /// Returns the value of the choice that the string names. Prefers an exact value to a value in another case, and a
    /// value in another case to a title.
    private static func choice(_ text: String, of choices: [EnumerationCase]) -> String? {
        let folded = text.lowercased()
        let choice =
            choices.first { $0.value == text } ?? choices.first { $0.value.lowercased() == folded }
            ?? choices.first { $0.title.lowercased() == folded }
        return choice?.value
    }
}

extension IntentValue {
    /// Creates a value from JSON that contains no files.
    package init(_ json: JSONValue) {
        self =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .int(let number): .int(number)
            case .double(let number): .double(number)
            case .string(let text): .string(text)
            case .array(let values): .array(values.map { IntentValue($0) })
            case .object(let members): .object(members.mapValues { IntentValue($0) })
            }
    }
}

extension ValueType {
    /// True for a list type.
    package var isList: Bool { if case .array = self { true } else { false } }
}
