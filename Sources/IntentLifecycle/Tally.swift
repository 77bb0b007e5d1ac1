/// A count for each key. A key is removed when its count becomes 0.
struct Tally<Key: Hashable & Sendable>: Sendable {
    private var counts: [Key: Int] = [:]

    subscript(key: Key) -> Int { counts[key] ?? 0 }

    mutating func add(_ key: Key) { counts[key, default: 0] += 1 }

    mutating func remove(_ key: Key) {
        let count = self[key] - 1
        counts[key] = count > 0 ? count : nil
    }
}
