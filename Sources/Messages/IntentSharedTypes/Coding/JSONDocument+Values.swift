import FoundationEssentials

extension JSONDocument {
    /// Returns the value of a node.
    func value<Value: Decodable>(_ type: Value.Type, at node: Int) throws -> Value {
        if type == String.self { return same(try string(at: node)) }
        if type == Bool.self { return same(try flag(at: node)) }
        if type == Int.self { return same(try integer(at: node) as Int) }
        if type == Int64.self { return same(try integer(at: node) as Int64) }
        if type == UInt64.self { return same(try integer(at: node) as UInt64) }
        if type == Int32.self { return same(try integer(at: node) as Int32) }
        if type == UInt32.self { return same(try integer(at: node) as UInt32) }
        if type == Double.self { return same(try double(at: node)) }
        if type == IntentValue.self { return same(try intentValue(at: node)) }
        if type == [String: IntentValue].self { return same(try intentValues(at: node)) }
        if type == Decimal.self { return same(try decimal(at: node)) }
        return try Value(from: MessageDecoder(document: self, node: node))
    }

    @inline(__always)
    private func same<Actual, Value>(_ value: Actual) -> Value {
        guard let value = value as? Value else { preconditionFailure("the types have been compared") }
        return value
    }

    func string(at node: Int) throws -> String {
        switch kind(node) {
        case .ascii, .text, .escapedText: return text(of: node)
        default: throw DecodingProblem(kind: .wrongType, node: node)
        }
    }

    func flag(at node: Int) throws -> Bool {
        switch kind(node) {
        case .true: return true
        case .false: return false
        default: throw DecodingProblem(kind: .wrongType, node: node)
        }
    }

    func integer<Number: FixedWidthInteger>(at node: Int) throws -> Number {
        switch kind(node) {
        case .integer:
            if let number = smallInteger(at: node).flatMap({ Number(exactly: $0) }) ?? Number(digits(of: node)) {
                return number
            }
        // A fraction or an exponent: `1.0` and `1e2` are whole numbers.
        case .number: if let number = try? Number(decimal(at: node).description) { return number }
        default: throw DecodingProblem(kind: .wrongType, node: node)
        }
        throw DecodingProblem(kind: .outOfRange, node: node)
    }

    /// Returns a whole number of at most 18 digits; nil for a longer one.
    private func smallInteger(at node: Int) -> Int64? {
        let end = Int(nodes[node].end)
        var index = Int(nodes[node].start)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard end - index <= 18 else { return nil }
        var number: Int64 = 0
        while index < end {
            number = number * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return isNegative ? -number : number
    }

    func double(at node: Int) throws -> Double {
        guard kind(node) == .integer || kind(node) == .number else {
            throw DecodingProblem(kind: .wrongType, node: node)
        }
        guard let number = Double(digits(of: node)), number.isFinite else {
            throw DecodingProblem(kind: .outOfRange, node: node)
        }
        return number
    }

    func decimal(at node: Int) throws -> Decimal {
        guard kind(node) == .integer || kind(node) == .number else {
            throw DecodingProblem(kind: .wrongType, node: node)
        }
        guard let number = Decimal(string: digits(of: node)) else {
            throw DecodingProblem(kind: .outOfRange, node: node)
        }
        return number
    }

    /// Returns a value that contains no others; nil for a list or an object.
    func scalar(at node: Int) throws -> IntentValue? {
        switch kind(node) {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .ascii, .text, .escapedText: return .string(text(of: node))
        case .integer:
            if let number = smallInteger(at: node) ?? Int64(digits(of: node)) { return .int(number) }
            fallthrough
        case .number:
            let number = try double(at: node)
            // Double may have rounded the digits of a whole number that Int64 keeps.
            if number.rounded() == number, let whole = try? integer(at: node) as Int64 { return .int(whole) }
            return .double(try IntentValue.exact(number, try? decimal(at: node), at: document(node).codingPath))
        case .array, .object: return nil
        }
    }

    func intentValue(at node: Int) throws -> IntentValue {
        if let scalar = try scalar(at: node) { return scalar }
        guard kind(node) == .object else {
            var values: [IntentValue] = []
            var element = node + 1
            while element < end(of: node) {
                values.append(try intentValue(at: element))
                element = end(of: element)
            }
            return .array(values)
        }
        if let object = member("object", of: node) { return .object(try intentValues(at: object)) }
        guard let file = member("file", of: node) else {
            throw DecodingProblem(kind: .missing("file"), node: node)
        }
        return .file(try FileReference(from: document(file)))
    }

    func document(_ node: Int) -> MessageDecoder { MessageDecoder(document: self, node: node) }

    func intentValues(at node: Int) throws -> [String: IntentValue] {
        guard kind(node) == .object else { throw DecodingProblem(kind: .wrongType, node: node) }
        var values: [String: IntentValue] = [:]
        var key = node + 1
        while key < end(of: node) {
            values[text(of: key)] = try intentValue(at: key + 1)
            key = end(of: key + 1)
        }
        return values
    }
}
