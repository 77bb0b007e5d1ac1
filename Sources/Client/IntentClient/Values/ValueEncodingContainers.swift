/// Encodes the members of an object.
struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: IntentValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: IntentValueEncoder) {
        self.encoder = encoder
        encoder.slot.form = .object
    }

    func encodeNil(forKey key: Key) throws { member(key).slot.set(.null) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { member(ValueKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { member(key) }

    private func member(_ key: any CodingKey) -> IntentValueEncoder {
        let slot = IntentValueEncoder.Slot()
        encoder.slot.members[key.stringValue] = slot
        return encoder.part(key, in: slot)
    }
}

/// Encodes the elements of a list.
struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    private let encoder: IntentValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: IntentValueEncoder) {
        self.encoder = encoder
        encoder.slot.form = .list
    }

    var count: Int { encoder.slot.elements.count }

    func encodeNil() throws { element().slot.set(.null) }
    func encode(_ value: some Encodable) throws { try element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    func superEncoder() -> any Encoder { element() }

    private func element() -> IntentValueEncoder {
        let slot = IntentValueEncoder.Slot()
        let index = encoder.slot.elements.count
        encoder.slot.elements.append(slot)
        return encoder.part(ValueKey(intValue: index), in: slot)
    }
}

/// The key of a member or element.
struct ValueKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
