package import IntentProtocol

/// What a run needs and nobody's record has. It stays in memory: of the supervisor, and for the next one of the launcher.
package struct RunRemainder: Hashable, Sendable, Codable {
    /// Values of secret parameters, by name.
    package var secrets: [String: IntentValue]?
    /// What was said beforehand to its questions.
    package var answers: AnswersInAdvance?

    /// Nil when there is nothing of that.
    package init?(secrets: [String: IntentValue]?, answers: AnswersInAdvance?) {
        self.secrets = secrets?.isEmpty == true ? nil : secrets
        self.answers = answers == AnswersInAdvance() ? nil : answers
        if self.secrets == nil, self.answers == nil { return nil }
    }

    /// What is left of it when the run has begun: values have gone to it, and which of the answers were given already is
    /// known here alone.
    package var ofBegunRun: RunRemainder? {
        RunRemainder(
            secrets: nil,
            answers: answers.map { AnswersInAdvance(confirmations: $0.confirmations, others: $0.others) }
        )
    }
}
