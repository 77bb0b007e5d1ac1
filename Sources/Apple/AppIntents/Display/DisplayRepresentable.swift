/// A type with a display name.
///
/// Source: Apple's TypeDisplayRepresentable page.
public protocol TypeDisplayRepresentable {
    /// The type's display name.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
}

/// A type with a display representation of each value.
///
/// Source: Apple's InstanceDisplayRepresentable page.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// The value's display representation.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// A type with a display name, and with a display representation of each value.
///
/// Source: Apple's DisplayRepresentable page.
public protocol DisplayRepresentable: InstanceDisplayRepresentable, TypeDisplayRepresentable {}

/// An enumeration that lists the display representations of its cases.
///
/// Source: Apple's CaseDisplayRepresentable page.
public protocol CaseDisplayRepresentable: CustomLocalizedStringResourceConvertible, CaseIterable, Hashable {
    /// The display representations of the cases.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension CaseDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource {
        Self.caseDisplayRepresentations[self]?.title ?? LocalizedStringResource(stringLiteral: "\(self)".asTitle)
    }
}

/// An enumeration that has a display name and lists the display representations of its cases.
///
/// Source: Apple's StaticDisplayRepresentable page.
public protocol StaticDisplayRepresentable: CaseDisplayRepresentable, TypeDisplayRepresentable {}
