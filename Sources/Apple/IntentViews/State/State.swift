/// A property that keeps its value while its view exists. Linux evaluates a view only once, with the initial value.
///
/// Source: Apple's State page.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    private final class Box {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let box: Box

    /// Creates a state with its initial value.
    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// Creates a state with its initial value.
    public init(initialValue: Value) {
        box = Box(initialValue)
    }

    /// The current value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    /// A binding to the value: `$isOn`.
    public var projectedValue: Binding<Value> {
        let box = box
        return Binding(get: { box.value }, set: { box.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates a state with the value nil.
    public init() {
        self.init(wrappedValue: nil)
    }
}

/// A property wrapper that a view can use.
///
/// Source: Apple's DynamicProperty page.
public protocol DynamicProperty {}

/// A reference to a value that another property stores.
///
/// Source: Apple's Binding page.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// Creates a binding from closures that read and write the value.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    /// Creates a binding from another binding.
    public init(projectedValue: Binding<Value>) {
        self = projectedValue
    }

    /// The value to which the binding refers.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself: `$isOn`.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a member of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            get: { wrappedValue[keyPath: keyPath] },
            set: { wrappedValue[keyPath: keyPath] = $0 }
        )
    }

    /// Returns a binding to a constant value. Assignments have no effect.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }
}

/// A property wrapper that creates bindings to the members of an object.
///
/// Source: Apple's Bindable page.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    /// The object.
    public var wrappedValue: Value

    /// Creates bindings to the members of an object.
    public init(wrappedValue: Value) where Value: AnyObject {
        self.wrappedValue = wrappedValue
    }

    /// Creates bindings to the members of an object.
    public init(_ wrappedValue: Value) where Value: AnyObject {
        self.wrappedValue = wrappedValue
    }

    /// The wrapper itself: `$model`.
    public var projectedValue: Bindable<Value> { self }

    /// A binding to a member of the object.
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject>
    where Value: AnyObject {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}
