/// A type that provides a localized string to show to people. For an error, this string is the error's message.
///
/// Source: Apple's CustomLocalizedStringResourceConvertible page.
public protocol CustomLocalizedStringResourceConvertible {
    /// The localized string to show to people.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    public var localizedStringResource: LocalizedStringResource { self }
}
