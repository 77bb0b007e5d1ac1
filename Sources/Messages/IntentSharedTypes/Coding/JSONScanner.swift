/// Reads JSON (RFC 8259) strictly, and finds where its values are.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The limits; nil to read any JSON, and to find a number in a payload that exceeds limits.
    let limits: PayloadShape.Limits?
    var nodes: [JSONDocument.Node] = []
    var index = 0
    var depth = 0
    private var valueCount = 1
    var foreignKeyByteCount = 0

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

    init(bytes: UnsafeBufferPointer<UInt8>, limits: PayloadShape.Limits?) {
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
    var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    var unexpected: WireError {
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

    mutating func expect(_ byte: UInt8) throws(WireError) {
        guard skip(byte) else { throw unexpected }
    }

    mutating func add(_ kind: JSONDocument.Kind, from start: Int, to end: Int) {
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
