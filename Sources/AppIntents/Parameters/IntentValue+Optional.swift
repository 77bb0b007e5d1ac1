import IntentWire

extension Optional: _IntentValue where Wrapped: _IntentValue {
    public typealias ValueType = Wrapped.ValueType
    public typealias UnwrappedType = Wrapped.UnwrappedType

    public static var _intentValueCoding: _IntentValueCoding<Wrapped?> {
        let wrapped = Wrapped._intentValueCoding
        return _IntentValueCoding(type: wrapped.type, absent: .some(.none)) { value, files in
            guard let value else { return .null }
            return try wrapped.encode(value, &files)
        } decode: { value, files in
            if case .null = value { return nil }
            return try wrapped.decode(value, files)
        } wrap: { value in
            wrapped.wrap(value)
        }
    }
}
