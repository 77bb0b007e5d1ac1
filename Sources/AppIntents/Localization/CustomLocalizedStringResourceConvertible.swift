/// A type that tells people what it is; errors that conform give their message this way.
///
/// Source: Apple's CustomLocalizedStringResourceConvertible page.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text for people.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    public var localizedStringResource: LocalizedStringResource { self }
}
