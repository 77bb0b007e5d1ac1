/// A type that has a name for people.
///
/// Source: Apple's TypeDisplayRepresentable page.
public protocol TypeDisplayRepresentable {
    /// What the type is called.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
}

/// A type whose values say how they look.
///
/// Source: Apple's InstanceDisplayRepresentable page.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// How this value looks.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// A type with a name, whose values say how they look.
///
/// Source: Apple's DisplayRepresentable page.
public protocol DisplayRepresentable: InstanceDisplayRepresentable, TypeDisplayRepresentable {}

/// An enum whose cases look as a table says.
///
/// Source: Apple's CaseDisplayRepresentable page.
public protocol CaseDisplayRepresentable: CustomLocalizedStringResourceConvertible, CaseIterable, Hashable {
    /// How each case looks.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension CaseDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource {
        Self.caseDisplayRepresentations[self]?.title ?? LocalizedStringResource(stringLiteral: "\(self)".asTitle)
    }
}

/// An enum with a name, whose cases look as a table says.
///
/// Source: Apple's StaticDisplayRepresentable page.
public protocol StaticDisplayRepresentable: CaseDisplayRepresentable, TypeDisplayRepresentable {}
