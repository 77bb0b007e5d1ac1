import IntentSharedTypes

/// A type that an app defines for values that intents receive and return.
///
/// Source: Apple's AppValue page.
public protocol AppValue: PersistentlyIdentifiable, TypeDisplayRepresentable, _IntentValue, Sendable {}

/// An enumeration with cases that intents receive and return. A caller specifies a case by its raw value.
///
/// ```swift
/// enum Soup: String, AppEnum {
///     case tomato, lentil
///
///     static let typeDisplayRepresentation: TypeDisplayRepresentation = "Soup"
///     static let caseDisplayRepresentations: [Soup: DisplayRepresentation] = [.tomato: "Tomato", .lentil: "Lentil"]
/// }
/// ```
///
/// Source: Apple's AppEnum page.
public protocol AppEnum: AppValue, StaticDisplayRepresentable, RawRepresentable
where RawValue: LosslessStringConvertible, ValueType == Self, UnwrappedType == Self {}

extension AppEnum {
    public static var _intentValueCoding: _IntentValueCoding<Self> { enumCoding }

    static var enumCoding: _IntentValueCoding<Self> {
        _IntentValueCoding(.enumeration(allCases.map(\.enumerationCase))) { value, _ in
            .string(value.rawValue.description)
        } decode: { value, _ in
            allCases.first { value == .string($0.rawValue.description) }
        }
    }

    /// The case as listed in the catalogue. Its title comes from `caseDisplayRepresentations` or, if the case is not
    /// listed there, is derived from the raw value.
    var enumerationCase: EnumerationCase {
        let value = rawValue.description
        return EnumerationCase(
            value: value,
            title: Self.caseDisplayRepresentations[self]?.title.text ?? value.asTitle
        )
    }
}
