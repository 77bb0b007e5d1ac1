import IntentLauncherMessages

/// The keys of `[Limits]` and `[Intent NAME]` in an app's file that repeat failed runs.
enum RetryKey: String, TabledKey {
    case retry = "Retry"
    case backoff = "Backoff"

    static let counts = 0...100

    var setting: Setting<RetryRule> {
        switch self {
        case .retry:
            .count(
                \.count,
                in: Self.counts,
                example: "5",
                """
                The number of times that a failed run is performed again.
                In
                .Li [Limits] ,
                the key applies only to intents that are idempotent, by their own declaration or by
                .Cm Idempotent= .
                In
                .Li [Intent NAME] ,
                it applies to the intent.
                .Pp
                Each repetition is a run of its own, which
                .Ql intentctl show
                displays as a retry of the one before.
                Only the last failure counts for
                .Li [Notify] .
                A run is not repeated if it was cancelled for another reason than a time limit, if a question had no
                answer, or if an agent requested it.
                .Pp
                A repetition receives the files of the failed run, from their beginning, and its secret values.
                They are kept in memory until the last repetition, and not stored: after a restart or an upgrade of
                intentd, such a run is not repeated.
                A secret value that a schedule has passed as a credential is read again: from
                .Pa /etc/intentd/credentials ,
                or from a file that the launcher can read.
                Nor is a run with a pipe, which can be read only once, or with a file that was passed from its middle.
                The journal then names the reason, and the failure counts for
                .Li [Notify] .
                .Ql intentctl cancel
                with the failed run ends its repetitions, which otherwise survive a crash and an upgrade.
                For a run of a fleet with
                .Cm Fleet=retryable ,
                the key sets how often another host performs the run again after its host is lost; the default is
                """
                    + " \(FleetRule.defaultTries - 1).\nThe lease of the lost host is the only pause.\n"
                    + "A run of a fleet that fails is not repeated."
            )
        case .backoff:
            Setting(
                \.backoff,
                .value(name: "time..time", of: "the first and the longest pause"),
                standard: "10s..10min",
                example: "1min..1h",
                """
                The pauses before repetitions.
                Each is twice as long as the one before, up to the longest.
                """
            ) { (assignment) throws(ConfigurationProblem) in try assignment.backoff() }
        }
    }
}

extension UnitFile.Assignment {
    fileprivate func backoff() throws(ConfigurationProblem) -> Backoff {
        try parsed(as: "two time spans such as 10s..10min") { text in
            let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1].utf8.isEmpty, let first = TimeSpan.parseFinite(String(parts[0])),
                let longest = TimeSpan.parseFinite(String(parts[2])), .seconds(1) <= first, first <= longest
            else { return nil }
            return Backoff(first: first, longest: longest)
        }
    }
}
