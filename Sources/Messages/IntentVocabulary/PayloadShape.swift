/// Checks a payload before it is decoded: it must be strict JSON (RFC 8259) and must not exceed the limits on
/// structure.
///
/// JSON decoders differ in strictness and in the handling of duplicate keys, so two programs could interpret the
/// same message differently. In addition, decoding time grows with the number of values and with their depth. A byte
/// limit alone is not enough, because a small payload could block `intentd` for seconds.
package enum PayloadShape {
    /// The maximum nesting depth of objects and arrays. A list of apps, which contains the types of their parameters,
    /// needs up to 12 levels.
    package static let depthLimit = 16
    /// The maximum number of values in one message from an untrusted peer: a client or an app.
    package static let untrustedValueLimit = 16_384
    /// The maximum number of bytes in an object's key: the name of a field, a parameter or a property.
    package static let keyByteLimit = 1024
    /// The maximum number of bytes in all keys of one message from an untrusted peer that are not ASCII. Swift normalizes
    /// such a key each time it hashes it, and a decoder hashes each key several times.
    package static let foreignKeyByteLimit = 32 << 10

    /// What the outermost object of a payload is.
    package enum Content {
        /// A message. Its keys are the names of fields, which are ASCII.
        case message
        /// A value with keys of a user or an app.
        case value
    }

    /// Checks that a payload is JSON within the limits.
    ///
    /// - Parameter valueLimit: The maximum number of values; `Int.max` for a message of a program of this package. The number
    ///   of bytes in its keys is then unlimited too.
    /// - Throws: ``WireError/malformed(_:)`` if the payload is not JSON, an object contains a key twice, a string is not
    ///   stream-safe (``StreamSafeText``), a field of a message has a name that is not ASCII, or the payload exceeds the
    ///   limits.
    package static func check(_ payload: [UInt8], as content: Content, valueLimit: Int) throws(WireError) {
        let isTrusted = valueLimit == .max
        let limits = Limits(
            content: content,
            values: valueLimit,
            foreignKeyBytes: isTrusted ? .max : foreignKeyByteLimit
        )
        try check(payload, limits)
    }

    /// Checks that a file is JSON in which no object contains a key twice and each string is stream-safe. A file may have
    /// any number of values and keys of any length, and as many levels as `JSONDecoder` permits.
    ///
    /// - Throws: ``WireError/malformed(_:)`` with the first problem.
    package static func checkFile(_ bytes: [UInt8]) throws(WireError) {
        try check(bytes, Limits(depth: 512, keyBytes: .max - 1))
    }

    private static func check(_ payload: [UInt8], _ limits: Limits) throws(WireError) {
        guard (try? UTF8Span(validating: payload.span)) != nil else {
            throw .malformed("expected JSON in UTF-8 (RFC 8259)")
        }
        var reader = Reader(bytes: payload, limits: limits)
        try reader.check()
    }

    /// Returns the number with this key in the payload's object, even if the payload exceeds a limit on keys, strings or
    /// values; nil if the payload is not JSON or does not have exactly one such number.
    ///
    /// The error about a payload can then name the request.
    package static func number(named key: String, in payload: [UInt8]) -> UInt64? {
        var reader = Reader(bytes: payload, numberKey: key)
        do { try reader.check() } catch { return nil }
        return reader.numbers.count == 1 ? reader.numbers[0] : nil
    }

    private struct Limits {
        var content = Content.value
        var depth = PayloadShape.depthLimit
        var values = Int.max
        var keyBytes = PayloadShape.keyByteLimit
        var foreignKeyBytes = Int.max
    }

    /// A key of an object. Keys are compared by canonical equivalence, as the decoder does. They are stream-safe, so this
    /// takes a time that is proportional to their length. The hash of a key is computed only once.
    private struct Key: Hashable {
        let text: String
        let hash: Int

        init(_ text: String) {
            self.text = text
            hash = text.hashValue
        }

        static func == (one: Key, other: Key) -> Bool { one.hash == other.hash && one.text == other.text }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// Scans JSON. Stores only the keys of the objects that are still open.
    private struct Reader {
        let bytes: [UInt8]
        let limits: Limits
        /// The key of the numbers to find; nil to check the limits.
        private let numberKey: String?
        /// The values with that key in the outermost object.
        private(set) var numbers: [UInt64?] = []
        private var index = 0
        private var depth = 0
        private var valueCount = 1
        private var foreignKeyByteCount = 0

        init(bytes: [UInt8], limits: Limits = Limits(), numberKey: String? = nil) {
            self.bytes = bytes
            self.limits = limits
            self.numberKey = numberKey
        }

        mutating func check() throws(WireError) {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                throw .malformed("expected JSON without a byte order mark (RFC 8259)")
            }
            try value()
            skipSpace()
            guard index == bytes.count else { throw unexpected }
        }

        /// The next byte; 0 at the end of the payload. Byte 0 never occurs in valid JSON.
        private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

        private var unexpected: WireError {
            let problem = index < bytes.count ? "unexpected byte at offset \(index)" : "unexpected end"
            return .malformed("not JSON (RFC 8259): \(problem)")
        }

        private mutating func skipSpace() {
            while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
                // Vertical tabs and form feeds are not white space in JSON.
                if bytes[index] == 0x0B || bytes[index] == 0x0C { return }
                index += 1
            }
        }

        private mutating func skip(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            index += 1
            return true
        }

        private mutating func expect(_ byte: UInt8) throws(WireError) {
            guard skip(byte) else { throw unexpected }
        }

        private mutating func value() throws(WireError) {
            skipSpace()
            switch next {
            case UInt8(ascii: "\""): _ = try text(isKept: false)
            case UInt8(ascii: "{"): try object()
            case UInt8(ascii: "["): try list()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            default: try number()
            }
        }

        private mutating func word(_ word: StaticString) throws(WireError) {
            for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
        }

        private mutating func enter() throws(WireError) {
            index += 1
            depth += 1
            if depth > limits.depth { throw .malformed("expected at most \(limits.depth) levels of nesting") }
            try count()
            skipSpace()
        }

        private mutating func count() throws(WireError) {
            valueCount += 1
            if valueCount > limits.values { throw .malformed("expected at most \(limits.values) values") }
        }

        private mutating func list() throws(WireError) {
            try enter()
            if !skip(UInt8(ascii: "]")) {
                try value()
                skipSpace()
                while skip(UInt8(ascii: ",")) {
                    try count()
                    try value()
                    skipSpace()
                }
                try expect(UInt8(ascii: "]"))
            }
            depth -= 1
        }

        private mutating func object() throws(WireError) {
            try enter()
            if !skip(UInt8(ascii: "}")) {
                var keys: Set<Key> = []
                try member(&keys)
                while skip(UInt8(ascii: ",")) {
                    try count()
                    try member(&keys)
                }
                try expect(UInt8(ascii: "}"))
            }
            depth -= 1
        }

        private mutating func member(_ keys: inout Set<Key>) throws(WireError) {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected }
            let key = try text(isKept: numberKey == nil || depth == 1)
            if numberKey == nil { try accept(key, &keys) }
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            let start = index
            try value()
            if let numberKey, depth == 1, key.utf8.elementsEqual(numberKey.utf8) {
                numbers.append(UInt64(String(foreign: bytes[start..<index])))
            }
            skipSpace()
        }

        private mutating func accept(_ key: String, _ keys: inout Set<Key>) throws(WireError) {
            guard key.utf8.count <= limits.keyBytes else {
                let excerpt = WireCoding.excerpt(key)
                throw .malformed("expected keys of at most \(limits.keyBytes) bytes, got '\(excerpt)'")
            }
            if !key.utf8.allSatisfy({ $0 < 0x80 }) { try acceptForeign(key) }
            guard keys.insert(Key(key)).inserted else {
                throw .malformed("an object has the key '\(WireCoding.excerpt(key))' twice")
            }
        }

        /// Checks a key that is not ASCII.
        private mutating func acceptForeign(_ key: String) throws(WireError) {
            guard depth > 1 || limits.content == .value else {
                throw .malformed("expected fields with names in ASCII, got '\(WireCoding.excerpt(key))'")
            }
            foreignKeyByteCount += key.utf8.count
            guard foreignKeyByteCount <= limits.foreignKeyBytes else {
                throw .malformed(
                    """
                    expected at most \(limits.foreignKeyBytes) bytes in all names that are not ASCII: send fewer values in a \
                    message, or shorter names
                    """
                )
            }
        }

        /// Scans a string. Returns its content if `isKept` is true; for a string that is longer than a key may be, at least
        /// one byte more than that.
        private mutating func text(isKept: Bool) throws(WireError) -> String {
            index += 1
            let start = index
            var kept: [UInt8] = []
            var marks = StreamSafeText.Scan()
            while true {
                let plain = plainBytes()
                // A number is found in a payload that is not stream-safe, too.
                let isSafe =
                    numberKey != nil
                    || bytes.withUnsafeBufferPointer { marks.accept(UnsafeBufferPointer(rebasing: $0[plain])) }
                try check(isSafe, start)
                if isKept, kept.count <= limits.keyBytes {
                    kept.append(contentsOf: bytes[plain].prefix(limits.keyBytes + 1))
                }
                switch next {
                case UInt8(ascii: "\""):
                    index += 1
                    return isKept ? String(foreign: kept) : ""
                case UInt8(ascii: "\\"):
                    let scalar = try escape()
                    try check(numberKey != nil || marks.accept(scalar), start)
                    if isKept, kept.count <= limits.keyBytes { kept.append(contentsOf: scalar.utf8) }
                case _ where index == bytes.count:
                    throw unexpected
                default:
                    throw .malformed(
                        "a string has a control character at byte \(index): write it as \\u and four digits"
                    )
                }
            }
        }

        /// Advances past the bytes that stand for themselves in a string, and returns their range.
        private mutating func plainBytes() -> Range<Int> {
            let begin = index
            index = bytes.withUnsafeBufferPointer { bytes in
                var index = begin
                while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                    bytes[index] != UInt8(ascii: "\\")
                { index += 1 }
                return index
            }
            return begin..<index
        }

        private func check(_ isStreamSafe: Bool, _ start: Int) throws(WireError) {
            guard isStreamSafe else {
                throw .malformed(
                    """
                    the string at byte \(start) has more than \(StreamSafeText.markLimit) combining marks in a row (UAX #15, \
                    section 13)
                    """
                )
            }
        }

        private mutating func escape() throws(WireError) -> Unicode.Scalar {
            index += 1
            let kind = next
            switch kind {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                index += 1
                return Unicode.Scalar(kind)
            case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                index += 1
                guard let scalar = Self.controls[kind] else {
                    preconditionFailure("the escape has no control character")
                }
                return scalar
            case UInt8(ascii: "u"):
                index += 1
                let first = try fourDigits()
                guard (0xD800..<0xDC00).contains(first) else {
                    guard let scalar = Unicode.Scalar(first) else { throw unexpected }
                    return scalar
                }
                try expect(UInt8(ascii: "\\"))
                try expect(UInt8(ascii: "u"))
                let second = try fourDigits()
                guard (0xDC00..<0xE000).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                else { throw unexpected }
                return scalar
            default: throw unexpected
            }
        }

        private static let controls: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "b"): "\u{08}", UInt8(ascii: "f"): "\u{0C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r",
            UInt8(ascii: "t"): "\t",
        ]

        private mutating func fourDigits() throws(WireError) -> UInt32 {
            var number: UInt32 = 0
            for _ in 0..<4 {
                let zero: UInt8
                switch next {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): zero = UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): zero = UInt8(ascii: "a") - 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): zero = UInt8(ascii: "A") - 10
                default: throw unexpected
                }
                number = number << 4 | UInt32(next - zero)
                index += 1
            }
            return number
        }

        private mutating func number() throws(WireError) {
            _ = skip(UInt8(ascii: "-"))
            // JSON forbids leading zeros in numbers.
            if !skip(UInt8(ascii: "0")) { try digits() }
            if skip(UInt8(ascii: ".")) { try digits() }
            if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
                if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
                try digits()
            }
        }

        /// Scans at least one digit.
        private mutating func digits() throws(WireError) {
            let begin = index
            while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index += 1 }
            guard index > begin else { throw unexpected }
        }
    }
}
