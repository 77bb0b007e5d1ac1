/// The names of an app and one of its intents, such as `Soup/OrderSoup`.
public struct IntentName: Hashable, Sendable {
    /// The app's name.
    public let app: String
    /// The intent's name, with or without the suffix `Intent`.
    public let intent: String

    /// Creates a name from its two parts.
    public init(app: String, intent: String) {
        self.app = app
        self.intent = intent
    }

    /// Parses `APP/INTENT`; nil if the string does not consist of two parts separated by a slash.
    public init?(_ text: some StringProtocol) {
        let parts = Substring(text).split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].utf8.isEmpty, !parts[1].utf8.isEmpty else { return nil }
        self.init(app: String(parts[0]), intent: String(parts[1]))
    }
}

extension IntentName: CustomStringConvertible {
    /// The name in the form `APP/INTENT`.
    public var description: String { "\(app)/\(intent)" }
}

extension IntentName: ExpressibleByStringLiteral {
    /// Creates a name from a literal of the form `APP/INTENT`. Any other literal stops the program. To parse a string
    /// from another source, use ``init(_:)``.
    public init(stringLiteral text: String) {
        guard let name = IntentName(text) else {
            preconditionFailure("expected the name of an intent in the form \"APP/INTENT\", got \"\(text)\"")
        }
        self = name
    }
}
