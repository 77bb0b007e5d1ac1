/// Writes JSON without spaces.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(256)
    }

    package mutating func raw(_ json: StaticString) { json.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Appends JSON that ``WireCoding`` has encoded.
    package mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    // Each type has its own overload, because other modules would call a generic function unspecialised.
    package mutating func put(_ number: Int64) { put(number.magnitude, isNegative: number < 0) }
    package mutating func put(_ number: UInt64) { put(number, isNegative: false) }

    private mutating func put(_ magnitude: UInt64, isNegative: Bool) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var rest = magnitude
        withUnsafeMutableBytes(of: &digits) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if isNegative {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: digits[start...])
        }
    }

    package mutating func put(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes a number. JSON cannot express infinity and NaN, which an app can return: they become strings.
    package mutating func put(_ number: Double) {
        guard number.isFinite else { return put(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf") }
        let text = number.description
        bytes.append(contentsOf: text.hasSuffix(utf8: ".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    /// Writes a string, which becomes stream-safe, because readers refuse other strings.
    package mutating func put(_ text: String) {
        let start = bytes.count
        raw("\"")
        var text = text
        let isASCII = text.withUTF8 { utf8 in
            var begin = 0
            var allBits: UInt8 = 0
            for (index, byte) in utf8.enumerated() {
                allBits |= byte
                guard Self.isEscaped(byte) else { continue }
                bytes.append(contentsOf: utf8[begin..<index])
                escape(byte)
                begin = index + 1
            }
            bytes.append(contentsOf: utf8[begin...])
            return allBits < 0x80
        }
        raw("\"")
        if !isASCII, !StreamSafeText.isStreamSafe(text) {
            bytes.removeLast(bytes.count - start)
            put(StreamSafeText.stabilize(text))
        }
    }

    package mutating func put(_ texts: [String]) {
        raw("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { raw(",") }
            put(text)
        }
        raw("]")
    }

    package mutating func put(_ value: IntentValue) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): put(flag)
        case .int(let number): put(number)
        case .double(let number): put(number)
        case .string(let text): put(text)
        case .array(let values):
            raw("[")
            for (index, value) in values.enumerated() {
                if index > 0 { raw(",") }
                put(value)
            }
            raw("]")
        case .file(let file):
            raw(#"{"file":"#)
            raw(WireCoding.encode(file))
            raw("}")
        case .object(let members):
            raw(#"{"object":"#)
            put(members)
            raw("}")
        }
    }

    package mutating func put(_ values: [String: IntentValue]) {
        raw("{")
        var isFirst = true
        // Sort by UTF-8, as all keys are sorted. String's `<` compares characters instead.
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if !isFirst { raw(",") }
            isFirst = false
            put(name)
            raw(":")
            put(value)
        }
        raw("}")
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw(#"\""#)
        case UInt8(ascii: "\\"): raw(#"\\"#)
        case 0x08: raw(#"\b"#)
        case 0x09: raw(#"\t"#)
        case 0x0a: raw(#"\n"#)
        case 0x0c: raw(#"\f"#)
        case 0x0d: raw(#"\r"#)
        default:
            raw(#"\u00"#)
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }

    /// Puts the members of an object, which are the last bytes, into another order. They are separated by commas.
    mutating func reorder(_ members: some Sequence<Range<Int>>, from start: Int) {
        let unordered = Array(bytes[start...])
        bytes.removeLast(unordered.count)
        var isFirst = true
        for member in members {
            if !isFirst { raw(",") }
            isFirst = false
            bytes.append(contentsOf: unordered[member.lowerBound - start..<member.upperBound - start])
        }
    }
}
