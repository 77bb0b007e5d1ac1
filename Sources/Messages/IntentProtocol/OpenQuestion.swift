/// An open question, as clients receive it.
public struct OpenQuestion: Hashable, Sendable {
    /// The question.
    public var question: Question
    /// The time until the question expires, including time during which the machine is suspended.
    public var remaining: Duration
    /// True when the requester may not answer: the operator requires another user (`Confirm=`), or an agent requested
    /// the run and a person must answer.
    public var needsOther: Bool?
    /// What an approval can cover beyond the run; nil if it covers the run alone.
    public var scope: ApprovalScope?

    /// Creates an open question.
    public init(_ question: Question, remaining: Duration, needsOther: Bool? = nil) {
        self.question = question
        self.remaining = remaining
        self.needsOther = needsOther
    }
}

extension OpenQuestion: Codable {
    private enum Key: String, CodingKey { case remainingMilliseconds, needsOther, scope }

    public init(from decoder: any Decoder) throws {
        question = try Question(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        remaining = .milliseconds(try container.decode(Int64.self, forKey: .remainingMilliseconds))
        needsOther = try container.decodeIfPresent(Bool.self, forKey: .needsOther)
        scope = try container.decodeIfPresent(ApprovalScope.self, forKey: .scope)
    }

    public func encode(to encoder: any Encoder) throws {
        try question.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(remaining.wholeMilliseconds, forKey: .remainingMilliseconds)
        try container.encodeIfPresent(needsOther, forKey: .needsOther)
        try container.encodeIfPresent(scope, forKey: .scope)
    }
}
