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
