/// One command of ours: parsing and help follow from it.
package struct CommandSpec: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case run
        case list
        case describe
        case options
        case ps
        case top
        case watch
        case wait
        case cancel
        case answer
        case fetch
        case undo
        case history
        case show
        case why
        case logs
        case metrics
        case status
        case reload
        case upgrade
        case verify
        case new
        case completion
        case help
        case version
    }

    package var name: Name
    /// The words after the options, for help.
    package var words: String
    package var wordCount: ClosedRange<Int>
    package var summary: String
    package var options: [OptionSpec]
    /// Lines below the options in help.
    package var notes: [String] = []

    package static func named(_ name: Name) -> CommandSpec {
        switch name {
        case .run: run
        case .list: list
        case .describe: describe
        case .options: options
        case .ps: ps
        case .top: top
        case .watch: watch
        case .wait: wait
        case .cancel: cancel
        case .answer: answer
        case .fetch: fetch
        case .undo: undo
        case .history: history
        case .show: show
        case .why: why
        case .logs: logs
        case .metrics: metrics
        case .status: status
        case .reload: reload
        case .upgrade: upgrade
        case .verify: verify
        case .new: new
        case .completion: completion
        case .help: help
        case .version: version
        }
    }

    /// What stands before any command, and may stand among a command's own options.
    package static let globalOptions: [OptionSpec] = [
        OptionSpec("socket", .value("PATH"), default: "$INTENTD_SOCKET, else the system's", "the socket of intentd"),
        OptionSpec("user", .flag, "talk to the user's own intentd, not the system's"),
        OptionSpec("output", short: "o", .word(["text", "json"]), default: "text", "how to print"),
        OptionSpec("help", short: "h", .flag, "show help, of the command when one is named"),
        OptionSpec("version", .flag, "show the version"),
    ]

    private static let outFolder = OptionSpec(
        "out",
        .value("DIR"),
        default: ".",
        "where result files go; nothing is overwritten"
    )

    private static let noInput = OptionSpec("no-input", .flag, "ask nothing")

    private static let run = CommandSpec(
        name: .run,
        words: "APP/INTENT [--NAME VALUE]...",
        wordCount: 1...1,
        summary: "perform an intent and follow it to its end",
        options: [
            OptionSpec("local", .flag, "run without a daemon: EXECUTABLE INTENT instead of APP/INTENT"),
            OptionSpec("limit", .value("TIME"), default: "the intent's", "how long without progress: 30s, 2m"),
            OptionSpec("ceiling", .value("TIME"), default: "the intent's", "how long it may take in all: 10min, 1h"),
            OptionSpec("detach", short: "d", .flag, "print the run's identifier, and do not wait"),
            OptionSpec(
                "on-disconnect",
                .word(["cancel", "continue"]),
                default: "cancel; continue with --detach",
                "what becomes of the run when this client goes away"
            ),
            OptionSpec("key", .value("KEY"), "the same wish again by this key is the same run, ended or not"),
            OptionSpec("retry-of", .value("RUN"), "another try: starts when nothing of that run is left"),
            OptionSpec(
                "traceparent",
                .value("TEXT"),
                default: "$TRACEPARENT",
                "W3C Trace Context, for the worker and the record"
            ),
            OptionSpec("json", .value("JSON|-"), "all parameters as one object, or from standard input"),
            OptionSpec("writable", .values("NAME"), "the run may change the file of that parameter, not only read it"),
            outFolder,
            OptionSpec(
                "answer",
                .values("NAME=VALUE"),
                "answers a question about that parameter, should it be asked; =TITLE: a choice about none"
            ),
            OptionSpec("yes", .flagOrWord(["destructive"]), "confirms what can be undone; =destructive: everything"),
            noInput,
        ],
        notes: [
            "Options of intentctl stand before APP/INTENT; everything after it belongs to the intent.",
            "Parameters: --name VALUE, --name=VALUE; --name or --no-name for yes or no; a path, or - for standard",
            "input, for a file. 'intentctl describe APP/INTENT' lists them.",
            "A list: the option once for each element. Dates: 2026-11-21, '2026-11-21 09:30' in the local zone, or",
            "RFC 3339. Spans of time: 90s, '1h 30min', seconds. Enumerations: a value's name or title.",
            "A run may ask in its middle: on a terminal here; else it waits for 'intentctl answer'. --no-input: exit 76.",
            "The value is printed on standard output, all else on standard error. Ctrl-C cancels and waits; again:",
            "stops waiting.",
            "",
            "Exit codes: 0 done, 1 the intent threw, 64 usage, 65 bad data, 66 unknown app, intent or run,",
            "69 no intentd, 70 the worker crashed, 71 a limit of the sandbox, 75 busy or gave up waiting,",
            "76 question unanswered, 77 not permitted, 78 configuration; cancelled: 124 timeout, 129 client gone,",
            "130 by the user, 143 intentd stopped.",
        ]
    )

    private static let list = CommandSpec(
        name: .list,
        words: "[APP]",
        wordCount: 0...1,
        summary: "list what can be run",
        options: []
    )

    private static let describe = CommandSpec(
        name: .describe,
        words: "APP[/INTENT]",
        wordCount: 1...1,
        summary: "show parameters, types, defaults, limits and a ready command line",
        options: [],
        notes: ["With --output json: the declaration, and in 'schema' a JSON Schema for 'run --json'."]
    )

    private static let options = CommandSpec(
        name: .options,
        words: "APP/INTENT PARAMETER [TEXT]",
        wordCount: 2...3,
        summary: "ask the app what a parameter can be chosen from",
        options: [
            OptionSpec("local", .flag, "ask without a daemon: EXECUTABLE INTENT instead of APP/INTENT"),
            OptionSpec("json", .value("JSON"), "values of other parameters, which the options may depend on"),
            OptionSpec("where", .values("CONDITION"), "only what has such a property: 'pages >= 100'"),
            OptionSpec("any", .flag, "what fulfils one condition, instead of all"),
            OptionSpec("sort", .values("PROPERTY"), "in that order: title, 'pages descending'"),
            OptionSpec("limit", .value("COUNT"), "at most so many, of what has such properties"),
        ],
        notes: [
            "Asks in a worker, as a run: the same sandbox, limits and rights. TEXT: only what it may mean.",
            "CONDITION: PROPERTY COMPARATOR VALUE; 'intentctl describe APP/INTENT' lists those that the app knows.",
            "Signs for comparators: = != < <= > >=. isBetween takes 'LOW and HIGH', a list its elements with commas.",
            "Exit codes as of 'run'.",
        ]
    )

    private static let ps = CommandSpec(
        name: .ps,
        words: "",
        wordCount: 0...0,
        summary: "list your runs that have not ended",
        options: [
            OptionSpec("app", .value("APP[/INTENT]"), "of this app or intent"),
            OptionSpec.ofUser(default: "all that you may see"),
        ]
    )

    private static let watch = CommandSpec(
        name: .watch,
        words: "RUN",
        wordCount: 1...1,
        summary: "follow a run of yours from now on; exit 0 once it has ended",
        options: [noInput],
        notes: ["Ctrl-C ends the watching, and leaves the run alone. 'intentctl ps' shows the runs."]
    )

    private static let wait = CommandSpec(
        name: .wait,
        words: "RUN",
        wordCount: 1...1,
        summary: "wait for the end of a run of yours, and exit as 'run' does",
        options: [outFolder],
        notes: ["The value is printed on standard output. Ctrl-C ends the waiting, and leaves the run alone."]
    )

    private static let cancel = CommandSpec(
        name: .cancel,
        words: "RUN...",
        wordCount: 1...1000,
        summary: "cancel runs, and wait until nothing of them is left",
        options: []
    )

    private static let answer = CommandSpec(
        name: .answer,
        words: "RUN [VALUE]...",
        wordCount: 1...1000,
        summary: "answer what a run asks; with no value, show the question",
        options: [OptionSpec("prompt", .flag, "ask for the answer here, hidden where it is secret")],
        notes: [
            "VALUE: as of a parameter; yes or no; a choice by its number or name; - for standard input. The first",
            "answer counts. One that does not fit exits with 64, and the question stays; 66: nothing is asked.",
        ]
    )

    private static let fetch = CommandSpec(
        name: .fetch,
        words: "RUN",
        wordCount: 1...1,
        summary: "get the result files of a run that was not waited for",
        options: [outFolder, OptionSpec("keep", .flag, "leave them there, to be fetched again")],
        notes: [
            "Prints the path of each. They are kept until they are fetched, or for KeepFiles= of [History] (7 days);",
            "who waits for a run he asked for gets them with its end.",
        ]
    )

    private static let undo = CommandSpec(
        name: .undo,
        words: "RUN",
        wordCount: 1...1,
        summary: "take back what a run did, by the intent that it registered for that",
        options: [outFolder, noInput],
        notes: [
            "A run of its own, in a worker of its own, while RUN is on record. Once: asked again while that runs, or when",
            "it is done, it is the same run, and its end is told again. One that did not succeed is tried again by a new",
            "run. Exit codes as of 'run'; 66: it registered nothing.",
        ]
    )

    private static let status = CommandSpec(
        name: .status,
        words: "",
        wordCount: 0...0,
        summary: "show the daemon at a glance; exit 0 when it serves",
        options: []
    )

    private static let reload = CommandSpec(
        name: .reload,
        words: "",
        wordCount: 0...0,
        summary: "have the daemon read its configuration and apps again; for the operator",
        options: [],
        notes: [
            "Returns when it is done. A mistake in any file leaves everything as it was: it is told with its file and",
            "line, and the exit code is 78. Runs that are under way keep the rules they began with.",
        ]
    )

    private static let upgrade = CommandSpec(
        name: .upgrade,
        words: "",
        wordCount: 0...0,
        summary: "have the daemon become the program that was installed in its place; for the operator",
        options: [],
        notes: [
            "Runs go on, and other clients come back by themselves. The launcher follows. Where the new program cannot",
            "take over, nothing changes, and the exit code is 78; the journal says more.",
        ]
    )

    private static let verify = CommandSpec(
        name: .verify,
        words: "EXECUTABLE",
        wordCount: 1...1,
        summary: "check an app before it is installed",
        options: [],
        notes: [
            "Looks at its linkage and libraries, and asks it for its intents in a sandbox, as intentd will.",
            "Exit codes: 0 ready, 66 no such file, 78 it would not run.",
        ]
    )

    private static let new = CommandSpec(
        name: .new,
        words: "NAME",
        wordCount: 1...1,
        summary: "write a ready package with one intent and its test into a new folder",
        options: [
            OptionSpec(
                "package",
                .value("PATH"),
                default: "the checkout that this intentctl was built in",
                "the package of intentd, which has the library AppIntents"
            )
        ]
    )

    private static let completion = CommandSpec(
        name: .completion,
        words: "bash|zsh|fish",
        wordCount: 1...1000,
        summary: "print what a shell reads to complete command lines",
        options: [],
        notes: ["Now: 'source <(intentctl completion bash)'. units/install puts it where shells look for it."]
    )

    private static let help = CommandSpec(
        name: .help,
        words: "[COMMAND]",
        wordCount: 0...1,
        summary: "show help",
        options: []
    )

    private static let version = CommandSpec(
        name: .version,
        words: "",
        wordCount: 0...0,
        summary: "show the version",
        options: []
    )
}
