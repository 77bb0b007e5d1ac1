import IntentWire

extension Array: _IntentValue where Element: _IntentValue {
    public typealias ValueType = Element.ValueType
    public typealias UnwrappedType = [Element]

    public static var _intentValueCoding: _IntentValueCoding<[Element]> {
        let element = Element._intentValueCoding
        return _IntentValueCoding(element.type.map { .array($0) }) { values, files in
            var encoded: [IntentWire.IntentValue] = []
            for value in values { encoded.append(try element.encode(value, &files)) }
            return .array(encoded)
        } decode: { value, files in
            guard case .array(let values) = value else { return nil }
            return try values.map { try element.decode($0, files) }
        }
    }
}
