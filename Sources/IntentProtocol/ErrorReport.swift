/// What is said to a client whose request failed: what, why, and the next step.
public struct ErrorReport: Error, Hashable, Sendable, Codable {
    public var code: Code
    public var message: String
    public var hint: String?
    /// About how long to wait before the same request may succeed; nil where waiting does not help.
    @OptionalMilliseconds public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    private enum CodingKeys: String, CodingKey {
        case code, message, hint
        case retryAfter = "retryAfterMilliseconds"
    }

    /// The kinds of failure; new ones may come, so a client treats one it does not know as a plain failure.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no app of that name.
        public static let unknownApp = Code(rawValue: "unknownApp")
        /// The app has no intent of that name.
        public static let unknownIntent = Code(rawValue: "unknownIntent")
        /// There is no such run, or it is somebody else's.
        public static let unknownRun = Code(rawValue: "unknownRun")
        /// The intent has no parameter of that name.
        public static let unknownParameter = Code(rawValue: "unknownParameter")
        /// A parameter without default got no value.
        public static let missingParameter = Code(rawValue: "missingParameter")
        /// A parameter's value is not of its type.
        public static let badParameter = Code(rawValue: "badParameter")
        /// The request's fields are not what its type asks for.
        public static let badRequest = Code(rawValue: "badRequest")
        /// The request's type is not known to this version.
        public static let unknownRequest = Code(rawValue: "unknownRequest")
        /// The request or a value in it is over a limit of size.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Every place is taken and the queue is full.
        public static let busy = Code(rawValue: "busy")
        /// `intentd` stops and takes no new runs.
        public static let stopping = Code(rawValue: "stopping")
        /// The operator does not let the caller do this.
        public static let notPermitted = Code(rawValue: "notPermitted")
        /// Nothing can be put on record now, or read from it.
        public static let historyUnavailable = Code(rawValue: "historyUnavailable")
        /// The key belongs to another wish.
        public static let keyConflict = Code(rawValue: "keyConflict")
        /// The run waits with no question, or not with that one any more.
        public static let noQuestion = Code(rawValue: "noQuestion")
        /// The answer does not fit the question, which stays open.
        public static let badAnswer = Code(rawValue: "badAnswer")
        /// The run registered nothing that takes it back.
        public static let cannotUndo = Code(rawValue: "cannotUndo")
        /// The app's executable could not give its catalogue.
        public static let brokenApp = Code(rawValue: "brokenApp")
        /// The operator's files have mistakes, and what they said before still holds.
        public static let badConfiguration = Code(rawValue: "badConfiguration")
        /// A new program cannot take over, or there is none.
        public static let notUpgraded = Code(rawValue: "notUpgraded")
        /// The bytes are not this protocol, or not this version of it; the connection ends.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
    }
}
