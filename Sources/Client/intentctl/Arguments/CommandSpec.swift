/// A command of intentctl: everything that the parser, the help texts, the manual pages, completion and ``Program`` know
/// about it.
package struct CommandSpec: Equatable, Sendable {
    /// Where a command can act besides on this host's daemon.
    package struct Reach: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The command acts only on this host, because it concerns this host's files and services.
        package static let thisHost: Reach = []
        package static let oneHost = Reach(rawValue: 1)
        package static let severalHosts = Reach(rawValue: 3)
        /// The command can act on a fleet's runs.
        package static let fleet = Reach(rawValue: 4)
    }

    package let name: String
    /// The arguments after the options, as shown in the help text, and how many words the parser accepts.
    package var words: (text: String, count: ClosedRange<Int>) = ("", 0...0)
    /// What replaces `words` with `--local`.
    var localWords: (text: String, count: ClosedRange<Int>)?
    package var summary: String
    package var reach: Reach
    /// Returns what completes the word after the given words.
    var completes: @Sendable (_ given: [String]) -> Completion.Source? = { _ in nil }
    var perform: @Sendable (Invocation) async throws -> ExitCode
    package var options: [OptionSpec] = []
    /// The lines that help shows below the options.
    package var notes: [String] = []

    /// All commands, in the order of the help text.
    package static let all: [CommandSpec] = [
        run, list, describe, CommandSpec.options, skills, ps, top, watch, wait, cancel, answer, revoke, fetch, undo,
        press, retry, shortcut, schedule, history, audit, show, why, logs, metrics, status, doctor, reload, upgrade,
        mcp, fleet, web, token, verify, learn, new, completion, help, version,
    ]

    /// - Throws: ``CommandFailure`` for an unknown command.
    package static func named(_ word: String) throws(CommandFailure) -> CommandSpec {
        if let command = all.first(where: { $0.name == word }) { return command }
        let near = NearestName.opening(for: word, among: all.map(\.name))
        throw .usage("unknown command '\(word)'", hint: near + HelpText.pointer(nil))
    }

    /// True for a command with words after APP/INTENT that belong to the intent.
    var performsIntent: Bool { self == .run || self == .learn }

    package static func == (one: CommandSpec, other: CommandSpec) -> Bool { one.name == other.name }

    /// Completes the first word.
    static func first(_ need: Completion.Need) -> @Sendable ([String]) -> Completion.Source? {
        { $0.isEmpty ? .data(need) : nil }
    }

    /// The options that are valid both before a command and among the command's own options.
    package static let globalOptions: [OptionSpec] = optionsOfOneHost + fanOutOptions

    private static let optionsOfOneHost: [OptionSpec] = [
        OptionSpec(
            "socket",
            .value("PATH"),
            default: "$INTENTD_SOCKET or, if it is not set, the system's socket",
            "the socket of intentd"
        ),
        host,
        OptionSpec("fleet", .flag, "act on the runs of the fleet that this host belongs to: see intentd-fleet(8)"),
        OptionSpec("user", .flag, "connect to the user's own intentd instead of the system's"),
        OptionSpec("output", short: "o", .word(["text", "json"]), default: "text", "the format of the output"),
        OptionSpec("help", short: "h", .flag, "show help for intentctl or for the command"),
        OptionSpec("version", .flag, "show the version"),
    ]

    static let outFolder = OptionSpec(
        "out",
        .value("DIR"),
        default: ".",
        "the folder for result files; existing files are kept"
    )

    static let noInput = OptionSpec("no-input", .flag, "do not ask questions")

    package static let run = CommandSpec(
        name: "run",
        words: ("APP/INTENT [--NAME VALUE]...", 1...1),
        localWords: ("EXECUTABLE [INTENT]", 1...2),
        summary: "perform an intent and follow the run to its end",
        reach: [.severalHosts, .fleet],
        completes: first(.intents),
        perform: { invocation in
            // An executable alone: show which intents it has.
            invocation.has("local") && invocation.words.count == 1
                ? try await DescribeCommand(invocation: invocation).perform()
                : try await RunCommand(invocation).perform()
        },
        options: [
            OptionSpec("local", .flag, "run without a daemon: EXECUTABLE INTENT; without INTENT, list its intents"),
            OptionSpec(
                "wait-for-debugger",
                .flag,
                "with --local: start the intent when a debugger is attached to its process"
            ),
            OptionSpec("dry-run", .flag, "perform nothing, and print what would run, with the known values"),
            OptionSpec("limit", .value("TIME"), default: "the intent's", "the maximum time without progress: 30s, 2m"),
            OptionSpec("ceiling", .value("TIME"), default: "the intent's", "the maximum total time: 10min, 1h"),
            OptionSpec("detach", short: "d", .flag, "print the run's identifier and exit; the run continues"),
            OptionSpec(
                "on-disconnect",
                .word(["cancel", "continue"]),
                default: "cancel; continue with --detach",
                "what happens to the run when this client disconnects"
            ),
            OptionSpec("key", .value("KEY"), "requests with the same key refer to one run"),
            OptionSpec(
                "failed-start",
                .flag,
                "report a start of a schedule without a run, with its --key, in ExecStopPost= of a unit"
            ),
            OptionSpec("retry-of", .value("RUN"), "retry this run: start when all its processes have exited"),
            OptionSpec(
                "traceparent",
                .value("TEXT"),
                default: "$TRACEPARENT",
                "the W3C Trace Context, for the app and for history"
            ),
            OptionSpec("json", .value("JSON|-"), "all parameters as one JSON object; -: read standard input"),
            OptionSpec(
                "credential",
                .values("NAME"),
                "read this parameter from the unit's credential (LoadCredential=)"
            ),
            OptionSpec("writable", .values("NAME"), "permit the run to change the file of this parameter"),
            outFolder,
            OptionSpec(
                "answer",
                .values("NAME=VALUE"),
                "answer a question about this parameter in advance; =TITLE answers a choice without a parameter"
            ),
            OptionSpec("yes", .flagOrWord(["destructive"]), "accept harmless confirmations; =destructive accepts all"),
            noInput,
        ],
        notes: [
            "Write options of intentctl before APP/INTENT. All arguments after it belong to the intent.",
            "",
            "Parameters: --name VALUE or --name=VALUE; for true or false, --name or --no-name; for a file, its path,",
            "or - for standard input. For a list, repeat the option. 'intentctl describe APP/INTENT' lists them.",
            "Dates in the local time zone: 2026-11-21, 09:30, '2026-11-21 09:30', today, 'tomorrow 09:30', now; or RFC",
            "3339. Time spans: 90s, '1h 30min', or seconds. Enumerations: the name or title of a value.",
            "",
            "If a required value is missing, intentctl asks for it on the terminal. A run can ask questions too;",
            "without a terminal, intentctl reports the question and waits for 'intentctl answer'. With --no-input, or",
            "with --local and no terminal, the run ends unanswered with exit code 76. 'intentctl --socket PATH run",
            "--local' waits for an answer on that socket: 'intentctl --socket PATH answer'. Runs with --local keep the",
            "state of the app in a folder of their own below ~/.local/state/intentd/apps.",
            "",
            "The value is written to standard output, everything else to standard error. Ctrl-C cancels the run and",
            "waits for its end; a second Ctrl-C stops waiting.",
            "",
            "Exit codes: 0 done, 1 the intent threw, 64 usage, 65 bad data, 66 unknown app, intent or run,",
            "69 no intentd, 70 the worker crashed, 71 a limit of the sandbox, 75 busy or stopped waiting,",
            "76 question unanswered, 77 not permitted, 78 configuration; cancelled: 124 timeout,",
            "129 client disconnected, 130 by a user, 143 intentd stopped.",
        ]
    )

    static let list = CommandSpec(
        name: "list",
        words: ("[APP]", 0...1),
        summary: "list the intents that you can run",
        reach: [.severalHosts, .fleet],
        completes: first(.apps),
        perform: { try await ListCommand(invocation: $0).perform() },
        notes: [
            "An app is an executable in /usr/local/lib/intentd/apps, or in /usr/lib/intentd/apps if a package",
            "installed it; with --user, in ~/.local/lib/intentd/apps. Its configuration is",
            "/etc/intentd/apps.d/APP.conf; with --user, ~/.config/intentd/apps.d/APP.conf. 'intentctl reload' reads",
            "the folders and the configuration again.",
        ]
    )

    static let describe = CommandSpec(
        name: "describe",
        words: ("APP[/INTENT]", 1...1),
        localWords: ("EXECUTABLE [INTENT]", 1...2),
        summary: "show parameters, types, defaults, limits and an example command line",
        reach: [.severalHosts, .fleet],
        completes: first(.intents),
        perform: { try await DescribeCommand(invocation: $0).perform() },
        options: [
            OptionSpec(
                "local",
                .flag,
                "describe the app without a daemon: EXECUTABLE [INTENT] instead of APP[/INTENT]"
            ),
            OptionSpec("changes", .flag, "show how the intents differ from those that you saw with this option last"),
        ],
        notes: [
            "With --output json: the declaration. Its key 'schema' has a JSON Schema for 'run --json'. The Swift package's",
            "IntentStubs plugin generates typed calls from an app's declaration.",
        ]
    )

    static let options = CommandSpec(
        name: "options",
        words: ("APP/INTENT PARAMETER [TEXT]", 2...3),
        localWords: ("EXECUTABLE INTENT PARAMETER [TEXT]", 3...4),
        summary: "list the values that a parameter offers",
        reach: .severalHosts,
        completes: first(.intents),
        perform: { try await OptionsCommand(invocation: $0).perform() },
        options: [
            OptionSpec("local", .flag, "run without a daemon: EXECUTABLE INTENT instead of APP/INTENT"),
            OptionSpec("json", .value("JSON"), "values of other parameters on which the options depend"),
            OptionSpec("where", .values("CONDITION"), "only values that meet a condition: 'pages >= 100'"),
            OptionSpec("any", .flag, "values that meet at least one condition, instead of all conditions"),
            OptionSpec("sort", .values("PROPERTY"), "sort by a property: title, 'pages descending'"),
            OptionSpec("limit", .value("COUNT"), "the maximum number of values to list"),
        ],
        notes: [
            "intentd queries the app in a run, with the sandbox, limits and permissions of the intent. TEXT filters",
            "the values.",
            "CONDITION: PROPERTY COMPARATOR VALUE; 'intentctl describe APP/INTENT' lists properties and comparators.",
            "Operators for comparators: = != < <= > >=. isBetween expects 'LOW and HIGH'. Commas separate the",
            "elements of a list.",
            "Exit codes: as for 'run'.",
        ]
    )

    static let ps = CommandSpec(
        name: "ps",
        summary: "list your runs that have not ended",
        reach: [.severalHosts, .fleet],
        perform: { try await PsCommand(invocation: $0).perform() },
        options: [
            OptionSpec("app", .value("APP[/INTENT]"), "only runs of this app or intent"),
            ofState,
            OptionSpec.ofUser(default: "all runs that you have access to"),
        ]
    )

    static let watch = CommandSpec(
        name: "watch",
        words: ("RUN", 1...1),
        summary: "follow one of your runs and exit with 0 when it has ended",
        reach: [.oneHost, .fleet],
        completes: first(.runs),
        perform: { try await WatchCommand(invocation: $0).perform() },
        options: [noInput],
        notes: [
            "Ctrl-C stops watching and does not affect the run. 'intentctl ps' lists the runs. The steps of a shortcut",
            "are shown as a tree, the live ones among them.",
        ]
    )

    static let wait = CommandSpec(
        name: "wait",
        words: ("RUN", 1...1),
        summary: "wait until one of your runs ends and exit with the same code as 'run' would",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await WaitCommand(invocation: $0).perform() },
        options: [outFolder],
        notes: ["The value is written to standard output. Ctrl-C stops waiting and does not affect the run."]
    )

    static let cancel = CommandSpec(
        name: "cancel",
        words: ("[RUN]...", 0...1000),
        summary: "cancel runs and wait until all their processes have exited",
        reach: [.severalHosts, .fleet],
        completes: { _ in .data(.runs) },
        perform: { try await CancelCommand(invocation: $0).perform() },
        options: [
            OptionSpec("all", .flag, "cancel all your runs"),
            OptionSpec("app", .value("APP[/INTENT]"), "cancel your runs of this app or intent"),
            ofState,
            OptionSpec.ofUser(default: "your own runs"),
        ],
        notes: ["If several options are given, a run must match all of them."]
    )

    private static let ofState = OptionSpec(
        "state",
        .word(RunState.allCases.map(\.rawValue)),
        "only runs in this state"
    )

    static let answer = CommandSpec(
        name: "answer",
        words: ("RUN [VALUE]...", 1...1000),
        summary: "answer the question of a run; without a value, show the question",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await AnswerCommand(invocation: $0).perform() },
        options: [
            OptionSpec("prompt", .flag, "read the answer from the terminal, hidden if it is secret"),
            OptionSpec("for", .value("TIME"), "also approve the agent's later requests for the intent, such as for 1h"),
        ],
        notes: [
            "VALUE: a value as for a parameter; yes or no; the number or name of a choice; - to read standard input.",
            "Only the first answer is accepted. Exit codes: 64 the answer is invalid, and the question stays open;",
            "66 the run has no open question.",
            "--for needs ApproveFor= in [Agents]; the question shows what it covers, and 'revoke' ends it.",
        ]
    )

    static let retry = CommandSpec(
        name: "retry",
        words: ("RUN... [--NAME VALUE]...", 1...1000),
        summary: "perform the intents of recorded runs again, with the recorded values",
        reach: [.severalHosts, .fleet],
        completes: { _ in .data(.runs) },
        perform: { try await RetryCommand(invocation: $0).perform() },
        options: run.options.filter { option in
            !["local", "wait-for-debugger", "key", "failed-start", "retry-of", "json"].contains(option.name)
        },
        notes: [
            "Values after RUN replace recorded values. History contains no secrets or files: intentctl asks for them",
            "on the terminal, or they are given after RUN. Several runs are retried with their recorded values and",
            "continue in the background; 'intentctl ps' lists them. A new run belongs to the caller and records which",
            "run it retries.",
            "Write options of intentctl before RUN. Exit codes: as for 'run'; with several runs 0, or the code of the",
            "first run that could not be retried.",
        ]
    )

    static let status = CommandSpec(
        name: "status",
        summary: "show the daemon's state and the problems that prevent runs",
        reach: [.severalHosts, .fleet],
        perform: { try await StatusCommand(invocation: $0).perform() },
        notes: [
            "Operators see the number of all runs, and other users the number of their own runs.",
            "Exit codes: 0 all apps are usable, 69 no intentd, 75 new runs are refused, 78 an app is unusable.",
        ]
    )

    static let doctor = CommandSpec(
        name: "doctor",
        summary: "check whether this host meets intentd's requirements, and show how to meet them",
        reach: .thisHost,
        perform: { try await DoctorCommand(invocation: $0).perform() },
        notes: [
            "Checks the service, the isolation of its runs and of private runs (--local), whether runs can delay the",
            "service (CPUWeight=), disk and clock.",
            "Changes nothing. Exit codes: 0 nothing is missing, 78 something is missing.",
        ]
    )

    static let reload = CommandSpec(
        name: "reload",
        summary: "reload the daemon's configuration and apps; for operators",
        reach: .severalHosts,
        perform: { try await ReloadCommand(invocation: $0).perform() },
        notes: [
            "Returns when the new configuration is in effect. If a file contains an error, nothing changes: the command",
            "prints the file name and the line number, and exits with 78. Runs in progress keep their previous rules.",
        ]
    )

    static let upgrade = CommandSpec(
        name: "upgrade",
        summary: "replace the daemon with the installed program; for operators",
        reach: .severalHosts,
        perform: { try await UpgradeCommand(invocation: $0).perform() },
        notes: [
            "Runs continue, and other clients reconnect automatically. The launcher is replaced too. If the new",
            "program cannot take over, nothing changes, and the exit code is 78. The journal contains the reason.",
        ]
    )

    static let completion = CommandSpec(
        name: "completion",
        words: ("bash|zsh|fish", 1...1000),
        summary: "print a completion script for a shell",
        reach: .thisHost,
        completes: { $0.isEmpty ? .words(CompletionScript.Shell.allCases.map(\.rawValue)) : nil },
        perform: { try await CompletionCommand(invocation: $0).perform() },
        notes: ["To enable it now: 'source <(intentctl completion bash)'. units/install enables it in every shell."]
    )

    package static let help = CommandSpec(
        name: "help",
        words: ("[COMMAND]", 0...1),
        summary: "show help",
        reach: .thisHost,
        completes: { $0.isEmpty ? .words(all.map(\.name)) : nil },
        perform: { try HelpText.print($0) },
        options: [OptionSpec("manual", .flag, "print the manual page in mdoc(7) format instead")]
    )

    package static let version = CommandSpec(
        name: "version",
        summary: "show the version",
        reach: .thisHost,
        perform: { _ in try HelpText.printVersion() }
    )
}
