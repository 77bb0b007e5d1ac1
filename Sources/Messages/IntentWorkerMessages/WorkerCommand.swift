package import IntentSharedTypes

/// A command from `intentd` to a worker.
package enum WorkerCommand: Hashable, Sendable {
    /// Receive files for the next `perform` command, because the run's files do not fit into one frame.
    case files(count: Int)
    /// Perform this worker's only run. The run's files are sent with the frame, except those in earlier `files`
    /// commands.
    case perform(PerformCommand)
    /// Cancel the run for the given reason. `intentd` sends SIGTERM after the grace period.
    case cancel(reason: CancellationReason, graceMilliseconds: Int64)
    /// Pass the answer to the code that asked the question with this number. `intentd` has checked the answer against
    /// the question's type. The answer's files are sent with the frame.
    case answer(question: UInt64, value: IntentValue, fileCount: Int = 0)
    /// Close the question with this number. The code that asked the question continues without an answer.
    case refuse(question: UInt64)
    /// Exit, because the result has been recorded.
    case acknowledge
    /// Report the state of the run to a new `intentd`, which has adopted the run. Then repeat the newest progress, the
    /// open question and the result.
    case resume(number: UInt64)
}

/// The run that a worker performs.
package struct PerformCommand: Hashable, Sendable, Codable {
    package var run: RunID
    /// The intent's name in its catalogue.
    package var intent: String
    /// The values by parameter name, checked against the catalogue.
    package var values: RunValues
    /// The number of files that the run receives.
    package var fileCount: Int
    /// The caller's locale, such as `de_AT`; nil to use the strings in the app's source code.
    package var locale: String?
    /// The options query to answer; nil to perform the intent.
    package var query: OptionsQuery?
    /// The W3C Trace Context, which the app reads from the environment variable `TRACEPARENT`.
    package var traceparent: String?
    /// True if the files are those of an earlier attempt, and must be read from their beginning; otherwise nil.
    package var rewinds: Bool?
    /// The strictest authentication policy that the caller satisfies, by the name of its case in Apple's
    /// IntentAuthenticationPolicy; nil if the caller satisfies only `alwaysAllowed`.
    package var authentication: String?
    /// True if an agent requested the run, because its model may have misunderstood the person; otherwise nil.
    package var isUncertain: Bool?
    /// The version of the intent in its catalogue (``IntentDetails/version``).
    package var version: String?

    package init(
        run: RunID,
        intent: String,
        values: RunValues,
        fileCount: Int,
        locale: String? = nil,
        query: OptionsQuery? = nil,
        traceparent: String? = nil,
        rewinds: Bool? = nil,
        authentication: String? = nil,
        isUncertain: Bool? = nil,
        version: String? = nil
    ) {
        self.run = run
        self.intent = intent
        self.values = values
        self.fileCount = fileCount
        self.locale = locale
        self.query = query
        self.traceparent = traceparent
        self.rewinds = rewinds
        self.authentication = authentication
        self.isUncertain = isUncertain
        self.version = version
    }

    private enum CodingKeys: String, CodingKey {
        case run, intent, values
        case fileCount = "files"
        case locale, query, traceparent, rewinds, authentication, isUncertain, version
    }
}

extension WorkerCommand: Codable {
    package static let valueLimit = Int.max

    private enum CodingKeys: CaseName { case files, perform, cancel, answer, refuse, acknowledge, resume }
    private enum FilesCodingKeys: String, CodingKey { case count = "files" }
    private enum AnswerCodingKeys: String, CodingKey { case question, value, fileCount = "files?" }
}
