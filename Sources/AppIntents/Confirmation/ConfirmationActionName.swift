import IntentWire

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

    /// Returns an action with labels that the app defines. The alternatives are ignored on Linux.
    public static func custom(
        acceptLabel: LocalizedStringResource,
        acceptAlternatives: [LocalizedStringResource],
        denyLabel: LocalizedStringResource,
        denyAlternatives: [LocalizedStringResource],
        destructive: Bool = false
    ) -> ConfirmationActionName {
        ConfirmationActionName(accept: acceptLabel, deny: denyLabel, isDestructive: destructive)
    }

    /// The action "Add".
    public static let add = ConfirmationActionName("Add")
    /// The action "Add data".
    public static let addData = ConfirmationActionName("Add data")
    /// The action "Book".
    public static let book = ConfirmationActionName("Book")
    /// The action "Buy".
    public static let buy = ConfirmationActionName("Buy")
    /// The action "Call".
    public static let call = ConfirmationActionName("Call")
    /// The action "Check in".
    public static let checkIn = ConfirmationActionName("Check in")
    /// The action "Continue".
    public static let `continue` = ConfirmationActionName("Continue")
    /// The action "Create".
    public static let create = ConfirmationActionName("Create")
    /// The action "Do".
    public static let `do` = ConfirmationActionName("Do")
    /// The action "Download".
    public static let download = ConfirmationActionName("Download")
    /// The action "Filter".
    public static let filter = ConfirmationActionName("Filter")
    /// The action "Find".
    public static let find = ConfirmationActionName("Find")
    /// The action "Get".
    public static let get = ConfirmationActionName("Get")
    /// The action "Go".
    public static let go = ConfirmationActionName("Go")
    /// The action "Log".
    public static let log = ConfirmationActionName("Log")
    /// The action "Open".
    public static let open = ConfirmationActionName("Open")
    /// The action "Order".
    public static let order = ConfirmationActionName("Order")
    /// The action "Pay".
    public static let pay = ConfirmationActionName("Pay")
    /// The action "Play".
    public static let play = ConfirmationActionName("Play")
    /// The action "Play sound".
    public static let playSound = ConfirmationActionName("Play sound")
    /// The action "Post".
    public static let post = ConfirmationActionName("Post")
    /// The action "Request".
    public static let request = ConfirmationActionName("Request")
    /// The action "Run".
    public static let run = ConfirmationActionName("Run")
    /// The action "Search".
    public static let search = ConfirmationActionName("Search")
    /// The action "Send".
    public static let send = ConfirmationActionName("Send")
    /// The action "Set".
    public static let set = ConfirmationActionName("Set")
    /// The action "Share".
    public static let share = ConfirmationActionName("Share")
    /// The action "Start".
    public static let start = ConfirmationActionName("Start")
    /// The action "Start navigation".
    public static let startNavigation = ConfirmationActionName("Start navigation")
    /// The action "Toggle".
    public static let toggle = ConfirmationActionName("Toggle")
    /// The action "Translate".
    public static let translate = ConfirmationActionName("Translate")
    /// The action "Turn off".
    public static let turnOff = ConfirmationActionName("Turn off")
    /// The action "Turn on".
    public static let turnOn = ConfirmationActionName("Turn on")
    /// The action "View".
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
