/// An answer as it is kept.
public struct RecordedAnswer: Hashable, Sendable, Codable {
    public var question: UInt64
    /// Who gave it; nil in what an earlier version recorded.
    public var user: UInt32?
    public var process: Int32?
    public var software: String?
    /// True when it came with the wish to perform.
    public var isInAdvance: Bool?
    /// Nil where it is secret, or of no parameter, so that nobody can say whether it is.
    public var value: IntentValue?

    public init(question: UInt64) {
        self.question = question
    }

    public init(_ notice: AnswerNotice, value: IntentValue?) {
        question = notice.question
        user = notice.user
        process = notice.process
        software = notice.software
        isInAdvance = notice.isInAdvance
        self.value = value
    }
}
