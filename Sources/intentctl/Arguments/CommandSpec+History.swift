/// The commands about the past.
extension CommandSpec {
    private static let noPager = OptionSpec(
        "no-pager",
        .flag,
        "print at once what does not fit the terminal, without $PAGER"
    )

    static let history = CommandSpec(
        name: .history,
        words: "",
        wordCount: 0...0,
        summary: "list runs on record, the newest first",
        options: [
            OptionSpec("since", .value("MOMENT"), "accepted then or later: -2h, yesterday, '2026-11-21 09:30'"),
            OptionSpec("until", .value("MOMENT"), "accepted before then"),
            OptionSpec("app", .value("APP[/INTENT]"), "of this app or intent"),
            OptionSpec("state", .value("STATE"), "live, ended, or one state or outcome, such as running or crashed"),
            OptionSpec.ofUser(default: "your own"),
            OptionSpec("lines", short: "n", .value("N"), default: "100; all with --since", "at most so many"),
            OptionSpec("export", .word(["jsonl"]), "all that is on record, a line of JSON for each run"),
            noPager,
            OptionSpec("prune", .flag, "remove what the configuration does not keep; for the operator"),
            OptionSpec("keep", .value("TIME"), "with --prune: runs that ended longer ago go; -n N: all but N go"),
        ],
        notes: [
            "'intentctl show RUN' tells all of one run, 'intentctl why RUN' why it ended as it did.",
            "",
            "With --output json: {\"runs\": [...]}. Each run has number, run, app, intent, user, door, state, outcome,",
            "reason, message, acceptedMilliseconds, endedMilliseconds, queuedMilliseconds, runtimeMilliseconds,",
            "processEnd, processorMilliseconds, peakMemoryBytes, isolation. What is not known is left out; keys may be",
            "added, and none changes its meaning. Moments are milliseconds since 1970.",
        ]
    )

    static let show = CommandSpec(
        name: .show,
        words: "RUN",
        wordCount: 1...1,
        summary: "show all that is on record of a run",
        options: [noPager],
        notes: [
            "With --output json: what 'history' has, and process, client, key, retryOf, traceparent, parameters,",
            "secretParameters, limits, changes, value, dialog, clock, progress, signals, leftoverProcessCount,",
            "hadLateResult, sandbox (wish, path, errorNumber, key), goneMilliseconds, printedBytes, exitCode. A file is",
            "{\"file\": NAME}.",
        ]
    )

    static let why = CommandSpec(
        name: .why,
        words: "RUN",
        wordCount: 1...1,
        summary: "explain why a run ended as it did",
        options: []
    )

    static let logs = CommandSpec(
        name: .logs,
        words: "RUN",
        wordCount: 1...1,
        summary: "print what a run printed",
        options: [OptionSpec("stream", .word(["stdout", "stderr"]), default: "both", "one of its outputs alone")],
        notes: ["With --output json: one line of JSON for each piece of text."]
    )

    static let metrics = CommandSpec(
        name: .metrics,
        words: "",
        wordCount: 0...0,
        summary: "print counts and times of runs as OpenMetrics text",
        options: [
            OptionSpec("format", .word(["openmetrics", "prometheus"]), default: "openmetrics", "the text format"),
            OptionSpec("http", .flag, "answer one HTTP request on standard input, as a socket unit hands it over"),
        ],
        notes: ["Counted since the daemon's start. With intentd-metrics.socket, Prometheus scrapes it through systemd."]
    )

    static let top = CommandSpec(
        name: .top,
        words: "",
        wordCount: 0...0,
        summary: "show your runs on a live screen",
        options: [],
        notes: ["q, Ctrl-C or escape leaves it; the runs go on."]
    )
}
