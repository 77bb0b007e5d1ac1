import IntentSharedTypes

/// A type that an intent's parameters and results can have.
///
/// An app's enumerations conform to it through ``AppEnum``, and its entities through ``AppEntity``. A `Codable` type
/// needs the declaration `extension Recipe: _IntentValue {}`, and its values are then sent as JSON.
///
/// Source: Apple's pages mention this protocol in the constraints of other types.
public protocol _IntentValue: Sendable {
    /// The type itself; for an optional, the wrapped type; for an array, the element type.
    associatedtype ValueType: _IntentValue = Self
    /// The type of a parameter's default value: the type itself; for an optional, the wrapped type.
    associatedtype UnwrappedType: _IntentValue = Self

    /// The coding for values of this type.
    static var _intentValueCoding: _IntentValueCoding<Self> { get }
}

/// A parameter or a property with a value that callers exchange with an app.
///
/// Source: Apple's AnyIntentValue page.
public protocol AnyIntentValue: Sendable {
    /// The type of the value.
    associatedtype Value: _IntentValue
    /// The display name.
    var title: LocalizedStringResource { get }
    /// True if the value may be absent.
    var isOptional: Bool { get }
}

extension IntentParameter: AnyIntentValue {
    /// True if the value may be absent.
    public var isOptional: Bool { Value._intentValueCoding.isOptional }
}

extension IntentParameterContext: AnyIntentValue {}

/// The conversion of one type's values to and from the encoding in which an app and `intentd` exchange them.
///
/// To support another value type, conform it to ``_IntentValue`` and return its coding.
public struct _IntentValueCoding<Value: _IntentValue>: Sendable {
    /// The closure that returns the type's declaration for the catalogue, or nil for `Never`.
    let makeType: @Sendable () -> IntentSharedTypes.ValueType?
    /// The value of a parameter that is not set; nil if the parameter must be set.
    var absent: Value?
    let encode: @Sendable (Value, inout OutgoingFiles) throws -> IntentValue
    /// The closure that decodes a value that has been checked against the type in the catalogue.
    let decode: @Sendable (IntentValue, IncomingFiles) throws -> Value
    /// The closure that decodes a value with an app's query; nil if `decode` is sufficient.
    var resolve: (@Sendable (IntentValue, IncomingFiles) async throws -> Value)?
    let wrap: @Sendable (Value.UnwrappedType) -> Value

    var isOptional: Bool { absent != nil }

    /// The type in the catalogue. It is computed on each access, because it may depend on the app's localized strings.
    var type: IntentSharedTypes.ValueType? { makeType() }
}

extension _IntentValueCoding where Value.UnwrappedType == Value {
    /// Creates a coding for a type that is not optional.
    ///
    /// - Parameter decode: A closure that decodes a value, or returns nil if the value has another type.
    init(
        _ type: @escaping @autoclosure @Sendable () -> IntentSharedTypes.ValueType?,
        encode: @escaping @Sendable (Value, inout OutgoingFiles) throws -> IntentValue,
        decode: @escaping @Sendable (IntentValue, IncomingFiles) throws -> Value?
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

    /// The coding for a type that has no values. It is generic because Swift warns about code with a parameter of type
    /// `Never`.
    static var none: Self {
        Self(nil) { _, _ in
            .null
        } decode: { _, _ in
            nil
        }
    }
}

/// An error that states why a value is invalid.
struct InvalidValue: Error, Equatable {
    /// The predicate of a sentence that starts with "parameter 'x'" or "the returned value".
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ mismatch: ValueMismatch) {
        text = "expects \(mismatch.expected), got \(mismatch.found)" + (mismatch.hint.map { "; \($0)" } ?? "")
    }
}
