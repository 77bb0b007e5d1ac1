/// What an approval can cover beyond its run, if the operator permits it (`ApproveFor=`).
public struct ApprovalScope: Hashable, Sendable, Codable {
    /// The later requests that the approval would cover, as text for the user who approves.
    public var text: String
    /// The longest time for which the approval may stay open.
    @Milliseconds public var longest: Duration

    /// Creates a scope.
    public init(text: String, longest: Duration) {
        self.text = text
        self.longest = longest
    }

    private enum CodingKeys: String, CodingKey {
        case text
        case longest = "longestMilliseconds"
    }
}

/// An approval that stays open after its run: until its end, it also approves later requests of an agent.
public struct StandingApproval: Hashable, Sendable, Codable {
    /// The run that the user approved.
    public var run: RunID
    /// The name of the run's app.
    public var app: String
    /// The name of the run's intent.
    public var intent: String
    /// The uid of the user who approved the run.
    public var user: UInt32
    /// The requests that the approval covers, as text for users.
    public var text: String
    /// The time until the approval ends, including time during which the machine is suspended.
    @Milliseconds public var remaining: Duration

    /// Creates a description of a standing approval.
    public init(run: RunID, app: String, intent: String, user: UInt32, text: String, remaining: Duration) {
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.text = text
        self.remaining = remaining
    }

    private enum CodingKeys: String, CodingKey {
        case run, app, intent, user, text
        case remaining = "remainingMilliseconds"
    }
}
