internal import FoundationEssentials

/// Decodes Swift values from ``IntentValue``, the form of values in messages.
struct IntentValueDecoder: Decoder {
    let value: IntentValue
    let files: [RunFile]
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value with its files.
    ///
    /// - Throws: `DecodingError`, or an error that the type itself throws.
    static func decode<Value: Decodable>(_ type: Value.Type, from value: IntentValue, files: [RunFile]) throws -> Value
    {
        try IntentValueDecoder(value: value, files: files, codingPath: []).decode(type)
    }

    /// Decodes a value. Files, dates and other types with a special form in messages are decoded here, because their
    /// `init(from:)` expects a different form.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let own = try ownForm(of: type) {
            guard let own = own as? Value else { preconditionFailure("\(Value.self) was decoded as another type") }
            return own
        }
        return try Value(from: self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch("an object", type) }
        return KeyedDecodingContainer(KeyedValueDecoder(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("a list", [IntentValue].self) }
        return UnkeyedValueDecoder(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }

    /// Returns a decoder for a nested value.
    func part(_ value: IntentValue, at key: any CodingKey) -> IntentValueDecoder {
        IntentValueDecoder(value: value, files: files, codingPath: codingPath + [key])
    }

    func mismatch(_ expected: String, _ type: any Any.Type, found: String? = nil) -> DecodingError {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "expected \(expected), got \(found ?? value.kindName)"
            )
        )
    }

    private func ownForm(of type: any Any.Type) throws -> Any? {
        switch type {
        case is IntentValue.Type: return value
        case is RunFile.Type: return try file()
        case is Data.Type: return try file().data()
        case is URL.Type: return try parse("a URL", type) { URL(string: $0) }
        case is Date.Type: return try parse("a date and time", type, WireText.date)
        case is DateComponents.Type: return try parse("a day, a time or both", type, WireText.dateComponents)
        case is Duration.Type: return try duration()
        case is Decimal.Type:
            switch value {
            case .int(let number): return Decimal(number)
            case .double(let number): return Decimal(number)
            case .null, .bool, .string, .array, .file, .object:
                return try parse("a decimal number", type) { Decimal(string: $0) }
            }
        case _: return nil
        }
    }

    private func parse<Value>(
        _ expected: String,
        _ type: any Any.Type,
        _ parse: (String) -> Value?
    ) throws -> Value {
        guard case .string(let text) = value, let parsed = parse(text) else { throw mismatch(expected, type) }
        return parsed
    }

    private func duration() throws -> Duration {
        switch value {
        case .int(let seconds): return .seconds(seconds)
        // Converting a larger number of seconds to Duration would trap.
        case .double(let seconds) where abs(seconds) < 1e18: return .seconds(seconds)
        case .null, .bool, .double, .string, .array, .file, .object:
            throw mismatch("a duration in seconds", Duration.self)
        }
    }

    private func file() throws -> RunFile {
        guard case .file(let reference) = value, files.indices.contains(reference.index) else {
            throw mismatch("a file", RunFile.self)
        }
        return files[reference.index]
    }
}
