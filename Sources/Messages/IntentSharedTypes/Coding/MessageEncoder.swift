/// Encodes a value as JSON with sorted keys.
package struct MessageEncoder: Encoder {
    private let output: MessageOutput
    let level: Int

    init(_ output: MessageOutput, _ level: Int) {
        self.output = output
        self.level = level
    }

    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        output.open(.object, level)
        return KeyedEncodingContainer(MemberOutput(output: output, level: level))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.open(.array, level)
        return ElementOutput(output: output, level: level)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        output.open(.single, level)
        return SingleOutput(output: output)
    }

    /// Writes a value that ``WireCoding`` has encoded.
    package func encode(encoded json: [UInt8]) {
        output.open(.single, level)
        output.writer.raw(json)
    }
}

// MARK: Containers

private struct MemberOutput<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: MessageOutput
    let level: Int
    /// True if the members are the values of an enumeration's case (``CaseName``).
    var isCase = false

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        output.member(key.stringValue, level)
        output.writer.raw("null")
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        guard isCase else {
            output.member(key.stringValue, level)
            return try output.value(value)
        }
        let name = ValueName(key)
        if name.isUnlabelled { return try value.encode(to: MessageEncoder(output, level)) }
        if name.isOmitted, ValueName.absent.contains(WireCoding.encode(value)) { return }
        output.member(name.name, level)
        try output.value(value)
    }

    func nestedContainer<Name: CodingKey>(keyedBy _: Name.Type, forKey key: Key) -> KeyedEncodingContainer<Name> {
        guard let names = Key.self as? any CaseName.Type else {
            output.member(key.stringValue, level)
            return output.begin().container(keyedBy: Name.self)
        }
        if names.other?.stringValue != key.stringValue {
            output.member(names.member, level)
            output.writer.put(key.stringValue)
        }
        return KeyedEncodingContainer(MemberOutput<Name>(output: output, level: level, isCase: true))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        output.member(key.stringValue, level)
        return output.begin().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        output.member("super", level)
        return output.begin()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        output.member(key.stringValue, level)
        return output.begin()
    }
}

private struct ElementOutput: UnkeyedEncodingContainer {
    let output: MessageOutput
    let level: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { output.count(level) }

    func encodeNil() {
        output.element(level)
        output.writer.raw("null")
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        output.element(level)
        try output.value(value)
    }

    func nestedContainer<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        output.element(level)
        return output.begin().container(keyedBy: Key.self)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        output.element(level)
        return output.begin().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        output.element(level)
        return output.begin()
    }
}

private struct SingleOutput: SingleValueEncodingContainer {
    let output: MessageOutput

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { output.writer.raw("null") }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        // Numbers of types that no message contains. Their own code encodes them as a single value.
        case let number as Float: output.writer.put(Double("\(number)") ?? 0)
        case let number as any SignedInteger & FixedWidthInteger: output.writer.put(Int64(number))
        case let number as any UnsignedInteger & FixedWidthInteger: output.writer.put(UInt64(number))
        default: try output.value(value)
        }
    }
}
