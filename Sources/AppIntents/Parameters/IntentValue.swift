import IntentWire

/// A type that an intent's parameter or result may have.
///
/// Not to be conformed to directly: enums and entities of an app conform through `AppEnum` and `AppEntity`.
///
/// Source: Apple's pages name this protocol in their constraints.
public protocol _IntentValue: Sendable {
    /// The type itself; the wrapped one for an optional.
    associatedtype ValueType: _IntentValue = Self
    /// What a default is written as: the type itself; the wrapped one for an optional.
    associatedtype UnwrappedType: _IntentValue = Self

    /// How values travel.
    static var _intentValueCoding: _IntentValueCoding<Self> { get }
}

/// How values of a type travel between an app and `intentd`.
///
/// A new value type is one conformance to ``_IntentValue`` that returns one of these.
public struct _IntentValueCoding<Value: _IntentValue>: Sendable {
    /// The type's name in the catalogue; nil for `Never`.
    let type: IntentWire.ValueType?
    /// The value of a parameter that nobody set; nil when it has to be set.
    var absent: Value?
    let encode: @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue
    let decode: @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value
    let wrap: @Sendable (Value.UnwrappedType) -> Value
    let unwrap: @Sendable (Value) -> Value.UnwrappedType?

    var isOptional: Bool { absent != nil }
}

extension _IntentValueCoding where Value.UnwrappedType == Value {
    /// A type that is not optional.
    init(
        _ type: IntentWire.ValueType?,
        encode: @escaping @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue,
        decode: @escaping @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value
    ) {
        self.init(type: type, absent: nil, encode: encode, decode: decode, wrap: { $0 }, unwrap: { $0 })
    }

    /// A type without values, written for any type: Swift warns of code that takes a `Never`.
    static var none: Self {
        Self(nil) { _, _ in
            .null
        } decode: { value, _ in
            throw ValueMismatch(wants: "no value", not: value)
        }
    }
}

/// Why a value of the wire is not one of a type.
struct ValueMismatch: Error, Equatable {
    /// The end of the sentence "parameter 'x' …".
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(wants type: String, not value: IntentWire.IntentValue) {
        text = "wants \(type), not \(value.kindName)"
    }
}
