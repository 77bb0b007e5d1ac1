/// Decodes the members of an object.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: IntentValueDecoder
    let members: [String: IntentValue]
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.sorted().compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member(ValueKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

    private func member(_ key: any CodingKey) throws -> IntentValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing")
            )
        }
        return decoder.part(value, at: key)
    }
}

/// Decodes the elements of a list.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let decoder: IntentValueDecoder
    let elements: [IntentValue]
    private(set) var currentIndex = 0

    init(decoder: IntentValueDecoder, elements: [IntentValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try element().value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try consume { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try consume { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try consume { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try consume { $0 } }

    private mutating func consume<Value>(_ body: (IntentValueDecoder) throws -> Value) throws -> Value {
        let value = try body(element())
        currentIndex += 1
        return value
    }

    private func element() throws -> IntentValueDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                IntentValue.self,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "expected more than \(elements.count) elements"
                )
            )
        }
        return decoder.part(elements[currentIndex], at: ValueKey(intValue: currentIndex))
    }
}
