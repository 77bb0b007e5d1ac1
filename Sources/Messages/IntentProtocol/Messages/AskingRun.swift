/// A run that is waiting for an answer, as shown to users who are permitted to answer.
public struct AskingRun: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The app's name.
    public var app: String
    /// The intent's name.
    public var intent: String
    /// The uid of the run's owner.
    public var user: UInt32
    /// The title of the run: the intent's sentence with the values; nil when the intent has no sentence.
    public var title: String?
    /// The open question.
    public var question: OpenQuestion

    /// Creates a description of a run that is waiting for an answer.
    public init(run: RunID, app: String, intent: String, user: UInt32, title: String?, question: OpenQuestion) {
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.title = title
        self.question = question
    }
}
