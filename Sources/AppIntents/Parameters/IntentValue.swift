import IntentWire

/// A type that an intent's parameter or result may have.
///
/// Enums of an app conform through ``AppEnum``, entities through ``AppEntity``; a type that is `Codable` conforms by
/// saying so: `extension Recipe: _IntentValue {}`, and travels as its JSON.
///
/// Source: Apple's pages name this protocol in their constraints.
public protocol _IntentValue: Sendable {
    /// The type itself; what an optional wraps, and what an array has as elements.
    associatedtype ValueType: _IntentValue = Self
    /// What a default is written as: the type itself; what an optional wraps.
    associatedtype UnwrappedType: _IntentValue = Self

    /// How values travel.
    static var _intentValueCoding: _IntentValueCoding<Self> { get }
}

/// How values of a type travel between an app and `intentd`.
///
/// A new value type is one conformance to ``_IntentValue`` that returns one of these.
public struct _IntentValueCoding<Value: _IntentValue>: Sendable {
    /// The type in the catalogue; nil for `Never`.
    let makeType: @Sendable () -> IntentWire.ValueType?
    /// The value of a parameter that nobody set; nil when it has to be set.
    var absent: Value?
    let encode: @Sendable (Value, inout OutgoingFiles) throws -> IntentWire.IntentValue
    /// Makes a value from one that the catalogue's type accepted.
    let decode: @Sendable (IntentWire.IntentValue, IncomingFiles) throws -> Value
    /// The same where a query of the app has to be asked; nil where `decode` is enough.
    var resolve: (@Sendable (IntentWire.IntentValue, IncomingFiles) async throws -> Value)?
    let wrap: @Sendable (Value.UnwrappedType) -> Value

    var isOptional: Bool { absent != nil }

    /// Made when it is asked for: that of an enum or an entity asks the app for its words.
    var type: IntentWire.ValueType? { makeType() }
}

extension _IntentValueCoding where Value.UnwrappedType == Value {
    /// A type that is not optional.
    ///
    /// - Parameter decode: Returns nil for a value that is not of the type.
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
                throw UnfitValue("takes \(type()?.phrase ?? "no value"), and got \(value.kindName)")
            },
            resolve: nil,
            wrap: { $0 }
        )
    }

    /// A type without values, written for any type: Swift warns of code that takes a `Never`.
    static var none: Self {
        Self(nil) { _, _ in
            .null
        } decode: { _, _ in
            nil
        }
    }
}

/// Why a value does not fit where it is to go.
struct UnfitValue: Error, Equatable {
    /// The end of the sentence "parameter 'x' …" or "the returned value …".
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ mismatch: ValueMismatch) {
        text = "takes \(mismatch.message)" + (mismatch.hint.map { "; \($0)" } ?? "")
    }
}
