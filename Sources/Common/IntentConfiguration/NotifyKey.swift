import IntentLauncherMessages

/// The keys of `[Notify]` that `intentd.conf` and the apps' files accept, including `[Intent NAME]`.
enum NotifyKey: String, TabledKey {
    case onFailure = "OnFailure"
    case onRecovery = "OnRecovery"
    case onSuccess = "OnSuccess"
    case onQuestion = "OnQuestion"
    case expectEvery = "ExpectEvery"
    case after = "After"

    static let counts = 1...1000

    var setting: Setting<NotifyRule> {
        switch self {
        case .onFailure:
            Self.intent(
                \.onFailure,
                example: "Mail/Send",
                """
                The intent that reports failures.
                It is performed once when
                .Cm After=
                consecutive runs have failed, and again only after a success.
                A run fails if it ends with an outcome other than
                .Li done
                and
                .Li cancelled ,
                or if it is cancelled because it exceeded a time limit.
                A run that was cancelled by a user, a disconnecting client, a newer run or the shutdown of intentd
                is counted neither as a failure nor as a success.
                """
            )
        case .onRecovery:
            Self.intent(
                \.onRecovery,
                example: "Mail/Send",
                """
                The intent that reports the first success after
                .Cm After=
                or more consecutive failures, or after an
                .Li overdue
                schedule was reported.
                """
            )
        case .onSuccess:
            Self.intent(
                \.onSuccess,
                example: "Webhook/Post",
                """
                The intent that reports successes, except those that
                .Cm OnRecovery=
                reports.
                """
            )
        case .onQuestion:
            Self.intent(
                \.onQuestion,
                example: "Mail/Send",
                """
                The intent that tells a person that a run waits for an answer, and again when a quarter of
                .Cm QuestionTimeout=
                is left.
                A question is not reported if a person at a terminal has started the run and may answer.
                """
            )
        case .expectEvery:
            Setting(
                \.expectEvery,
                .span,
                standard: "no expectation",
                example: "26h",
                """
                The time within which each schedule must have a success.
                Otherwise
                .Cm OnFailure=
                is performed once with the event
                .Li overdue .
                The time begins with the first start of the schedule, and continues while intentd or the host is down.
                """
            ) { (assignment) throws(ConfigurationProblem) in try assignment.span() }
        case .after:
            .count(
                \.after,
                in: Self.counts,
                example: "3",
                """
                The number of consecutive failures after which a failure is reported.
                Failures are counted for each schedule, and otherwise for each intent, user and values.
                The counts survive a restart of intentd.
                A start of a schedule that does not result in a run counts as a failure.
                """
            )
        }
    }

    private static func intent(
        _ property: WritableKeyPath<NotifyRule, NotifyRule.Target?>,
        example: String,
        _ text: String
    ) -> Setting<NotifyRule> {
        Setting(
            property,
            .value(name: "app/intent", of: "an app name, a slash, and an intent name"),
            standard: "none",
            example: example,
            text
        ) { (assignment) throws(ConfigurationProblem) in
            try assignment.parsed(as: "APP/INTENT") { NotifyRule.Target($0) }
        }
    }
}
