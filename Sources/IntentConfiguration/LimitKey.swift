import IntentWire

/// The time limits of `[Limits]` and `[Intent NAME]`.
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

    /// The limit that the key sets; nil for `RuntimeMax=`, which is optional.
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
            For a plain intent, the time in which a run must end.
            For an intent that reports progress, the longest time in which its progress does not advance.
            Progress advances when the completed units or the fraction exceed everything that was reported before.
            A run that exceeds the limit is cancelled with the reason
            .Ql timeout .
            """
        case .runtimeMax:
            """
            The most that a caller may request instead of
            .Cm Runtime=
            .Po
            .Fl Fl limit
            of
            .Xr intentctl-run 1
            .Pc .
            """
        case .ceiling:
            """
            The time in which a run that reports progress must end, however far it advances.
            The time during which a question is open does not count.
            """
        case .longCeiling:
            """
            The ceiling of a
            .Li LongRunningIntent
            inside
            .Li performBackgroundTask ,
            and the most that a caller may request as the ceiling of a run
            .Po
            .Fl Fl ceiling
            of
            .Xr intentctl-run 1
            .Pc .
            """
        case .grace:
            """
            The time for clean-up from the cancellation of a run, which tells it the reason, to SIGTERM.
            """
        case .graceCancellable:
            """
            The time for clean-up of a
            .Li CancellableIntent ,
            instead of
            .Cm Grace= .
            """
        case .killDelay:
            """
            The time from SIGTERM to SIGKILL.
            """
        case .questionTimeout:
            """
            The time in which a question of a run must be answered.
            The time during which the machine sleeps counts.
            Without an answer, the run ends as
            .Ql unanswered .
            An open question stops the other clocks of its run.
            """
        case .queueTimeout:
            """
            The time that a run waits in the backlog for a slot.
            It then ends as
            .Ql busy .
            """
        }
    }
}
