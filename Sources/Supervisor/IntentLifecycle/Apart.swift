/// A value that all copies of its container share, so that the container is small and quick to copy.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A large property that is seldom set. It is stored apart from its container, which needs eight bytes for it.
@propertyWrapper
struct Apart<Value: Sendable>: Sendable {
    private var shared: Shared<Value>?

    init() {}

    init(wrappedValue: Value?) { shared = wrappedValue.map(Shared.init) }

    var wrappedValue: Value? {
        get { shared?.value }
        set { shared = newValue.map(Shared.init) }
    }
}

extension Apart: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.shared === right.shared || left.wrappedValue == right.wrappedValue
    }
}

/// A dictionary with large values, which are stored apart. A dictionary has up to twice as many places as values, and a free place
/// here needs only eight bytes for its value.
struct ApartDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Each array has one value. An array is a value on the heap that is changed in place.
    private var stored: [Key: [Value]] = [:]

    subscript(key: Key) -> Value? {
        get { stored[key]?[0] }
        _modify {
            guard let index = stored.index(forKey: key) else {
                var value: Value?
                defer { if let value { stored[key] = [value] } }
                yield &value
                return
            }
            var value = stored.values[index].popLast()
            defer {
                if let value { stored.values[index].append(value) } else { stored.remove(at: index) }
            }
            yield &value
        }
    }

    typealias Index = Dictionary<Key, [Value]>.Index

    func index(forKey key: Key) -> Index? { stored.index(forKey: key) }

    /// The value at an index, which is changed in place.
    subscript(at index: Index) -> Value {
        get { stored.values[index][0] }
        _modify { yield &stored.values[index][0] }
    }

    var isEmpty: Bool { stored.isEmpty }
    var count: Int { stored.count }
    var keys: some Collection<Key> { stored.keys }
    var values: some Collection<Value> { stored.values.lazy.map { $0[0] } }

    func contains(_ key: Key) -> Bool { stored.index(forKey: key) != nil }

    mutating func removeValue(forKey key: Key) -> Value? { stored.removeValue(forKey: key)?[0] }
}
