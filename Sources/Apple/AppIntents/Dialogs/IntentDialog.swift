/// A message that an intent shows to the person in addition to the value that it returns.
///
/// Source: Apple's IntentDialog page.
public struct IntentDialog: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The complete message, for use without visual output.
    let full: LocalizedStringResource
    /// The message to show next to visual output; nil if ``full`` is also used there.
    let supporting: LocalizedStringResource?

    /// Creates a dialog with one message.
    public init(_ text: LocalizedStringResource) {
        full = text
        supporting = nil
    }

    /// Creates a dialog with a complete message, and a supporting message to show next to visual output.
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource) {
        self.full = full
        self.supporting = supporting
    }

    /// Creates a dialog with a message and a system image, which is ignored on Linux.
    public init(full: LocalizedStringResource, systemImageName: String) {
        self.init(full)
    }

    /// Creates a dialog with a complete message, a supporting message and a system image, which is ignored on Linux.
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
