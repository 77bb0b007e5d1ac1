internal import IntentLauncherMessages

/// An expectation about an entity: its identifier or its properties. Part of a beta of Apple's SDK 27.3.
///
/// The type of an entity is not checked, because a value on Linux does not contain it.
///
/// Source: Apple's AppEntityExpectationProviding page.
public protocol AppEntityExpectationProviding: IntentValueExpectation {}

/// An expectation about the properties of an entity and, optionally, its identifier.
///
/// Source: Apple's AppEntityExpectation page.
public struct AppEntityExpectation: AppEntityExpectationProviding {
    fileprivate var identifier: String?
    fileprivate let properties: [String: any IntentValueExpectation]

    public func isSatisfied(by value: (any Sendable)?) -> Bool {
        guard case .object(let members)? = ComparedValue(value).wire else { return false }
        // A transient entity is an object without an identifier.
        if let identifier, members["id"] != .string(identifier) { return false }
        let values = if case .object(let values)? = members["properties"] { values } else { members }
        return properties.allSatisfy { name, expectation in
            expectation.isSatisfied(by: ResolvedValue(value: values[name], files: [], what: "'\(name)'"))
        }
    }
}

/// An expectation that an entity has a certain identifier.
///
/// Source: Apple's AppEntityIdentifierExpectation page.
public struct AppEntityIdentifierExpectation: AppEntityExpectationProviding, ResolvableIntentValueExpectation {
    fileprivate let identifier: String

    public func isSatisfied(by value: (any Sendable)?) -> Bool {
        let compared = ComparedValue(value)
        return (compared.identifier ?? compared.wire) == .string(identifier)
    }

    /// A callable that returns an expectation about the properties of the entity with this identifier.
    ///
    /// Source: Apple's AppEntityIdentifierExpectation.expect page.
    public var expect: IntentValueExpectationCallable<any IntentValueExpectation, AppEntityExpectation> {
        IntentValueExpectationCallable { [identifier] in AppEntityExpectation(identifier: identifier, properties: $0) }
    }
}

extension AppEntityDefinition: AppEntityExpectationProviding, ResolvableIntentValueExpectation {
    /// Returns true for an entity.
    public func isSatisfied(by value: (any Sendable)?) -> Bool {
        value is AnyAppEntity || ComparedValue(value).identifier != nil
    }

    /// A callable that returns an expectation about the entity's properties. A property without an argument is not
    /// checked.
    ///
    /// Source: Apple's AppEntityDefinition.expect page.
    public var expect: IntentValueExpectationCallable<any IntentValueExpectation, AppEntityExpectation> {
        IntentValueExpectationCallable { AppEntityExpectation(identifier: nil, properties: $0) }
    }

    /// Returns an expectation that an entity has the given identifier.
    ///
    /// Source: Apple's AppEntityDefinition.expectIdentifier(_:) page.
    public func expectIdentifier(_ identifier: String) -> AppEntityIdentifierExpectation {
        AppEntityIdentifierExpectation(identifier: identifier)
    }
}
