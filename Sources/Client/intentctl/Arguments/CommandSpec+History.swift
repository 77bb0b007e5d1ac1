/// The commands that show recorded runs and their output, metrics, and live runs.
extension CommandSpec {
    private static let noPager = OptionSpec("no-pager", .flag, "do not pass long output to $PAGER")

    private static let selection = [
        OptionSpec("since", .value("TIME"), "only runs since TIME, such as -2h, yesterday, '2026-11-21 09:30'"),
        OptionSpec("until", .value("TIME"), "only runs accepted before TIME"),
        OptionSpec("app", .value("APP[/INTENT]"), "only runs of this app or intent"),
    ]

    static let history = CommandSpec(
        name: "history",
        summary: "list recorded runs, newest first",
        reach: [.severalHosts, .fleet],
        perform: { try await HistoryCommand(invocation: $0).perform() },
        options: selection + [
            OptionSpec("state", .value("STATE"), "live, ended, or one state or outcome, such as running or crashed"),
            OptionSpec("failed", .flag, "only runs that ended without success, except those that their user cancelled"),
            OptionSpec("retry", .flag, "with --failed: retry each of these runs once, in the background"),
            OptionSpec("yes", .flag, "with --retry: do not ask for confirmation"),
            OptionSpec("tree", .flag, "list the steps of a shortcut, and what undid them, below its run"),
            OptionSpec.ofUser(default: "all runs that you have access to"),
            OptionSpec("lines", short: "n", .value("N"), default: "100; all with --since", "list at most N runs"),
            OptionSpec(
                "export",
                .word(["jsonl", "records"]),
                "print whole records, one line of JSON per run; 'records' is the format of --import"
            ),
            OptionSpec("import", .value("FILE"), "import runs that '--export records' wrote; for operators"),
            noPager,
            OptionSpec("prune", .flag, "remove runs that exceed the configured retention; for operators"),
            OptionSpec("keep", .value("TIME"), "with --prune: keep runs newer than TIME; with -n N, keep N runs"),
        ],
        notes: [
            "'intentctl show RUN' shows everything about one run; 'intentctl why RUN' explains its end.",
            "'history --failed --since yesterday --retry' retries failed runs with their recorded values. If you",
            "repeat the command, it finds the earlier retries and does not retry any run a second time.",
            "",
            "An import keeps the identifiers, users and times of the runs. 'show' marks them as imported. Runs that",
            "history already contains are not changed, so an import can be repeated. The output of runs is not",
            "exported. Keep= and MaxSize= of [History] also apply to imported runs.",
            "",
            "With --output json: {\"runs\": [...]}. Each run has number, run, app, intent, user, entryPoint, state,",
            "outcome, reason, message, acceptedMilliseconds, endedMilliseconds, queuedMilliseconds,",
            "runtimeMilliseconds, processEnd, processorMilliseconds, peakMemoryBytes, isolation, step (shortcut, name,",
            "index, attempt) and undoOf. Unknown values are omitted. Later releases can add keys; the meaning of a key",
            "never changes. Timestamps are milliseconds since 1970-01-01 UTC.",
        ]
    )

    static let audit = CommandSpec(
        name: "audit",
        summary: "list approvals and refusals, with the users, their clients and the confirmed requests",
        reach: .severalHosts,
        perform: { try await AuditCommand(invocation: $0).perform() },
        options: selection + [
            OptionSpec.ofUser(default: "all runs that you have access to"), noPager,
            OptionSpec("append", .value("FILE"), "append the decisions that FILE does not contain, and print its head"),
            OptionSpec("verify", .value("FILE"), "check the lines of FILE, and print its head"),
            OptionSpec("head", .value("HEAD"), "with --verify: also check that FILE contains this head"),
        ],
        notes: [
            "Each line is an answer to a confirmation that a run requested, or the approval or refusal of an agent's",
            "request. The column SHA-256 contains the beginning of the digest of the approved request;",
            "'intentctl show RUN' prints it in full.",
            "'own user' marks an approval by the user of the agent, which the agent itself may have given.",
            "",
            "With --output json: {\"decisions\": [...]}. Each decision has timeMilliseconds, run, app, intent, number,",
            "question, isApproved, user and software; an approval also has digest, entryPoint, isSameUser and standing.",
            "requestedBy and software are what the clients say about themselves.",
            "",
            "A file of --append has one decision a line, with the SHA-256 of the line before it, and keeps decisions",
            "after history has removed their runs. What history has removed before the export is a line with 'continues',",
            "which --append and --verify report. A head that is kept elsewhere shows that lines were cut off at the end.",
            "'examples/clients/verify_audit.py FILE [HEAD]' does what --verify does.",
        ]
    )

    static let show = CommandSpec(
        name: "show",
        words: ("RUN", 1...1),
        summary: "show everything that is recorded about a run",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await ShowCommand(invocation: $0).perform() },
        options: [noPager],
        notes: [
            "With --output json: the keys of 'history', and process, client, key, retryOf, traceparent, parameters,",
            "secretParameters, limits, changes, value, dialog, clock, progress, signals, leftoverProcessCount,",
            "hadLateResult, sandbox (subject, path, errorNumber, key), snippet, exitedMilliseconds, printedBytes,",
            "exitCode. A file is {\"file\": NAME}.",
        ]
    )

    static let why = CommandSpec(
        name: "why",
        words: ("RUN", 1...1),
        summary: "explain how and why a run ended",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await WhyCommand(invocation: $0).perform() }
    )

    static let logs = CommandSpec(
        name: "logs",
        words: ("RUN", 1...1),
        summary: "print the output of a run",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await LogsCommand(invocation: $0).perform() },
        options: [OptionSpec("stream", .word(["stdout", "stderr"]), default: "both", "print only this output stream")],
        notes: ["With --output json: one line of JSON for each piece of text."]
    )

    static let metrics = CommandSpec(
        name: "metrics",
        summary: "print counts and durations of runs as OpenMetrics text",
        reach: [.severalHosts, .fleet],
        perform: { try await MetricsCommand(invocation: $0).perform() },
        options: [
            OptionSpec("format", .word(["openmetrics", "prometheus"]), default: "openmetrics", "the text format"),
            OptionSpec("http", .flag, "answer one HTTP request on standard input, for a systemd socket unit"),
        ],
        notes: ["The counters start at zero when the daemon starts. intentd-metrics.socket serves them to Prometheus."]
    )

    static let top = CommandSpec(
        name: "top",
        summary: "show your runs in a live view",
        reach: .oneHost,
        perform: { try await TopCommand(invocation: $0).perform() },
        notes: ["Press q, Ctrl-C or Escape to exit. The runs continue."]
    )
}
