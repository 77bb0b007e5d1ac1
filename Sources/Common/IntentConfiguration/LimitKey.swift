import IntentLauncherMessages

/// The keys of `[Limits]` and `[Intent NAME]` that set time limits.
enum LimitKey: String, SettingKey {
    case runtime = "Runtime"
    case runtimeMax = "RuntimeMax"
    case ceiling = "Ceiling"
    case longCeiling = "LongCeiling"
    case grace = "Grace"
    case graceCancellable = "GraceCancellable"
    case killDelay = "KillDelay"
    case questionTimeout = "QuestionTimeout"
    case queueTimeout = "QueueTimeout"

    /// The limit that the key sets; nil for `RuntimeMax=`, which sets an optional value.
    var path: WritableKeyPath<RunLimits, Duration>? {
        switch self {
        case .runtime: \.runtime
        case .runtimeMax: nil
        case .ceiling: \.ceiling
        case .longCeiling: \.longCeiling
        case .grace: \.grace
        case .graceCancellable: \.graceCancellable
        case .killDelay: \.killDelay
        case .questionTimeout: \.questionTimeout
        case .queueTimeout: \.queueTimeout
        }
    }

    var manual: SettingManual {
        SettingManual(
            .span,
            standard: path.map { SettingManual.span(RunLimits()[keyPath: $0]) } ?? "the value of\n.Cm Ceiling=",
            example: example,
            text
        )
    }

    private var example: String {
        switch self {
        case .runtime: "1min"
        case .runtimeMax: "5min"
        case .ceiling: "30min"
        case .longCeiling: "2d"
        case .grace: "3s"
        case .graceCancellable: "20s"
        case .killDelay: "2s"
        case .questionTimeout: "8h"
        case .queueTimeout: "10min"
        }
    }

    private var text: String {
        switch self {
        case .runtime:
            """
            For an intent that reports no progress, the time within which a run must end.
            For an intent that reports progress, the maximum time without progress.
            Progress advances when the completed units or the fraction exceed all previously reported values.
            A run that exceeds the limit is cancelled with the reason
            .Ql timeout .
            """
        case .runtimeMax:
            """
            The maximum time that a caller may request instead of
            .Cm Runtime=
            .Po
            .Fl Fl limit
            of
            .Xr intentctl-run 1
            .Pc .
            """
        case .ceiling:
            """
            The time within which a run that reports progress must end, even if its progress advances.
            Time during which a question is open is not counted.
            """
        case .longCeiling:
            """
            The ceiling of a
            .Li LongRunningIntent
            during
            .Li performBackgroundTask ,
            and the maximum that a caller may request as the ceiling of a run
            .Po
            .Fl Fl ceiling
            of
            .Xr intentctl-run 1
            .Pc .
            """
        case .grace:
            """
            The time for clean-up between the cancellation of a run and SIGTERM.
            When it begins, the run receives the reason for the cancellation.
            """
        case .graceCancellable:
            """
            The time for clean-up of a
            .Li CancellableIntent ,
            instead of
            .Cm Grace= .
            """
        case .killDelay:
            "The time between SIGTERM and SIGKILL."
        case .questionTimeout:
            """
            The time within which a question of a run must be answered.
            Time during which the machine is suspended is counted.
            Without an answer, the run ends as
            .Ql unanswered .
            While a question is open, the other time limits of the run are suspended.
            """
        case .queueTimeout:
            """
            The maximum time that a run waits in the backlog for a slot.
            After that time, it ends as
            .Ql busy .
            """
        }
    }
}
