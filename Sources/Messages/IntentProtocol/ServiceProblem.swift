/// A problem that currently prevents runs, or lets a user exceed a share.
public struct ServiceProblem: Hashable, Sendable, Codable {
    /// The app that cannot be used; nil for a problem of the daemon itself.
    public var app: String?
    /// The operator's file that contains a mistake; nil for other problems. The settings in effect can be older than the
    /// file.
    public var file: String?
    /// The problem and its cause, as one line for users.
    public var message: String
    /// The next step for the operator.
    public var hint: String?

    /// Creates a problem.
    public init(app: String? = nil, file: String? = nil, message: String, hint: String? = nil) {
        self.app = app
        self.file = file
        self.message = message
        self.hint = hint
    }
}
