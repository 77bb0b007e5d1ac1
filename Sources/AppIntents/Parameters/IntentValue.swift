import IntentWire

/// A type that a parameter or a result of an intent may have.
///
/// An app's enumerations conform through ``AppEnum``, and its entities through ``AppEntity``. A `Codable` type needs a
/// declaration, `extension Recipe: _IntentValue {}`, and is sent as its JSON.
///
/// Source: Apple's pages name this protocol in their constraints.
public protocol _IntentValue: Sendable {
    /// The type itself; for an optional, the wrapped type; for an array, the element type.
    associatedtype ValueType: _IntentValue = Self
    /// The type of a default: the type itself; for an optional, the wrapped type.
    associatedtype UnwrappedType: _IntentValue = Self

    /// How values are encoded.
    static var _intentValueCoding: _IntentValueCoding<Self> { get }
}

/// How values of a type are encoded between an app and `intentd`.
///
/// A new value type needs one conformance to ``_IntentValue``, which returns such a coding.
public struct _IntentValueCoding<Value: _IntentValue>: Sendable {
    /// The type in the catalogue; nil for `Never`.
    let makeType: @Sendable () -> IntentWire.ValueType?
    /// The value of a parameter that is not set; nil when it must be set.
    var absent: Value?
    let encode: @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue
    /// Decodes a value that the catalogue's type has accepted.
    let decode: @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value
    /// Decodes with the help of an app's query; nil where `decode` suffices.
    var resolve: (@Sendable (IntentWire.IntentValue, IncomingFiles) async throws -> Value)?
    let wrap: @Sendable (Value.UnwrappedType) -> Value

    var isOptional: Bool { absent != nil }

    /// Computed on each use: an enumeration's or an entity's type reads the app's texts.
    var type: IntentWire.ValueType? { makeType() }
}

extension _IntentValueCoding where Value.UnwrappedType == Value {
    /// The coding of a type that is not optional.
    ///
    /// - Parameter decode: Returns nil for a value of another type.
    init(
        _ type: @escaping @autoclosure @Sendable () -> IntentWire.ValueType?,
        encode: @escaping @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue,
        decode: @escaping @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value?
    ) {
        self.init(
            makeType: type,
            absent: nil,
            encode: encode,
            decode: { value, files in
                if let decoded = try decode(value, files) { return decoded }
                throw InvalidValue("expects \(type()?.phrase ?? "no value"), got \(value.kindName)")
            },
            resolve: nil,
            wrap: { $0 }
        )
    }

    /// The coding of a type without values. It is generic because Swift warns about code that takes a `Never`.
    static var none: Self {
        Self(nil) { _, _ in
            .null
        } decode: { _, _ in
            nil
        }
    }
}

/// Why a value does not fit.
struct InvalidValue: Error, Equatable {
    /// The predicate of the sentence "parameter 'x' …" or "the returned value …".
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ mismatch: ValueMismatch) {
        text = "expects \(mismatch.expected), got \(mismatch.found)" + (mismatch.hint.map { "; \($0)" } ?? "")
    }
}
