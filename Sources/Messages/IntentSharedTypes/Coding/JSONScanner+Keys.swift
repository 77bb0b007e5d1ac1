/// Keys of objects.
extension JSONScanner {
    /// A key of an object. Keys are compared by canonical equivalence, as Swift's dictionaries do. They are stream-safe, so
    /// this takes a time that is proportional to their length. The hash of a key is computed only once.
    struct Key: Hashable {
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
    struct Keys {
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

    mutating func accept(
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
