internal import FoundationEssentials

/// Encodes Swift values as ``IntentValue``, the form of values in messages.
struct IntentValueEncoder: Encoder {
    /// Storage for one encoded value. The encoding containers fill it.
    final class Slot {
        enum Form {
            /// An object. A value that encodes nothing becomes an empty object, as in JSON.
            case object
            case list
            case scalar
        }

        var form = Form.object
        var members: [String: Slot] = [:]
        var elements: [Slot] = []
        private var scalar = IntentValue.null

        func set(_ value: IntentValue) {
            form = .scalar
            scalar = value
        }

        var value: IntentValue {
            switch form {
            case .object: .object(members.mapValues(\.value))
            case .list: .array(elements.map(\.value))
            case .scalar: scalar
            }
        }
    }

    let slot: Slot
    let files: ArgumentFiles
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value, and adds its files to the request.
    ///
    /// - Throws: `EncodingError`, ``CodingProblem``, ``IntentClientError`` for a file, or an error that the value
    ///   itself throws.
    static func encode(_ value: some Encodable, files: ArgumentFiles) throws -> IntentValue {
        let slot = Slot()
        try IntentValueEncoder(slot: slot, files: files, codingPath: []).encode(value)
        return slot.value
    }

    /// Encodes a value into the slot. Files, dates and other types with a special form in messages are encoded here,
    /// because their `encode(to:)` produces a different form.
    func encode(_ value: some Encodable) throws {
        if let form = try ownForm(of: value) {
            slot.set(form)
        } else {
            try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedValueEncoder(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedValueEncoder(encoder: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoder(encoder: self) }

    /// Returns an encoder for a nested value.
    func part(_ key: any CodingKey, in slot: Slot) -> IntentValueEncoder {
        IntentValueEncoder(slot: slot, files: files, codingPath: codingPath + [key])
    }

    private func ownForm(of value: some Encodable) throws -> IntentValue? {
        switch value {
        case let value as IntentValue: value
        case let file as RunFile: files.add(file)
        case let data as Data: files.add(try RunFile(data: data, name: "data"))
        case let url as URL: .string(url.absoluteString)
        case let span as Duration: .double(span / .seconds(1))
        case let number as Decimal: .string(try finite(number))
        case let date as Date: .string(try text(WireText.of(date), "a date between the years 1 and 9999", date))
        case let parts as DateComponents: .string(try text(WireText.of(parts), "a day, a time or both", parts))
        case _: nil
        }
    }

    private func finite(_ number: Decimal) throws -> String {
        try text(number.isFinite ? number.description : nil, "a finite number", number)
    }

    private func text(_ text: String?, _ expected: String, _ value: any Sendable) throws -> String {
        guard let text else { throw problem(value, "expected \(expected), got \(value)") }
        return text
    }

    func problem(_ value: Any, _ message: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: message))
    }
}
