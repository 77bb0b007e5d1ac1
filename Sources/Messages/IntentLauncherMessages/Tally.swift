/// A count for each key. A key is removed when its count becomes 0.
package struct Tally<Key: Hashable & Sendable>: Sendable {
    private var counts: [Key: Int] = [:]

    package init() {}

    package subscript(key: Key) -> Int { counts[key] ?? 0 }

    package mutating func add(_ key: Key, _ count: Int = 1) { counts[key, default: 0] += count }

    package mutating func remove(_ key: Key, _ count: Int = 1) {
        let rest = self[key] - count
        counts[key] = rest > 0 ? rest : nil
    }
}
