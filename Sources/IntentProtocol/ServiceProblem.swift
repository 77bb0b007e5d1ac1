/// A reason why runs cannot be performed at present.
public struct ServiceProblem: Hashable, Sendable, Codable {
    /// The app that cannot be used; nil when the daemon accepts no new run of any app.
    public var app: String?
    /// The fault and its cause, as one line of text for users.
    public var message: String
    /// The next step for the operator.
    public var hint: String?

    /// Creates a problem.
    public init(app: String? = nil, message: String, hint: String? = nil) {
        self.app = app
        self.message = message
        self.hint = hint
    }
}
