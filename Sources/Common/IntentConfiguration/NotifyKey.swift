import IntentLauncherMessages

/// The keys of `[Notify]`.
enum NotifyKey: String, SettingKey {
    case onFailure = "OnFailure"
    case onRecovery = "OnRecovery"
    case onSuccess = "OnSuccess"
    case onQuestion = "OnQuestion"
    case expectEvery = "ExpectEvery"
    case after = "After"
    /// The key is valid only in `intentd.conf`.
    case user = "User"
    /// The key is valid only in `intentd.conf`.
    case perHour = "PerHour"

    /// The keys that are also valid in the apps' files, including `[Intent NAME]`.
    static let ofApps: [NotifyKey] = [.onFailure, .onRecovery, .onSuccess, .onQuestion, .expectEvery, .after]
    static let counts = 1...1000
    private static let intent = SettingForm.value(
        name: "app/intent",
        of: "an app name, a slash, and an intent name"
    )

    var manual: SettingManual {
        let builtIn = DaemonSettings.builtIn
        switch self {
        case .onFailure:
            return SettingManual(
                Self.intent,
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
            return SettingManual(
                Self.intent,
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
            return SettingManual(
                Self.intent,
                example: "Webhook/Post",
                """
                The intent that reports successes, except those that
                .Cm OnRecovery=
                reports.
                """
            )
        case .onQuestion:
            return SettingManual(
                Self.intent,
                example: "Mail/Send",
                """
                The intent that tells a person that a run waits for an answer, and again when a quarter of
                .Cm QuestionTimeout=
                is left.
                A question is not reported if a person at a terminal has started the run and may answer.
                """
            )
        case .expectEvery:
            return SettingManual(
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
            )
        case .after:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.notify.after)",
                example: "3",
                """
                The number of consecutive failures after which a failure is reported.
                Failures are counted for each schedule, and otherwise for each intent, user and values.
                The counts survive a restart of intentd.
                A start of a schedule that does not result in a run counts as a failure.
                """
            )
        case .user:
            return SettingManual(
                .value(name: "user", of: "a name or a uid"),
                standard: "intentd's user",
                example: "monitor",
                """
                The user who runs the intents of
                .Li [Notify] ,
                and owns these runs.
                The user must have permission to run the intents.
                """
            )
        case .perHour:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.notifyPerHour)",
                example: "5",
                """
                The maximum number of notifications per hour about the runs and schedules of one app and user.
                Additional notifications are dropped.
                The first dropped notification in an hour is logged.
                """
            )
        }
    }
}
