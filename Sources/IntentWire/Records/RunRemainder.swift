package import IntentProtocol

/// The part of a run's state that is never recorded. It exists only in the memory of the supervisor and, for the next
/// supervisor, of the launcher.
package struct RunRemainder: Hashable, Sendable, Codable {
    /// The values of secret parameters, by name.
    package var secrets: [String: IntentValue]?
    /// Answers in advance to the run's questions.
    package var answers: AnswersInAdvance?

    /// Creates a remainder. Returns nil for a run that has neither secret values nor answers in advance.
    package init?(secrets: [String: IntentValue]?, answers: AnswersInAdvance?) {
        self.secrets = secrets?.isEmpty == true ? nil : secrets
        self.answers = answers == AnswersInAdvance() ? nil : answers
        if self.secrets == nil, self.answers == nil { return nil }
    }

    /// The part of the remainder that is still needed after the run has begun. By then, the worker has received the
    /// values, and only this process can determine which answers have been used.
    package var ofBegunRun: RunRemainder? {
        RunRemainder(
            secrets: nil,
            answers: answers.map { AnswersInAdvance(confirmations: $0.confirmations, others: $0.others) }
        )
    }
}
