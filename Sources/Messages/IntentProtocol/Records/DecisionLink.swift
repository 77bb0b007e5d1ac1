/// The place of a decision in the chain of a user's decisions.
///
/// A decision is an answer to a confirmation. History numbers the decisions in the runs of each user, and each contains
/// the hash of the decision before it. History keeps the last number and hash after it has removed runs, so that a
/// removed decision leaves a gap.
public struct DecisionLink: Hashable, Sendable, Codable {
    /// The number of the decision, from 1.
    public var number: Int64
    /// The hash of the decision before this one; 64 zeros in the first decision.
    public var previous: String
    /// The SHA-256 of the decision, in hexadecimal digits.
    public var hash: String

    /// Creates a link.
    public init(number: Int64, previous: String, hash: String) {
        self.number = number
        self.previous = previous
        self.hash = hash
    }

    /// What ``previous`` contains in the first decision of a chain.
    package static let start = String(repeating: "0", count: 64)

    /// Returns the bytes to hash for a decision.
    package static func bytes(
        number: Int64,
        previous: String,
        run: RunID,
        app: String,
        intent: String,
        question: Question,
        answer: RecordedAnswer,
        isApproved: Bool,
        at time: Timestamp
    ) -> [UInt8] {
        bytes(of: [
            previous, "\(number)", run.text, app, intent, "\(question.number)", question.text,
            isApproved ? "approved" : "refused", "\(time.millisecondsSince1970)", answer.user.map { "\($0)" } ?? "",
            answer.software ?? "", answer.digest ?? "", answer.entryPoint?.rawValue ?? "",
            answer.isSameUser == true ? "own user" : "", answer.standing?.run.text ?? "",
        ])
    }

    /// Returns the bytes to hash: each part with its length in bytes and a colon before it.
    package static func bytes(of parts: [String]) -> [UInt8] {
        parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
    }
}

/// The last decision of a user's chain, which history keeps after it has removed runs.
public struct DecisionHead: Hashable, Sendable, Codable {
    /// The uid of the owner of the runs.
    public var user: UInt32
    /// The name of the user's account; empty when no account had the uid.
    public var userName: String
    /// The number of the last decision.
    public var number: Int64
    /// The hash of the last decision.
    public var hash: String

    /// Creates a head.
    public init(user: UInt32, userName: String, number: Int64, hash: String) {
        self.user = user
        self.userName = userName
        self.number = number
        self.hash = hash
    }
}
