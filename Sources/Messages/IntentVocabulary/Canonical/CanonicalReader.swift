/// Reads JSON in exactly the form that ``CanonicalWriter`` writes.
///
/// `Codable` would decode every message that this reader accepts to the same value. A message that the reader refuses
/// can still be valid.
package struct CanonicalReader {
    /// The maximum depth of nested lists. A message with deeper lists is decoded with `Codable`.
    private static let depthLimit = 4
    /// The maximum number of values in one message. A message with more values is decoded with `Codable`.
    private static let valueLimit = 1024

    private let bytes: [UInt8]
    private var index = 0
    private var valueCount = 0
    private var foreignKeyByteCount = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { index == bytes.count }

    /// Advances past `json` if the remaining input starts with it, and returns whether it did.
    package mutating func skip(_ json: StaticString) -> Bool {
        let isNext = json.withUTF8Buffer { json in
            guard bytes.count - index >= json.count else { return false }
            for offset in 0..<json.count where bytes[index + offset] != json[offset] { return false }
            return true
        }
        if isNext { index += json.utf8CodeUnitCount }
        return isNext
    }

    package mutating func expect(_ json: StaticString) throws(NotCanonical) {
        guard skip(json) else { throw NotCanonical() }
    }

    /// Reads a whole number of at most 18 digits.
    package mutating func integer() throws(NotCanonical) -> Int64 {
        let isNegative = skip("-")
        let start = index
        var number: Int64 = 0
        while index < bytes.count, Self.digits.contains(bytes[index]) {
            guard index - start < 18 else { throw NotCanonical() }
            number = number * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        let count = index - start
        guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0"), !(isNegative && number == 0) else {
            throw NotCanonical()
        }
        // A number with a fraction or an exponent is not in canonical form.
        guard index == bytes.count || !Self.fractionStarts.contains(bytes[index]) else { throw NotCanonical() }
        return isNegative ? -number : number
    }

    // Each type has its own overload, because other modules would call a generic function unspecialised.
    package mutating func number(_: Int.Type = Int.self) throws(NotCanonical) -> Int {
        try exactly(Int.init(exactly:))
    }
    package mutating func number(_: Int32.Type = Int32.self) throws(NotCanonical) -> Int32 {
        try exactly(Int32.init(exactly:))
    }
    package mutating func number(_: UInt32.Type = UInt32.self) throws(NotCanonical) -> UInt32 {
        try exactly(UInt32.init(exactly:))
    }
    package mutating func number(_: UInt64.Type = UInt64.self) throws(NotCanonical) -> UInt64 {
        try exactly(UInt64.init(exactly:))
    }

    @inline(__always)
    private mutating func exactly<Number>(_ make: (Int64) -> Number?) throws(NotCanonical) -> Number {
        guard let number = make(try integer()) else { throw NotCanonical() }
        return number
    }

    /// Reads a number that consists of digits and at most one decimal point.
    package mutating func fraction() throws(NotCanonical) -> Double {
        let start = index
        while index < bytes.count, Self.digits.contains(bytes[index]) { index += 1 }
        let wholeCount = index - start
        guard wholeCount > 0, wholeCount == 1 || bytes[start] != UInt8(ascii: "0") else { throw NotCanonical() }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            let point = index
            index += 1
            while index < bytes.count, Self.digits.contains(bytes[index]) { index += 1 }
            guard index > point + 1 else { throw NotCanonical() }
        }
        guard index == bytes.count || !Self.fractionStarts.contains(bytes[index]), index - start <= 32,
            let number = Double(asciiText(start..<index))
        else { throw NotCanonical() }
        return number
    }

    package mutating func flag() throws(NotCanonical) -> Bool {
        if skip("true") { return true }
        try expect("false")
        return false
    }

    /// Reads a string without escapes. ``PayloadShape`` refuses a string that is not stream-safe, with the reason.
    package mutating func string() throws(NotCanonical) -> String {
        try expect("\"")
        let start = index
        var allBits: UInt8 = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\\") else { throw NotCanonical() }
            allBits |= bytes[index]
            index += 1
        }
        let text = allBits < 0x80 ? asciiText(start..<index) : String(validForeign: bytes[start..<index])
        guard let text else { throw NotCanonical() }
        try expect("\"")
        return text
    }

    /// Creates a string from ASCII bytes without the general UTF-8 validation, which takes longer than all other steps
    /// of reading a short string.
    private func asciiText(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            bytes.withUnsafeBufferPointer { text.initialize(fromContentsOf: $0[range]) }
        }
    }

    package mutating func word<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws(NotCanonical) -> Word {
        guard let word = Word(rawValue: try string()) else { throw NotCanonical() }
        return word
    }

    package mutating func list<Element>(
        _ element: (inout CanonicalReader) throws(NotCanonical) -> Element
    ) throws(NotCanonical) -> [Element] {
        try expect("[")
        var elements: [Element] = []
        if skip("]") { return elements }
        repeat {
            try count()
            elements.append(try element(&self))
        } while skip(",")
        try expect("]")
        return elements
    }

    package mutating func value(depth: Int = 0) throws(NotCanonical) -> IntentValue {
        try count()
        guard index < bytes.count, depth <= Self.depthLimit else { throw NotCanonical() }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try flag())
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        case UInt8(ascii: "["):
            return .array(
                try list { (reader: inout CanonicalReader) throws(NotCanonical) in try reader.value(depth: depth + 1) }
            )
        default: return .int(try integer())
        }
    }

    package mutating func values() throws(NotCanonical) -> [String: IntentValue] {
        try expect("{")
        var values: [String: IntentValue] = [:]
        if skip("}") { return values }
        repeat {
            let name = try string()
            if !name.utf8.allSatisfy({ $0 < 0x80 }) { foreignKeyByteCount += name.utf8.count }
            guard foreignKeyByteCount <= PayloadShape.foreignKeyByteLimit else { throw NotCanonical() }
            try expect(":")
            // ``PayloadShape`` refuses an object that contains a name twice, and its error contains the name.
            guard values.updateValue(try value(), forKey: name) == nil else { throw NotCanonical() }
        } while skip(",")
        try expect("}")
        return values
    }

    private mutating func count() throws(NotCanonical) {
        valueCount += 1
        guard valueCount <= Self.valueLimit else { throw NotCanonical() }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let fractionStarts: Set<UInt8> = [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")]
}
