public import Observation

/// A value that surrounding views set: `@Environment(\.locale) var locale`.
///
/// Source: Apple's Environment page.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let read: () -> Value

    /// Creates a property with a value of the environment.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { EnvironmentValues.current[keyPath: keyPath] }
    }

    /// Creates a property with an object that a surrounding view set with `environment(_:)`.
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        read = {
            guard let value = EnvironmentValues.current.object(objectType) else {
                preconditionFailure("no view around this one sets '\(Value.self)': use environment(_:) there")
            }
            return value
        }
    }

    /// Creates a property with an object that a surrounding view may have set with `environment(_:)`.
    public init<Object: AnyObject & Observable>(_ objectType: Object.Type) where Value == Object? {
        read = { EnvironmentValues.current.object(objectType) }
    }

    /// The value.
    public var wrappedValue: Value { read() }
}

/// An object of the environment. A snippet is evaluated by one task, so that the object is never used concurrently.
// SAFETY: the main actor evaluates views, and only they read the object — _SnippetCanvas and EnvironmentValues.current.
private struct EnvironmentObjectBox: @unchecked Sendable {
    let object: AnyObject
}

extension EnvironmentValues {
    func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
        (self[object: ObjectIdentifier(type)] as? EnvironmentObjectBox)?.object as? Object
    }

    mutating func set<Object: AnyObject>(_ object: Object?, as type: Object.Type) {
        self[object: ObjectIdentifier(type)] = object.map { EnvironmentObjectBox(object: $0) }
    }
}
