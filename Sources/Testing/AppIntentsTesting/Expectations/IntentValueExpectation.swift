internal import AppIntents
internal import IntentLauncherMessages

/// A description of the value that a test expects for a parameter, a property of an entity, or a result. Part of a beta of
/// Apple's SDK 27.3.
///
/// Apps do not conform to it: definitions and static members such as ``equals(_:)`` return expectations.
///
/// Source: Apple's IntentValueExpectation page.
public protocol IntentValueExpectation: Sendable {
    /// Returns true if a value meets the expectation.
    ///
    /// - Parameter value: A value of a type that a parameter can have, an ``AnyAppEntity``, an ``AnyAppEnum``, a
    ///   ``ResolvedValue``, or nil.
    func isSatisfied(by value: (any Sendable)?) -> Bool
}

/// An expectation about a value as the caller passed it, before the app has found an entity.
///
/// Source: Apple's ResolvableIntentValueExpectation page.
public protocol ResolvableIntentValueExpectation: IntentValueExpectation {}

/// An expectation about the presence of a value, or about a simple value. Comparisons of strings are exact.
///
/// Source: Apple's PrimitiveExpectation page.
public struct PrimitiveExpectation: ResolvableIntentValueExpectation {
    private let meets: @Sendable (ComparedValue) -> Bool

    fileprivate init(_ meets: @escaping @Sendable (ComparedValue) -> Bool) {
        self.meets = meets
    }

    public func isSatisfied(by value: (any Sendable)?) -> Bool { meets(ComparedValue(value)) }
}

extension IntentValueExpectation where Self == PrimitiveExpectation {
    /// Expects that there is no value.
    public static var isNil: PrimitiveExpectation { PrimitiveExpectation { $0 == .absent } }

    /// Expects that there is a value.
    public static var notNil: PrimitiveExpectation { PrimitiveExpectation { $0 != .absent } }

    /// Expects a string with the given part.
    public static func contains(_ part: String) -> PrimitiveExpectation {
        PrimitiveExpectation { value in
            guard case .string(let text)? = value.wire else { return false }
            return part.isEmpty || text.contains(utf8: part)
        }
    }

    /// Expects a string with a part that matches a regular expression.
    ///
    /// - Parameter pattern: The expression. A pattern that is not valid matches no string.
    public static func contains(regex pattern: String) -> PrimitiveExpectation {
        PrimitiveExpectation { value in
            guard case .string(let text)? = value.wire, let regex = try? Regex(pattern) else { return false }
            return (try? regex.matchingSemantics(.unicodeScalar).firstMatch(in: text)) != nil
        }
    }

    /// Expects the given value, of any type that a parameter can have. Values are compared in encoded form.
    public static func equals(_ expected: any Sendable) -> PrimitiveExpectation {
        let expected = ComparedValue(expected)
        return PrimitiveExpectation { value in
            guard let wire = expected.wire else { return false }
            return value.wire == wire || value.identifier == wire
        }
    }
}

/// A value in the form in which an app and `intentd` exchange it.
enum ComparedValue: Equatable, Sendable {
    case absent
    case value(IntentLauncherMessages.IntentValue)
    /// A value of a type that no parameter can have.
    case foreign

    init(_ value: (any Sendable)?) {
        guard let value else {
            self = .absent
            return
        }
        if let resolved = value as? ResolvedValue {
            self = resolved.wire.map { $0 == .null ? .absent : .value($0) } ?? .absent
            return
        }
        if let recorded = (value as? AnyAppEntity)?.recorded {
            self = .value(recorded)
            return
        }
        // No value that a test compares has a file, so no folder is needed.
        guard let wire = try? AnyAppIntent.encode(value, "/nonexistent", "a value").value else {
            self = .foreign
            return
        }
        self = wire == .null ? .absent : .value(wire)
    }

    var wire: IntentLauncherMessages.IntentValue? { if case .value(let wire) = self { wire } else { nil } }

    /// The id of an entity; nil for another value.
    var identifier: IntentLauncherMessages.IntentValue? {
        if case .object(let members)? = wire { members["id"] } else { nil }
    }
}
