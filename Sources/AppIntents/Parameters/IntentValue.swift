import IntentWire

/// A type that the parameters and results of intents can have.
///
/// An app's enumerations conform through ``AppEnum``, and its entities through ``AppEntity``. A `Codable` type needs a
/// declaration, `extension Recipe: _IntentValue {}`, and is sent as its JSON.
///
/// Source: Apple's pages mention this protocol in constraints.
public protocol _IntentValue: Sendable {
    /// The type itself; for an optional, the wrapped type; for an array, the element type.
    associatedtype ValueType: _IntentValue = Self
    /// The type of a default: the type itself; for an optional, the wrapped type.
    associatedtype UnwrappedType: _IntentValue = Self

    /// The coding of values of this type.
    static var _intentValueCoding: _IntentValueCoding<Self> { get }
}

/// The conversion of a type's values to and from the form in which an app and `intentd` exchange them.
///
/// A new value type needs one conformance to ``_IntentValue``, which returns its coding.
public struct _IntentValueCoding<Value: _IntentValue>: Sendable {
    /// Makes the type's declaration in the catalogue; nil for `Never`.
    let makeType: @Sendable () -> IntentWire.ValueType?
    /// The value of a parameter that is not set; nil if the parameter must be set.
    var absent: Value?
    let encode: @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue
    /// Decodes a value that has passed the checks of the catalogue's type.
    let decode: @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value
    /// Decodes a value with the help of an app's query; nil if `decode` suffices.
    var resolve: (@Sendable (IntentWire.IntentValue, IncomingFiles) async throws -> Value)?
    let wrap: @Sendable (Value.UnwrappedType) -> Value

    var isOptional: Bool { absent != nil }

    /// The type in the catalogue. It is computed on each use, because it may read texts of the app.
    var type: IntentWire.ValueType? { makeType() }
}

extension _IntentValueCoding where Value.UnwrappedType == Value {
    /// Creates the coding of a type that is not optional.
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

    /// The coding of a type without values. It is generic because Swift warns about code with a parameter of type
    /// `Never`.
    static var none: Self {
        Self(nil) { _, _ in
            .null
        } decode: { _, _ in
            nil
        }
    }
}

/// An error that describes why a value is not accepted.
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
