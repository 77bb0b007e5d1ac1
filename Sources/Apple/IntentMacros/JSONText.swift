/// A JSON value. The plugin has its own parser, because a dependency would be compiled in every build of an app.
indirect enum JSONText {
    case object([String: JSONText])
    case array([JSONText])
    case string(String)
    /// A number, true, false or null, as written.
    case word(String)

    struct Malformed: Error {}

    subscript(_ name: String) -> JSONText? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var elements: [JSONText]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var number: Int? {
        if case .word(let text) = self { Int(text) } else { nil }
    }

    static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSONText {
        var parser = Parser(bytes: bytes)
        let value = try parser.value(depth: 0)
        guard parser.isAtEnd else { throw Malformed() }
        return value
    }

    /// Returns the text as a JSON string literal.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default:
                scalar.value < 0x20
                    ? "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        private static let depthLimit = 200

        mutating func value(depth: Int) throws(Malformed) -> JSONText {
            skipSpace()
            guard depth < Self.depthLimit, let first = peek else { throw Malformed() }
            switch first {
            case UInt8(ascii: "{"): return try object(depth)
            case UInt8(ascii: "["): return try array(depth)
            case UInt8(ascii: "\""): return .string(try string())
            default:
                let start = index
                while let byte = peek, !Self.ends.contains(byte) { index += 1 }
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                let isNumber = !text.isEmpty && text.utf8.allSatisfy { Self.numeric.contains($0) }
                guard isNumber || ["true", "false", "null"].contains(text) else { throw Malformed() }
                return .word(text)
            }
        }

        private static let numeric = Set("0123456789+-.eE".utf8)
        private static let ends: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D]

        private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return peek == nil
            }
        }

        private mutating func skipSpace() {
            while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
        }

        private mutating func accept(_ byte: Unicode.Scalar) -> Bool {
            skipSpace()
            guard let next = peek, Unicode.Scalar(next) == byte else { return false }
            index += 1
            return true
        }

        private mutating func object(_ depth: Int) throws(Malformed) -> JSONText {
            index += 1
            var members: [String: JSONText] = [:]
            if accept("}") { return .object(members) }
            repeat {
                skipSpace()
                guard peek == UInt8(ascii: "\"") else { throw Malformed() }
                let name = try string()
                guard accept(":") else { throw Malformed() }
                members[name] = try value(depth: depth + 1)
            } while accept(",")
            guard accept("}") else { throw Malformed() }
            return .object(members)
        }

        private mutating func array(_ depth: Int) throws(Malformed) -> JSONText {
            index += 1
            var elements: [JSONText] = []
            if accept("]") { return .array(elements) }
            repeat { elements.append(try value(depth: depth + 1)) } while accept(",")
            guard accept("]") else { throw Malformed() }
            return .array(elements)
        }

        private mutating func string() throws(Malformed) -> String {
            index += 1
            var text: [UInt8] = []
            while let byte = peek {
                index += 1
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
                default: text.append(byte)
                }
            }
            throw Malformed()
        }

        private mutating func escape() throws(Malformed) -> Unicode.Scalar {
            guard let byte = peek else { throw Malformed() }
            index += 1
            switch byte {
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "u"):
                var unit = try hexadecimal()
                if (0xD800..<0xDC00).contains(unit), index + 1 < bytes.count, bytes[index] == 0x5C,
                    bytes[index + 1] == 0x75
                {
                    index += 2
                    unit = 0x10000 + (unit - 0xD800) << 10 + (try hexadecimal() & 0x3FF)
                }
                return Unicode.Scalar(unit) ?? "\u{FFFD}"
            default: return Unicode.Scalar(byte)
            }
        }

        private mutating func hexadecimal() throws(Malformed) -> UInt32 {
            guard index + 4 <= bytes.count,
                let number = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
            else { throw Malformed() }
            index += 4
            return number
        }
    }
}
