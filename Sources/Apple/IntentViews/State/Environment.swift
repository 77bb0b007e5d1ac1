public import Observation

/// A property of a view that reads a value from the environment: `@Environment(\.locale) var locale`.
///
/// Source: Apple's Environment page.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let read: () -> Value

    /// Creates a property that reads a value from the environment.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { EnvironmentValues.current[keyPath: keyPath] }
    }

    /// Creates a property that reads an object, which a surrounding view must set with `environment(_:)`.
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        read = {
            guard let value = EnvironmentValues.current.object(objectType) else {
                preconditionFailure("no surrounding view sets a '\(Value.self)': set it with environment(_:)")
            }
            return value
        }
    }

    /// Creates a property that reads an object. Its value is nil if no surrounding view sets the object with
    /// `environment(_:)`.
    public init<Object: AnyObject & Observable>(_ objectType: Object.Type) where Value == Object? {
        read = { EnvironmentValues.current.object(objectType) }
    }

    /// The value in the environment of the view that is being evaluated.
    public var wrappedValue: Value { read() }
}

/// A wrapper for an object in the environment. One task evaluates a snippet, so the object is never used concurrently.
// SAFETY: only views read the object, on the main actor — ensured by _SnippetCanvas and EnvironmentValues.current.
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
