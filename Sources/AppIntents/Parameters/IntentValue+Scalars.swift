import IntentWire

extension String: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<String> {
        _IntentValueCoding(.string) { value, _ in
            .string(value)
        } decode: { value, _ in
            guard case .string(let text) = value else { throw ValueMismatch(wants: "text", not: value) }
            return text
        }
    }
}

extension Bool: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Bool> {
        _IntentValueCoding(.bool) { value, _ in
            .bool(value)
        } decode: { value, _ in
            guard case .bool(let flag) = value else { throw ValueMismatch(wants: "true or false", not: value) }
            return flag
        }
    }
}

extension Int: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Int> {
        _IntentValueCoding(.int) { value, _ in
            .int(Int64(value))
        } decode: { value, _ in
            switch value {
            case .int(let number):
                return Int(number)
            case .double(let number):
                // JSON does not tell 3 from 3.0.
                if let whole = Int(exactly: number) { return whole }
                throw ValueMismatch("wants a whole number, not \(number)")
            case .null, .bool, .string, .array, .file:
                throw ValueMismatch(wants: "a whole number", not: value)
            }
        }
    }
}

extension Double: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Double> {
        _IntentValueCoding(.double) { value, _ in
            guard value.isFinite else { throw ValueMismatch("is \(value), which has no place in JSON") }
            return .double(value)
        } decode: { value, _ in
            switch value {
            case .int(let number): return Double(number)
            case .double(let number): return number
            case .null, .bool, .string, .array, .file: throw ValueMismatch(wants: "a number", not: value)
            }
        }
    }
}

/// The value of a result that has none.
extension Never: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Never> { .none }
}
