/// The commands about history.
extension CommandSpec {
    private static let noPager = OptionSpec(
        "no-pager",
        .flag,
        "do not pass long output to $PAGER"
    )

    static let history = CommandSpec(
        name: .history,
        words: "",
        wordCount: 0...0,
        summary: "list recorded runs, newest first",
        options: [
            OptionSpec("since", .value("TIME"), "only runs accepted then or later: -2h, yesterday, '2026-11-21 09:30'"),
            OptionSpec("until", .value("TIME"), "only runs accepted before then"),
            OptionSpec("app", .value("APP[/INTENT]"), "only runs of this app or intent"),
            OptionSpec("state", .value("STATE"), "live, ended, or one state or outcome, such as running or crashed"),
            OptionSpec("failed", .flag, "only runs that ended without success, unless their user cancelled them"),
            OptionSpec("retry", .flag, "with --failed: retry each of these runs once, in the background"),
            OptionSpec("yes", .flag, "with --retry: do not ask for a confirmation"),
            OptionSpec.ofUser(default: "every run that you may see"),
            OptionSpec("lines", short: "n", .value("N"), default: "100; all with --since", "the most runs to list"),
            OptionSpec(
                "export",
                .word(["jsonl", "records"]),
                "everything that is recorded, one line of JSON for each run; records: for --import"
            ),
            OptionSpec("import", .value("FILE"), "add the runs of a file of '--export records'; for operators"),
            noPager,
            OptionSpec("prune", .flag, "remove runs that the configuration does not keep; for operators"),
            OptionSpec("keep", .value("TIME"), "with --prune: keep runs that ended within TIME; -n N: keep N runs"),
        ],
        notes: [
            "'intentctl show RUN' shows everything about one run, 'intentctl why RUN' explains its end.",
            "'history --failed --since yesterday --retry' retries with the recorded values what failed. Repeated, it finds",
            "the same retries and starts none twice.",
            "",
            "An import keeps the identifiers, users and times of the runs, which 'show' calls imported. Runs that are on record",
            "already stay as they are, so an import can be repeated. What runs printed is not exported. Keep= and MaxSize= of",
            "[History] apply to imported runs, too.",
            "",
            "With --output json: {\"runs\": [...]}. Each run has number, run, app, intent, user, entryPoint, state,",
            "outcome, reason, message, acceptedMilliseconds, endedMilliseconds, queuedMilliseconds, runtimeMilliseconds,",
            "processEnd, processorMilliseconds, peakMemoryBytes, isolation. Unknown values are left out. Later releases",
            "can add keys; the meaning of a key never changes. Points in time are milliseconds since 1970.",
        ]
    )

    static let audit = CommandSpec(
        name: .audit,
        words: "",
        wordCount: 0...0,
        summary: "list approvals and refusals: who confirmed what, and through which client",
        options: [
            OptionSpec("since", .value("TIME"), "only runs accepted then or later: -2h, yesterday, '2026-11-21 09:30'"),
            OptionSpec("until", .value("TIME"), "only runs accepted before then"),
            OptionSpec("app", .value("APP[/INTENT]"), "only runs of this app or intent"),
            OptionSpec.ofUser(default: "every run that you may see"),
            noPager,
        ],
        notes: [
            "Each line is an answer to a confirmation of a run, or to the approval of an agent's request. SHA-256 is the digest",
            "of what was approved; 'intentctl show RUN' has it, too. 'own user' marks an approval by the user of the agent, who",
            "may have been the agent itself.",
            "",
            "With --output json: {\"decisions\": [...]}. Each has timeMilliseconds, run, app, intent, question, isApproved, user,",
            "software, and for approvals digest, entryPoint and isSameUser.",
        ]
    )

    static let show = CommandSpec(
        name: .show,
        words: "RUN",
        wordCount: 1...1,
        summary: "show everything that is recorded about a run",
        options: [noPager],
        notes: [
            "With --output json: the keys of 'history', and process, client, key, retryOf, traceparent, parameters,",
            "secretParameters, limits, changes, value, dialog, clock, progress, signals, leftoverProcessCount,",
            "hadLateResult, sandbox (subject, path, errorNumber, key), exitedMilliseconds, printedBytes, exitCode. A file",
            "is {\"file\": NAME}.",
        ]
    )

    static let why = CommandSpec(
        name: .why,
        words: "RUN",
        wordCount: 1...1,
        summary: "explain how a run ended, and why",
        options: []
    )

    static let logs = CommandSpec(
        name: .logs,
        words: "RUN",
        wordCount: 1...1,
        summary: "print what a run printed",
        options: [OptionSpec("stream", .word(["stdout", "stderr"]), default: "both", "print only one of its streams")],
        notes: ["With --output json: one line of JSON for each piece of text."]
    )

    static let metrics = CommandSpec(
        name: .metrics,
        words: "",
        wordCount: 0...0,
        summary: "print counts and times of runs as OpenMetrics text",
        options: [
            OptionSpec("format", .word(["openmetrics", "prometheus"]), default: "openmetrics", "the text format"),
            OptionSpec("http", .flag, "answer one HTTP request on standard input, for a systemd socket unit"),
        ],
        notes: ["Counted since the daemon started. With intentd-metrics.socket, Prometheus scrapes it through systemd."]
    )

    static let top = CommandSpec(
        name: .top,
        words: "",
        wordCount: 0...0,
        summary: "show your runs on a live screen",
        options: [],
        notes: ["q, Ctrl-C or Escape exits and does not affect the runs."]
    )
}
