import IntentWire

/// What a person does by saying yes: order, send, pay.
///
/// Source: Apple's ConfirmationActionName page.
public struct ConfirmationActionName: Sendable, Hashable {
    let acceptLabel: LocalizedStringResource
    let denyLabel: LocalizedStringResource
    /// True: it cannot be undone.
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

    /// An action in words of the app. What else a person may say has no meaning on Linux.
    public static func custom(
        acceptLabel: LocalizedStringResource,
        acceptAlternatives: [LocalizedStringResource],
        denyLabel: LocalizedStringResource,
        denyAlternatives: [LocalizedStringResource],
        destructive: Bool = false
    ) -> ConfirmationActionName {
        ConfirmationActionName(accept: acceptLabel, deny: denyLabel, isDestructive: destructive)
    }

    public static let add = ConfirmationActionName("Add")
    public static let addData = ConfirmationActionName("Add data")
    public static let book = ConfirmationActionName("Book")
    public static let buy = ConfirmationActionName("Buy")
    public static let call = ConfirmationActionName("Call")
    public static let checkIn = ConfirmationActionName("Check in")
    public static let `continue` = ConfirmationActionName("Continue")
    public static let create = ConfirmationActionName("Create")
    public static let `do` = ConfirmationActionName("Do")
    public static let download = ConfirmationActionName("Download")
    public static let filter = ConfirmationActionName("Filter")
    public static let find = ConfirmationActionName("Find")
    public static let get = ConfirmationActionName("Get")
    public static let go = ConfirmationActionName("Go")
    public static let log = ConfirmationActionName("Log")
    public static let open = ConfirmationActionName("Open")
    public static let order = ConfirmationActionName("Order")
    public static let pay = ConfirmationActionName("Pay")
    public static let play = ConfirmationActionName("Play")
    public static let playSound = ConfirmationActionName("Play sound")
    public static let post = ConfirmationActionName("Post")
    public static let request = ConfirmationActionName("Request")
    public static let run = ConfirmationActionName("Run")
    public static let search = ConfirmationActionName("Search")
    public static let send = ConfirmationActionName("Send")
    public static let set = ConfirmationActionName("Set")
    public static let share = ConfirmationActionName("Share")
    public static let start = ConfirmationActionName("Start")
    public static let startNavigation = ConfirmationActionName("Start navigation")
    public static let toggle = ConfirmationActionName("Toggle")
    public static let translate = ConfirmationActionName("Translate")
    public static let turnOff = ConfirmationActionName("Turn off")
    public static let turnOn = ConfirmationActionName("Turn on")
    public static let view = ConfirmationActionName("View")
}

/// When a confirmation is asked for; none: always.
///
/// Source: Apple's ConfirmationConditions page.
public struct ConfirmationConditions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// What asks for the run may have misunderstood somebody.
    public static let lowConfidenceSource = ConfirmationConditions(rawValue: 1 << 0)
}

/// One of several answers.
///
/// Source: Apple's IntentChoiceOption page.
public struct IntentChoiceOption: Sendable, Hashable {
    /// How an answer looks.
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

        /// As any other.
        public static let `default` = Style(kind: .default)
        /// It ends the run.
        public static let cancel = Style(kind: .cancel)
        /// It cannot be undone.
        public static let destructive = Style(kind: .destructive)
    }

    /// What the answer is called.
    public let title: LocalizedStringResource
    /// How it looks.
    public let style: Style

    public init(title: LocalizedStringResource, style: Style = .default) {
        self.title = title
        self.style = style
    }

    /// The answer that ends the run.
    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)
}
