/// A problem that currently prevents runs, or lets a user exceed a share.
public struct ServiceProblem: Hashable, Sendable, Codable {
    /// The app that cannot be used; nil for a problem of the daemon itself.
    public var app: String?
    /// The problem and its cause, as one line for users.
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
