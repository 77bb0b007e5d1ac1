/// A type that provides a string for people. For an error, this string is its message.
///
/// Source: Apple's CustomLocalizedStringResourceConvertible page.
public protocol CustomLocalizedStringResourceConvertible {
    /// The string for people.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    public var localizedStringResource: LocalizedStringResource { self }
}
