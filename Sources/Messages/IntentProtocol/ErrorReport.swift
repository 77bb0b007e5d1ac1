/// The error of a failed request: what failed, why, and the next step.
public struct ErrorReport: Error, Hashable, Sendable, Codable {
    /// The kind of failure, for programs that handle the error.
    public var code: Code
    /// The error message: what failed and why.
    public var message: String
    /// The next step for the user; nil when there is no useful step.
    public var hint: String?
    /// The approximate time to wait before the same request can succeed; nil when waiting does not help.
    @OptionalMilliseconds public var retryAfter: Duration?

    /// Creates an error report.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    private enum CodingKeys: String, CodingKey {
        case code, message, hint
        case retryAfter = "retryAfterMilliseconds"
    }

    /// The kinds of failure. Later releases can add others: treat an unknown code as a general failure.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The code's name in messages.
        public let rawValue: String

        /// Creates a code from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No app has this name.
        public static let unknownApp = Code(rawValue: "unknownApp")
        /// The app has no intent with this name.
        public static let unknownIntent = Code(rawValue: "unknownIntent")
        /// The caller has no run with this identifier. Runs of other users are reported as unknown.
        public static let unknownRun = Code(rawValue: "unknownRun")
        /// The intent has no parameter with this name.
        public static let unknownParameter = Code(rawValue: "unknownParameter")
        /// A required parameter has no value.
        public static let missingParameter = Code(rawValue: "missingParameter")
        /// A parameter's value has the wrong type or is out of bounds.
        public static let badParameter = Code(rawValue: "badParameter")
        /// A field of the request is missing or has the wrong type.
        public static let badRequest = Code(rawValue: "badRequest")
        /// The type of the request is unknown to this release.
        public static let unknownRequest = Code(rawValue: "unknownRequest")
        /// The request, or a value in it, is too large.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A limit is reached, for example because the backlog is full, or the run has not ended yet. The request can
        /// succeed later. ``ErrorReport/retryAfter``, if set, is the time to wait.
        public static let busy = Code(rawValue: "busy")
        /// `intentd` is stopping and accepts no runs.
        public static let stopping = Code(rawValue: "stopping")
        /// The operator has not permitted the caller to make this request.
        public static let notPermitted = Code(rawValue: "notPermitted")
        /// The history is currently unreadable or unwritable.
        public static let historyUnavailable = Code(rawValue: "historyUnavailable")
        /// An earlier request has the same key and different values.
        public static let keyConflict = Code(rawValue: "keyConflict")
        /// The run has no open question, or its open question has a different number.
        public static let noQuestion = Code(rawValue: "noQuestion")
        /// The answer is invalid for the question. The question stays open.
        public static let badAnswer = Code(rawValue: "badAnswer")
        /// The ticket was issued to another user or for another call, or was already redeemed.
        public static let badTicket = Code(rawValue: "badTicket")
        /// The run registered no undo action, or the action was not recorded.
        public static let cannotUndo = Code(rawValue: "cannotUndo")
        /// The app cannot be used: its executable could not report its catalogue, or its files have mistakes.
        public static let brokenApp = Code(rawValue: "brokenApp")
        /// The operator's files have mistakes. The previous configuration stays in effect.
        public static let badConfiguration = Code(rawValue: "badConfiguration")
        /// `intentd` was not upgraded, for example because the installed version cannot take over.
        public static let notUpgraded = Code(rawValue: "notUpgraded")
        /// The client violated the protocol, for example with bytes that are not a message of this protocol version.
        /// `intentd` closes the connection.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
    }
}
