import IntentSharedTypes

extension String: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<String> {
        _IntentValueCoding(.string) { value, _ in
            .string(value)
        } decode: { value, _ in
            if case .string(let text) = value { text } else { nil }
        }
    }
}

extension Bool: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Bool> {
        _IntentValueCoding(.bool) { value, _ in
            .bool(value)
        } decode: { value, _ in
            if case .bool(let flag) = value { flag } else { nil }
        }
    }
}

extension Int: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Int> {
        _IntentValueCoding(.int) { value, _ in
            .int(Int64(value))
        } decode: { value, _ in
            if case .int(let number) = value { Int(number) } else { nil }
        }
    }
}

extension Double: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Double> {
        _IntentValueCoding(.double) { value, _ in
            guard value.isFinite else { throw InvalidValue("is \(value), which JSON cannot express") }
            return .double(value)
        } decode: { value, _ in
            if case .double(let number) = value { number } else { nil }
        }
    }
}

/// This conformance exists because `Never` is the value type of a result without a value.
extension Never: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Never> { .none }
}
