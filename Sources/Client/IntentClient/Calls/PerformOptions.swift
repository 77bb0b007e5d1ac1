/// The properties of a run other than its intent and values.
public struct PerformOptions: Hashable, Sendable {
    /// The requested time limit; nil for the intent's own limit. The operator's maximum still applies.
    public var limit: Duration?
    /// The requested ceiling; nil for the intent's own ceiling. The operator's maximum still applies.
    public var ceiling: Duration?
    /// Whether the run is cancelled or continues when the connection closes.
    public var onDisconnect: DisconnectRule
    /// An idempotency key of 1 to 200 bytes. While the run is on record, requests from the same user for the same
    /// intent with this key refer to the same run.
    public var key: String?
    /// The caller's locale, in the form of `LANG`: `de_AT.UTF-8`. Nil to receive the strings in the app's source code.
    public var locale: String?
    /// Answers in advance to questions that the run may ask; nil to leave each question open.
    public var answers: AnswersInAdvance?
    /// True when a person is waiting for the run, which then precedes the caller's other runs in the backlog.
    public var isInteractive: Bool

    /// Creates options. Without arguments, the intent's own limits apply, and the run is cancelled when the connection
    /// closes.
    public init(
        limit: Duration? = nil,
        ceiling: Duration? = nil,
        onDisconnect: DisconnectRule = .cancel,
        key: String? = nil,
        locale: String? = nil,
        answers: AnswersInAdvance? = nil,
        isInteractive: Bool = false
    ) {
        self.limit = limit
        self.ceiling = ceiling
        self.onDisconnect = onDisconnect
        self.key = key
        self.locale = locale
        self.answers = answers
        self.isInteractive = isInteractive
    }
}
