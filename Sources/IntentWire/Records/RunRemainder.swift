/// The unrecorded state of a run. The supervisor keeps it only in memory, and the launcher keeps a copy in memory for
/// the next supervisor.
package struct RunRemainder: Hashable, Sendable, Codable {
    /// The values of secret parameters, by name.
    package var secrets: [String: IntentValue]?
    /// The answers in advance to the run's questions.
    package var answers: AnswersInAdvance?
    /// The files that an agent passed, as the person who approves the run sees them.
    package var files: [PassedFile]?

    /// Creates the unrecorded state of a run; nil for a run that has neither secret values nor answers in advance nor
    /// files of an agent.
    package init?(secrets: [String: IntentValue]?, answers: AnswersInAdvance?, files: [PassedFile]? = nil) {
        self.secrets = secrets?.isEmpty == true ? nil : secrets
        self.answers = answers == AnswersInAdvance() ? nil : answers
        self.files = files?.isEmpty == true ? nil : files
        if self.secrets == nil, self.answers == nil, self.files == nil { return nil }
    }

    /// The unrecorded state that the next supervisor needs after the run has begun. It omits the secret values, which
    /// the worker has received, and ``AnswersInAdvance/values``, because only this supervisor records which of them
    /// were used.
    package var ofBegunRun: RunRemainder? {
        RunRemainder(
            secrets: nil,
            answers: answers.map { AnswersInAdvance(confirmations: $0.confirmations, others: $0.others) }
        )
    }
}
