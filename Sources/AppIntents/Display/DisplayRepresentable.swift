/// A type with a name for people.
///
/// Source: Apple's TypeDisplayRepresentable page.
public protocol TypeDisplayRepresentable {
    /// The type's name.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
}

/// A type that can present each of its values to people.
///
/// Source: Apple's InstanceDisplayRepresentable page.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// The value's representation.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// A type with a name, which can present each of its values to people.
///
/// Source: Apple's DisplayRepresentable page.
public protocol DisplayRepresentable: InstanceDisplayRepresentable, TypeDisplayRepresentable {}

/// An enumeration with a table that says how each case is presented to people.
///
/// Source: Apple's CaseDisplayRepresentable page.
public protocol CaseDisplayRepresentable: CustomLocalizedStringResourceConvertible, CaseIterable, Hashable {
    /// Each case's representation.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension CaseDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource {
        Self.caseDisplayRepresentations[self]?.title ?? LocalizedStringResource(stringLiteral: "\(self)".asTitle)
    }
}

/// An enumeration with a name, and a table that says how each case is presented to people.
///
/// Source: Apple's StaticDisplayRepresentable page.
public protocol StaticDisplayRepresentable: CaseDisplayRepresentable, TypeDisplayRepresentable {}
