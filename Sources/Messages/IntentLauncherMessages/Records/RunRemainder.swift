/// The unrecorded state of a run. The supervisor keeps it only in memory, and the launcher keeps a copy in memory for
/// the next supervisor.
package struct RunRemainder: Hashable, Sendable, Codable {
    /// The values of secret parameters, by name.
    package var secrets: [String: IntentValue]?
    /// The answers in advance to the run's questions.
    package var answers: AnswersInAdvance?
    /// The files that an agent passed, as the person who approves the run sees them.
    package var files: [PassedFile]?
    /// The size of the copies that a begun run has received; nil for none.
    package var copiedByteCount: Int?

    /// Creates the unrecorded state of a run; nil for a run that has neither secret values nor answers in advance nor
    /// files of an agent.
    package init?(
        secrets: [String: IntentValue]?,
        answers: AnswersInAdvance?,
        files: [PassedFile]? = nil,
        copiedByteCount: Int = 0
    ) {
        self.secrets = secrets?.isEmpty == true ? nil : secrets
        self.answers = answers == AnswersInAdvance() ? nil : answers
        self.files = files?.isEmpty == true ? nil : files
        self.copiedByteCount = copiedByteCount > 0 ? copiedByteCount : nil
        if self.secrets == nil, self.answers == nil, self.files == nil, self.copiedByteCount == nil { return nil }
    }

    /// The size of all copies of the run's files.
    package var totalCopiedByteCount: Int {
        (files ?? []).reduce(copiedByteCount ?? 0) { $0 + $1.copiedByteCount }
    }

    /// The unrecorded state that the next supervisor needs after the run has begun. It omits the secret values, which
    /// the worker has received, and ``AnswersInAdvance/values``, because only this supervisor records which of them
    /// were used.
    package var ofBegunRun: RunRemainder? {
        RunRemainder(
            secrets: nil,
            answers: answers.map { AnswersInAdvance(confirmations: $0.confirmations, others: $0.others) },
            // The copies exist until the run has ended, so the next supervisor must count them.
            copiedByteCount: totalCopiedByteCount
        )
    }
}
