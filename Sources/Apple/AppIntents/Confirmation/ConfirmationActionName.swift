import IntentSharedTypes

/// The action that a person confirms, such as ordering, sending or paying.
///
/// Source: Apple's ConfirmationActionName page.
public struct ConfirmationActionName: Sendable, Hashable {
    let acceptLabel: LocalizedStringResource
    var denyLabel: LocalizedStringResource = "Cancel"
    /// True if the action cannot be undone.
    var isDestructive = false

    /// Returns an action with labels that the app defines. The alternative labels are ignored on Linux.
    public static func custom(
        acceptLabel: LocalizedStringResource,
        acceptAlternatives: [LocalizedStringResource],
        denyLabel: LocalizedStringResource,
        denyAlternatives: [LocalizedStringResource],
        destructive: Bool = false
    ) -> ConfirmationActionName {
        ConfirmationActionName(acceptLabel: acceptLabel, denyLabel: denyLabel, isDestructive: destructive)
    }
}

/// An option that a person can choose.
///
/// Source: Apple's IntentChoiceOption page.
public struct IntentChoiceOption: Sendable, Hashable {
    /// The style in which an option is shown.
    public struct Style: Sendable, Hashable {
        let wireStyle: EnumerationCase.Style?

        /// An ordinary option.
        public static let `default` = Style(wireStyle: nil)
        /// An option that cancels the run.
        public static let cancel = Style(wireStyle: .cancel)
        /// An option with an effect that cannot be undone.
        public static let destructive = Style(wireStyle: .destructive)
    }

    /// The option's display name.
    public let title: LocalizedStringResource
    /// The option's style.
    public let style: Style

    /// Creates an option with a title and a style.
    public init(title: LocalizedStringResource, style: Style = .default) {
        self.title = title
        self.style = style
    }

    /// The standard option that cancels the run.
    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)
}
