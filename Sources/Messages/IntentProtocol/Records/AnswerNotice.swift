/// A notice that a user answered a question. It does not contain the answer.
public struct AnswerNotice: Hashable, Sendable, Codable {
    /// The number of the answered question.
    public var question: UInt64
    /// The uid of the user who answered.
    public var user: UInt32
    /// The pid of the client that sent the answer.
    public var process: Int32
    /// The name and version of the client that sent the answer, as reported in its `hello`.
    public var software: String
    /// True when the answer was sent in advance, together with the `perform` request.
    public var isInAdvance: Bool?
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

    /// Creates an answer notice.
    public init(question: UInt64, by caller: CallerProcess, isInAdvance: Bool? = nil) {
        self.question = question
        user = caller.user
        process = caller.process
        software = caller.software
        self.isInAdvance = isInAdvance
    }
}
