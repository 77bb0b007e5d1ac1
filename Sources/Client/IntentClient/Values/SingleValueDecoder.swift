/// Decodes one scalar.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let decoder: IntentValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = decoder.value else { throw decoder.mismatch("true or false", type) }
        return flag
    }

    /// Decodes text, or the identifier of an entity.
    func decode(_ type: String.Type) throws -> String {
        switch decoder.value {
        case .string(let text): return text
        case .object(let members):
            guard case .string(let id)? = members["id"] else { throw decoder.mismatch("text", type) }
            return id
        case .null, .bool, .int, .double, .array, .file: throw decoder.mismatch("text", type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch decoder.value {
        case .double(let number): return number
        case .int(let number): return Double(number)
        case .null, .bool, .string, .array, .file, .object: throw decoder.mismatch("a number", type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: (exact: Number?, text: String)
        switch decoder.value {
        case .int(let value): number = (Number(exactly: value), "\(value)")
        case .double(let value): number = (Number(exactly: value), "\(value)")
        case .null, .bool, .string, .array, .file, .object: throw decoder.mismatch("a whole number", type)
        }
        guard let exact = number.exact else {
            throw decoder.mismatch("a whole number from \(Number.min) to \(Number.max)", type, found: number.text)
        }
        return exact
    }
}
