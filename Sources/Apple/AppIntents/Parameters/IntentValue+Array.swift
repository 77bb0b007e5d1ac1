import IntentSharedTypes

extension Array: _IntentValue where Element: _IntentValue {
    public typealias ValueType = Element.ValueType
    public typealias UnwrappedType = [Element]

    public static var _intentValueCoding: _IntentValueCoding<[Element]> {
        let element = Element._intentValueCoding
        var coding = _IntentValueCoding<[Element]>(element.type.map { .array($0) }) { values, files in
            var encoded: [IntentValue] = []
            for value in values { encoded.append(try element.encode(value, &files)) }
            return .array(encoded)
        } decode: { value, files in
            guard case .array(let values) = value else { return nil }
            return try values.map { try element.decode($0, files) }
        }
        if let resolve = element.resolve {
            coding.resolve = { value, files in
                guard case .array(let values) = value else {
                    throw InvalidValue("expects a list, got \(value.kindName)")
                }
                var resolved: [Element] = []
                for value in values { resolved.append(try await resolve(value, files)) }
                return resolved
            }
        }
        return coding
    }
}

/// A set is sent as a list, sorted by the elements' descriptions.
extension Set: _IntentValue where Element: _IntentValue {
    public typealias ValueType = Element.ValueType
    public typealias UnwrappedType = Set<Element>

    public static var _intentValueCoding: _IntentValueCoding<Set<Element>> {
        let list = [Element]._intentValueCoding
        var coding = _IntentValueCoding<Set<Element>>(list.type) { values, files in
            try list.encode(values.sorted { "\($0)" < "\($1)" }, &files)
        } decode: { value, files in
            Set(try list.decode(value, files))
        }
        if let resolve = list.resolve { coding.resolve = { Set(try await resolve($0, $1)) } }
        return coding
    }
}
