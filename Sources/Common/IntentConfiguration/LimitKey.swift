import IntentLauncherMessages

/// The keys of `[Limits]` and `[Intent NAME]` that set time limits.
enum LimitKey: String, TabledKey {
    case runtime = "Runtime"
    case runtimeMax = "RuntimeMax"
    case ceiling = "Ceiling"
    case longCeiling = "LongCeiling"
    case grace = "Grace"
    case graceCancellable = "GraceCancellable"
    case killDelay = "KillDelay"
    case questionTimeout = "QuestionTimeout"
    case queueTimeout = "QueueTimeout"

    var setting: Setting<RunLimits> {
        switch self {
        case .runtime:
            .span(
                \.runtime,
                example: "1min",
                """
                For an intent that reports no progress, the time within which a run must end.
                For an intent that reports progress, the maximum time without progress.
                Progress advances when the completed units or the fraction exceed all previously reported values.
                A run that exceeds the limit is cancelled with the reason
                .Ql timeout .
                """
            )
        case .runtimeMax:
            Setting(
                \.runtimeMax,
                .span,
                standard: "the value of\n.Cm Ceiling=",
                example: "5min",
                """
                The maximum time that a caller may request instead of
                .Cm Runtime=
                .Po
                .Fl Fl limit
                of
                .Xr intentctl-run 1
                .Pc .
                """,
                keeping: { $0.runtimeMax ?? $0.ceiling },
                parse: { (assignment) throws(ConfigurationProblem) in try assignment.span() }
            )
        case .ceiling:
            .span(
                \.ceiling,
                example: "30min",
                """
                The time within which a run that reports progress must end, even if its progress advances.
                Time during which a question is open is not counted.
                """
            )
        case .longCeiling:
            .span(
                \.longCeiling,
                example: "2d",
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
            )
        case .grace:
            .span(
                \.grace,
                example: "3s",
                """
                The time for clean-up between the cancellation of a run and SIGTERM.
                When it begins, the run receives the reason for the cancellation.
                """
            )
        case .graceCancellable:
            .span(
                \.graceCancellable,
                example: "20s",
                """
                The time for clean-up of a
                .Li CancellableIntent ,
                instead of
                .Cm Grace= .
                """
            )
        case .killDelay:
            .span(
                \.killDelay,
                example: "2s",
                "The time between SIGTERM and SIGKILL."
            )
        case .questionTimeout:
            .span(
                \.questionTimeout,
                example: "8h",
                """
                The time within which a question of a run must be answered.
                Time during which the machine is suspended is counted.
                Without an answer, the run ends as
                .Ql unanswered .
                While a question is open, the other time limits of the run are suspended.
                """
            )
        case .queueTimeout:
            .span(
                \.queueTimeout,
                example: "10min",
                """
                The maximum time that a run waits in the backlog for a slot.
                After that time, it ends as
                .Ql busy .
                """
            )
        }
    }
}
