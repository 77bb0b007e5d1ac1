/// Reads JSON (RFC 8259) strictly, and finds where its values are.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The limits; nil to read any JSON, and to find a number in a payload that exceeds limits.
    private let limits: PayloadShape.Limits?
    private var nodes: [JSONDocument.Node] = []
    private var index = 0
    private var depth = 0
    private var valueCount = 1
    private var foreignKeyByteCount = 0

    /// Returns the values of a payload.
    ///
    /// - Throws: ``WireError/malformed(_:)`` with the first problem.
    static func document(_ payload: [UInt8], _ limits: PayloadShape.Limits?) throws(WireError) -> JSONDocument {
        guard (try? UTF8Span(validating: payload.span)) != nil else {
            throw .malformed("expected JSON in UTF-8 (RFC 8259)")
        }
        let nodes = try payload.withUnsafeBufferPointer { bytes throws(WireError) in
            var scanner = JSONScanner(bytes: bytes, limits: limits)
            try scanner.scan()
            return scanner.nodes
        }
        return JSONDocument(payload, nodes)
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: PayloadShape.Limits?) {
        self.bytes = bytes
        self.limits = limits
        nodes.reserveCapacity(min(bytes.count / 8 + 4, 256))
    }

    private mutating func scan() throws(WireError) {
        guard bytes.count < UInt32.max else { throw .malformed("expected at most 4 GiB") }
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
        while index < bytes.count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
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

    private mutating func add(_ kind: JSONDocument.Kind, from start: Int, to end: Int) {
        let next = UInt32(truncatingIfNeeded: nodes.count + 1)
        nodes.append(
            JSONDocument.Node(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: next
            )
        )
    }

    private mutating func value() throws(WireError) {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): try text()
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try list()
        case UInt8(ascii: "t"): try word("true", .true)
        case UInt8(ascii: "f"): try word("false", .false)
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONDocument.Kind) throws(WireError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
        add(kind, from: start, to: index)
    }

    /// Begins a list or an object, and returns the index of its node.
    private mutating func enter(_ kind: JSONDocument.Kind) throws(WireError) -> Int {
        add(kind, from: index, to: index)
        index += 1
        depth += 1
        let limit = limits?.depth ?? PayloadShape.depthLimit
        if depth > limit { throw .malformed("expected at most \(limit) levels of nesting") }
        try count()
        skipSpace()
        return nodes.count - 1
    }

    private mutating func leave(_ node: Int) {
        nodes[node].end = UInt32(truncatingIfNeeded: index)
        nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
        depth -= 1
    }

    private mutating func count() throws(WireError) {
        valueCount += 1
        if let limits, valueCount > limits.values { throw .malformed("expected at most \(limits.values) values") }
    }

    private mutating func list() throws(WireError) {
        let node = try enter(.array)
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
        leave(node)
    }

    private mutating func object() throws(WireError) {
        let node = try enter(.object)
        if !skip(UInt8(ascii: "}")) {
            var keys = Keys(first: node + 1)
            try member(&keys)
            while skip(UInt8(ascii: ",")) {
                try count()
                try member(&keys)
            }
            try expect(UInt8(ascii: "}"))
        }
        leave(node)
    }

    private mutating func member(_ keys: inout Keys) throws(WireError) {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw unexpected }
        try text()
        if let limits { try accept(nodes.count - 1, &keys, limits) }
        skipSpace()
        try expect(UInt8(ascii: ":"))
        try value()
        skipSpace()
    }

    private mutating func number() throws(WireError) {
        let start = index
        var kind = JSONDocument.Kind.integer
        _ = skip(UInt8(ascii: "-"))
        // JSON forbids leading zeros in numbers.
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) {
            kind = .number
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            kind = .number
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        add(kind, from: start, to: index)
    }

    /// Scans at least one digit.
    private mutating func digits() throws(WireError) {
        let begin = index
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index += 1 }
        guard index > begin else { throw unexpected }
    }
}

// MARK: Strings

extension JSONScanner {
    private mutating func text() throws(WireError) {
        index += 1
        let start = index
        var kind = JSONDocument.Kind.ascii
        var marks = StreamSafeText.Scan()
        while true {
            let begin = index
            if plainBytes() {
                if index > begin { marks = StreamSafeText.Scan() }
            } else {
                if kind == .ascii { kind = .text }
                try check(marks.accept(UnsafeBufferPointer(rebasing: bytes[begin..<index])), start)
            }
            switch next {
            case UInt8(ascii: "\""):
                add(kind, from: start, to: index)
                index += 1
                return
            case UInt8(ascii: "\\"):
                kind = .escapedText
                try check(marks.accept(try escape()), start)
            case _ where index == bytes.count:
                throw unexpected
            default:
                throw .malformed("a string has a control character at byte \(index): write it as \\u and four digits")
            }
        }
    }

    /// Advances past the bytes that stand for themselves in a string, and returns whether all are ASCII.
    private mutating func plainBytes() -> Bool {
        var bits: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            bits |= byte
            index += 1
        }
        return bits < 0x80
    }

    private func check(_ isStreamSafe: Bool, _ start: Int) throws(WireError) {
        guard isStreamSafe || limits == nil else {
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
        if let scalar = Self.scalar(escapedAs: kind) {
            index += 1
            return scalar
        }
        try expect(UInt8(ascii: "u"))
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
    }

    /// Returns the scalar for which a letter stands after a backslash; nil for `u` and for any other letter.
    private static func scalar(escapedAs letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{08}"
        case UInt8(ascii: "f"): "\u{0C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

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

    /// Returns the content of a string that has been scanned.
    static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var scanner = JSONScanner(bytes: text, limits: nil)
        var content: [UInt8] = []
        while scanner.index < text.count {
            let begin = scanner.index
            _ = scanner.plainBytes()
            content.append(contentsOf: text[begin..<scanner.index])
            guard scanner.index < text.count else { break }
            guard let scalar = try? scanner.escape() else { preconditionFailure("the string has been scanned") }
            content.append(contentsOf: scalar.utf8)
        }
        return content
    }
}

// MARK: Keys

extension JSONScanner {
    /// A key of an object. Keys are compared by canonical equivalence, as Swift's dictionaries do. They are stream-safe, so
    /// this takes a time that is proportional to their length. The hash of a key is computed only once.
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

    /// The keys of an object that is still open.
    private struct Keys {
        /// The number of keys that are compared with each other. The keys of a larger object are hashed.
        static let comparedLimit = 24

        /// The node of the first key.
        let first: Int
        var count = 0
        /// All keys of the object, if it is large or has a key that is not plain ASCII.
        var hashed: Set<Key>?

        init(first: Int) {
            self.first = first
        }
    }

    private mutating func accept(
        _ node: Int,
        _ keys: inout Keys,
        _ limits: PayloadShape.Limits
    ) throws(WireError) {
        let kind = nodes[node].kind
        if kind != .ascii || nodes[node].end - nodes[node].start > limits.keyBytes {
            try check(name(node), limits)
        }
        keys.count += 1
        if kind == .ascii, keys.hashed == nil, keys.count <= Keys.comparedLimit {
            var other = keys.first
            while other < node {
                if isEqual(other, node) { throw duplicate(node) }
                other = Int(nodes[other + 1].next)
            }
            return
        }
        if keys.hashed == nil {
            keys.hashed = []
            var other = keys.first
            while other < node {
                keys.hashed?.insert(Key(name(other)))
                other = Int(nodes[other + 1].next)
            }
        }
        if keys.hashed?.insert(Key(name(node))).inserted == false { throw duplicate(node) }
    }

    private func isEqual(_ one: Int, _ other: Int) -> Bool {
        let (one, other) = (nodes[one], nodes[other])
        let count = one.end - one.start
        guard count == other.end - other.start else { return false }
        for offset in 0..<Int(count) where bytes[Int(one.start) + offset] != bytes[Int(other.start) + offset] {
            return false
        }
        return true
    }

    private func name(_ node: Int) -> String {
        let range = Int(nodes[node].start)..<Int(nodes[node].end)
        let content = UnsafeBufferPointer(rebasing: bytes[range])
        return nodes[node].kind == .escapedText ? String(foreign: Self.unescaped(content)) : String(foreign: content)
    }

    private func duplicate(_ node: Int) -> WireError {
        .malformed("an object has the key '\(WireCoding.excerpt(name(node)))' twice")
    }

    /// Checks a key that is long, not ASCII or escaped.
    private mutating func check(_ key: String, _ limits: PayloadShape.Limits) throws(WireError) {
        let excerpt = WireCoding.excerpt(key)
        guard key.utf8.count <= limits.keyBytes else {
            throw .malformed("expected keys of at most \(limits.keyBytes) bytes, got '\(excerpt)'")
        }
        guard !key.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        guard depth > 1 || limits.content == .value else {
            throw .malformed("expected fields with names in ASCII, got '\(excerpt)'")
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
}
