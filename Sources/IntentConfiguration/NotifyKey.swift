import IntentWire

/// The keys of `[Notify]`.
enum NotifyKey: String, SettingKey {
    case onFailure = "OnFailure"
    case onRecovery = "OnRecovery"
    case onSuccess = "OnSuccess"
    case after = "After"
    /// Only in `intentd.conf`.
    case user = "User"
    /// Only in `intentd.conf`.
    case perHour = "PerHour"

    /// The keys that files of apps have, too, also in `[Intent NAME]`.
    static let ofApps: [NotifyKey] = [.onFailure, .onRecovery, .onSuccess, .after]
    static let counts = 1...1000
    private static let intent = SettingForm.value(
        name: "app/intent",
        of: "the name of an app, a slash and the name of an intent"
    )

    var manual: SettingManual {
        let builtIn = DaemonSettings.builtIn
        switch self {
        case .onFailure:
            return SettingManual(
                Self.intent,
                standard: "none",
                example: "Mail/Send",
                """
                The intent that reports failures.
                It is performed once when
                .Cm After=
                runs in a row have failed, and again only after a success.
                A run fails if it ends with any outcome other than
                .Li done
                and
                .Li cancelled ;
                a run that exceeded a time limit failed, too.
                A run that a user, a leaving client, a newer run or the end of intentd cancelled counts neither as failure nor as success.
                """
            )
        case .onRecovery:
            return SettingManual(
                Self.intent,
                standard: "none",
                example: "Mail/Send",
                """
                The intent that reports the first success after
                .Cm After=
                or more failures in a row.
                """
            )
        case .onSuccess:
            return SettingManual(
                Self.intent,
                standard: "none",
                example: "Webhook/Post",
                """
                The intent that reports every success, except those that
                .Cm OnRecovery=
                reports.
                """
            )
        case .after:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.notify.after)",
                example: "3",
                """
                The number of failures in a row after which the failure is reported.
                The runs of each intent are counted for each user, and the count restarts with intentd.
                """
            )
        case .user:
            return SettingManual(
                .value(name: "user", of: "a name or a uid"),
                standard: "the user of intentd",
                example: "monitor",
                """
                The user as whom the intents of
                .Li [Notify]
                are performed.
                They need the permission to run these intents, and own the runs.
                """
            )
        case .perHour:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.notifyPerHour)",
                example: "5",
                """
                The number of notifications in an hour about the runs of one app and user.
                Further ones are dropped, and the journal says so once in that hour.
                """
            )
        }
    }
}
