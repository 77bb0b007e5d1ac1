import IntentVocabulary

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

    /// An action with the accept label "Add".
    public static let add = ConfirmationActionName(acceptLabel: "Add")
    /// An action with the accept label "Add data".
    public static let addData = ConfirmationActionName(acceptLabel: "Add data")
    /// An action with the accept label "Book".
    public static let book = ConfirmationActionName(acceptLabel: "Book")
    /// An action with the accept label "Buy".
    public static let buy = ConfirmationActionName(acceptLabel: "Buy")
    /// An action with the accept label "Call".
    public static let call = ConfirmationActionName(acceptLabel: "Call")
    /// An action with the accept label "Check in".
    public static let checkIn = ConfirmationActionName(acceptLabel: "Check in")
    /// An action with the accept label "Continue".
    public static let `continue` = ConfirmationActionName(acceptLabel: "Continue")
    /// An action with the accept label "Create".
    public static let create = ConfirmationActionName(acceptLabel: "Create")
    /// An action with the accept label "Do".
    public static let `do` = ConfirmationActionName(acceptLabel: "Do")
    /// An action with the accept label "Download".
    public static let download = ConfirmationActionName(acceptLabel: "Download")
    /// An action with the accept label "Filter".
    public static let filter = ConfirmationActionName(acceptLabel: "Filter")
    /// An action with the accept label "Find".
    public static let find = ConfirmationActionName(acceptLabel: "Find")
    /// An action with the accept label "Get".
    public static let get = ConfirmationActionName(acceptLabel: "Get")
    /// An action with the accept label "Go".
    public static let go = ConfirmationActionName(acceptLabel: "Go")
    /// An action with the accept label "Log".
    public static let log = ConfirmationActionName(acceptLabel: "Log")
    /// An action with the accept label "Open".
    public static let open = ConfirmationActionName(acceptLabel: "Open")
    /// An action with the accept label "Order".
    public static let order = ConfirmationActionName(acceptLabel: "Order")
    /// An action with the accept label "Pay".
    public static let pay = ConfirmationActionName(acceptLabel: "Pay")
    /// An action with the accept label "Play".
    public static let play = ConfirmationActionName(acceptLabel: "Play")
    /// An action with the accept label "Play sound".
    public static let playSound = ConfirmationActionName(acceptLabel: "Play sound")
    /// An action with the accept label "Post".
    public static let post = ConfirmationActionName(acceptLabel: "Post")
    /// An action with the accept label "Request".
    public static let request = ConfirmationActionName(acceptLabel: "Request")
    /// An action with the accept label "Run".
    public static let run = ConfirmationActionName(acceptLabel: "Run")
    /// An action with the accept label "Search".
    public static let search = ConfirmationActionName(acceptLabel: "Search")
    /// An action with the accept label "Send".
    public static let send = ConfirmationActionName(acceptLabel: "Send")
    /// An action with the accept label "Set".
    public static let set = ConfirmationActionName(acceptLabel: "Set")
    /// An action with the accept label "Share".
    public static let share = ConfirmationActionName(acceptLabel: "Share")
    /// An action with the accept label "Start".
    public static let start = ConfirmationActionName(acceptLabel: "Start")
    /// An action with the accept label "Start navigation".
    public static let startNavigation = ConfirmationActionName(acceptLabel: "Start navigation")
    /// An action with the accept label "Toggle".
    public static let toggle = ConfirmationActionName(acceptLabel: "Toggle")
    /// An action with the accept label "Translate".
    public static let translate = ConfirmationActionName(acceptLabel: "Translate")
    /// An action with the accept label "Turn off".
    public static let turnOff = ConfirmationActionName(acceptLabel: "Turn off")
    /// An action with the accept label "Turn on".
    public static let turnOn = ConfirmationActionName(acceptLabel: "Turn on")
    /// An action with the accept label "View".
    public static let view = ConfirmationActionName(acceptLabel: "View")
}

/// The conditions under which a confirmation is requested. Ignored on Linux, where it is always requested.
///
/// Source: Apple's ConfirmationConditions page.
public struct ConfirmationConditions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The source of the request, such as speech, may have been misunderstood.
    public static let lowConfidenceSource = ConfirmationConditions(rawValue: 1 << 0)
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
