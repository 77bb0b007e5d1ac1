/// A type with a text to show to people. Errors that conform provide their message this way.
///
/// Source: Apple's CustomLocalizedStringResourceConvertible page.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text to show to people.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    public var localizedStringResource: LocalizedStringResource { self }
}
