import IntentVocabulary

/// The action that a person confirms, such as ordering, sending or paying.
///
/// Source: Apple's ConfirmationActionName page.
public struct ConfirmationActionName: Sendable, Hashable {
    let acceptLabel: LocalizedStringResource
    let denyLabel: LocalizedStringResource
    /// True if the action cannot be undone.
    let isDestructive: Bool

    private init(_ acceptLabel: LocalizedStringResource) {
        self.acceptLabel = acceptLabel
        denyLabel = "Cancel"
        isDestructive = false
    }

    private init(accept: LocalizedStringResource, deny: LocalizedStringResource, isDestructive: Bool) {
        acceptLabel = accept
        denyLabel = deny
        self.isDestructive = isDestructive
    }

    /// Returns an action with labels that the app defines. The alternative labels are ignored on Linux.
    public static func custom(
        acceptLabel: LocalizedStringResource,
        acceptAlternatives: [LocalizedStringResource],
        denyLabel: LocalizedStringResource,
        denyAlternatives: [LocalizedStringResource],
        destructive: Bool = false
    ) -> ConfirmationActionName {
        ConfirmationActionName(accept: acceptLabel, deny: denyLabel, isDestructive: destructive)
    }

    /// An action with the accept label "Add".
    public static let add = ConfirmationActionName("Add")
    /// An action with the accept label "Add data".
    public static let addData = ConfirmationActionName("Add data")
    /// An action with the accept label "Book".
    public static let book = ConfirmationActionName("Book")
    /// An action with the accept label "Buy".
    public static let buy = ConfirmationActionName("Buy")
    /// An action with the accept label "Call".
    public static let call = ConfirmationActionName("Call")
    /// An action with the accept label "Check in".
    public static let checkIn = ConfirmationActionName("Check in")
    /// An action with the accept label "Continue".
    public static let `continue` = ConfirmationActionName("Continue")
    /// An action with the accept label "Create".
    public static let create = ConfirmationActionName("Create")
    /// An action with the accept label "Do".
    public static let `do` = ConfirmationActionName("Do")
    /// An action with the accept label "Download".
    public static let download = ConfirmationActionName("Download")
    /// An action with the accept label "Filter".
    public static let filter = ConfirmationActionName("Filter")
    /// An action with the accept label "Find".
    public static let find = ConfirmationActionName("Find")
    /// An action with the accept label "Get".
    public static let get = ConfirmationActionName("Get")
    /// An action with the accept label "Go".
    public static let go = ConfirmationActionName("Go")
    /// An action with the accept label "Log".
    public static let log = ConfirmationActionName("Log")
    /// An action with the accept label "Open".
    public static let open = ConfirmationActionName("Open")
    /// An action with the accept label "Order".
    public static let order = ConfirmationActionName("Order")
    /// An action with the accept label "Pay".
    public static let pay = ConfirmationActionName("Pay")
    /// An action with the accept label "Play".
    public static let play = ConfirmationActionName("Play")
    /// An action with the accept label "Play sound".
    public static let playSound = ConfirmationActionName("Play sound")
    /// An action with the accept label "Post".
    public static let post = ConfirmationActionName("Post")
    /// An action with the accept label "Request".
    public static let request = ConfirmationActionName("Request")
    /// An action with the accept label "Run".
    public static let run = ConfirmationActionName("Run")
    /// An action with the accept label "Search".
    public static let search = ConfirmationActionName("Search")
    /// An action with the accept label "Send".
    public static let send = ConfirmationActionName("Send")
    /// An action with the accept label "Set".
    public static let set = ConfirmationActionName("Set")
    /// An action with the accept label "Share".
    public static let share = ConfirmationActionName("Share")
    /// An action with the accept label "Start".
    public static let start = ConfirmationActionName("Start")
    /// An action with the accept label "Start navigation".
    public static let startNavigation = ConfirmationActionName("Start navigation")
    /// An action with the accept label "Toggle".
    public static let toggle = ConfirmationActionName("Toggle")
    /// An action with the accept label "Translate".
    public static let translate = ConfirmationActionName("Translate")
    /// An action with the accept label "Turn off".
    public static let turnOff = ConfirmationActionName("Turn off")
    /// An action with the accept label "Turn on".
    public static let turnOn = ConfirmationActionName("Turn on")
    /// An action with the accept label "View".
    public static let view = ConfirmationActionName("View")
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
        private enum Kind {
            case `default`
            case cancel
            case destructive
        }

        private let kind: Kind

        var wireStyle: EnumerationCase.Style? {
            switch kind {
            case .default: nil
            case .cancel: .cancel
            case .destructive: .destructive
            }
        }

        /// An ordinary option.
        public static let `default` = Style(kind: .default)
        /// An option that cancels the run.
        public static let cancel = Style(kind: .cancel)
        /// An option with an effect that cannot be undone.
        public static let destructive = Style(kind: .destructive)
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
