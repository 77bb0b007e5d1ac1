/// A type with a text to show to people. An error that conforms provides its message as this text.
///
/// Source: Apple's CustomLocalizedStringResourceConvertible page.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text to show to people.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    public var localizedStringResource: LocalizedStringResource { self }
}
