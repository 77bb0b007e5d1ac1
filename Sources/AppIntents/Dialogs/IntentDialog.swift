/// What an intent says to the person, beside the value that it returns.
///
/// Source: Apple's IntentDialog page.
public struct IntentDialog: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text that stands alone.
    let full: LocalizedStringResource
    /// The text beside something shown, when it differs.
    let supporting: LocalizedStringResource?

    /// One text for every place.
    public init(_ text: LocalizedStringResource) {
        full = text
        supporting = nil
    }

    /// A text that stands alone, and one to show beside visual output.
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource) {
        self.full = full
        self.supporting = supporting
    }

    /// A text with a system image, which has no meaning on Linux.
    public init(full: LocalizedStringResource, systemImageName: String) {
        self.init(full)
    }

    /// Two texts with a system image, which has no meaning on Linux.
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource, systemImageName: String) {
        self.init(full: full, supporting: supporting)
    }

    public init(stringLiteral value: String) {
        self.init(LocalizedStringResource(stringLiteral: value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}
