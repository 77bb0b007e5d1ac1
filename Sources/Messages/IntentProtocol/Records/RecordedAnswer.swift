/// An answer as recorded in history.
public struct RecordedAnswer: Hashable, Sendable, Codable {
    /// The question's number.
    public var question: UInt64
    /// The uid of the user who answered; nil in a record from an earlier release.
    public var user: UInt32?
    /// The pid of the client that sent the answer.
    public var process: Int32?
    /// The name and version of the client that sent the answer.
    public var software: String?
    /// True when the answer was sent in advance, together with the `perform` request.
    public var isInAdvance: Bool?
    /// The answer; nil when it is or may be secret. An answer may be secret if its question asks for a value and
    /// concerns no parameter, or concerns a parameter of an adopted run.
    public var value: IntentValue?
    /// The entry point of the answer; nil when the client did not report it.
    public var entryPoint: EntryPoint?
    /// The SHA-256 digest of the intent, values and files that the answer approves; nil for an answer to a question
    /// other than question 0.
    public var digest: String?
    /// True when the approving user is also the user of the agent's process, so the agent may have approved its own
    /// request.
    public var isSameUser: Bool?
    /// The approval that stays open, or that approved this run in advance; nil for other answers.
    public var standing: StandingApproval?
    /// The place of the answer in the chain of decisions; nil for an answer that is no decision, and in a record from
    /// an earlier release or from another history.
    public var link: DecisionLink?

    /// Creates an answer without a value.
    public init(question: UInt64) {
        self.question = question
    }

    /// Creates the record of an answer from its notice.
    public init(_ notice: AnswerNotice, value: IntentValue?) {
        question = notice.question
        user = notice.user
        process = notice.process
        software = notice.software
        isInAdvance = notice.isInAdvance
        entryPoint = notice.entryPoint
        digest = notice.digest
        isSameUser = notice.isSameUser
        standing = notice.standing
        self.value = value
    }
}
