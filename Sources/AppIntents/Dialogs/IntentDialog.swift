/// A text that an intent shows to the person in addition to the value it returns.
///
/// Source: Apple's IntentDialog page.
public struct IntentDialog: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text that is complete on its own.
    let full: LocalizedStringResource
    /// The text to show beside visual output; nil if ``full`` is shown there too.
    let supporting: LocalizedStringResource?

    /// Creates a dialog with one text.
    public init(_ text: LocalizedStringResource) {
        full = text
        supporting = nil
    }

    /// Creates a dialog with a text that is complete on its own, and a text to show beside visual output.
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource) {
        self.full = full
        self.supporting = supporting
    }

    /// Creates a dialog with a system image, which is ignored on Linux.
    public init(full: LocalizedStringResource, systemImageName: String) {
        self.init(full)
    }

    /// Creates a dialog with two texts and a system image, which is ignored on Linux.
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
