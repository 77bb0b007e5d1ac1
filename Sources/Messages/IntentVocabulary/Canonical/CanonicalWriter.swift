/// Writes JSON without spaces, byte for byte as ``WireCoding`` does. It does not sort keys: code that uses it writes
/// them in sorted order.
///
/// Used for the messages that are exchanged in every run. Encoding them with `Codable` would take longer than all other
/// bookkeeping for the run.
package struct CanonicalWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(256)
    }

    /// Appends a JSON literal unchanged.
    package mutating func raw(_ json: StaticString) {
        json.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends JSON bytes that ``WireCoding`` has encoded.
    package mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    // Each type has its own overload, because other modules would call a generic function unspecialised.
    package mutating func put(_ number: Int) { put(Int64(number)) }
    package mutating func put(_ number: Int32) { put(Int64(number)) }
    package mutating func put(_ number: UInt32) { put(UInt64(number)) }
    package mutating func put(_ number: UInt64) { put(magnitude: number, isNegative: false) }
    package mutating func put(_ number: Int64) { put(magnitude: number.magnitude, isNegative: number < 0) }

    private mutating func put(magnitude: UInt64, isNegative: Bool) {
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

    package mutating func put(_ flag: Bool) { flag ? raw("true") : raw("false") }

    /// - Throws: ``NotCanonical`` for infinity and NaN, which JSON cannot express.
    package mutating func put(_ number: Double) throws(NotCanonical) {
        guard number.isFinite else { throw NotCanonical() }
        let text = number.description
        bytes.append(contentsOf: text.hasSuffix(utf8: ".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    /// Writes a string, which becomes stream-safe, because readers refuse other strings.
    package mutating func put(_ text: String) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
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
        bytes.append(UInt8(ascii: "\""))
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

    // Each type has its own overload of `put`, which writes the name of a member and its value, or nothing for nil.
    package mutating func put(_ name: StaticString, _ number: Int?) { put(name, number) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ number: Int32?) { put(name, number) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ number: UInt32?) { put(name, number) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ number: UInt64?) { put(name, number) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ number: Int64?) { put(name, number) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ flag: Bool?) { put(name, flag) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ text: String?) { put(name, text) { $0.put($1) } }
    package mutating func put(_ name: StaticString, _ texts: [String]?) { put(name, texts) { $0.put($1) } }

    @inline(__always)
    private mutating func put<Value>(_ name: StaticString, _ value: Value?, _ write: (inout Self, Value) -> Void) {
        guard let value else { return }
        raw(name)
        write(&self, value)
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
}

/// The error for a message that is not in canonical form, or contains a value without a canonical form. Such a message
/// is encoded or decoded with `Codable` instead.
package struct NotCanonical: Error {
    package init() {}
}
