/// The commands for app authors.
extension CommandSpec {
    static let verify = CommandSpec(
        name: "verify",
        words: ("EXECUTABLE|FILE.intents|FILE.shortcut", 1...1),
        summary: "check an app, or a file that declares intents, before it is installed",
        reach: .thisHost,
        perform: { try await VerifyCommand(invocation: $0).perform() },
        notes: [
            "Checks the linkage and libraries of the app, and reads its intents in a sandbox, as intentd does.",
            "Warns about problems that do not prevent a run, and names the modifiers of views that snippets ignore.",
            "For FILE.intents, checks the programs, and whether apps can read the paths that the file grants.",
            "For FILE.shortcut, checks names and types against the apps of this host, and that each value exists on",
            "every path.",
            "Exit codes: 0 ready, 66 no such file, 78 the app would not run.",
        ]
    )

    static let learn = CommandSpec(
        name: "learn",
        words: run.words,
        localWords: ("EXECUTABLE INTENT", 2...2),
        summary: "perform an intent once, and print the settings that would permit what its sandbox refused",
        reach: .oneHost,
        completes: first(.intents),
        perform: { try await RunCommand($0).perform() },
        options: run.options.filter { option in
            ["local", "limit", "ceiling", "json", "credential", "writable", "out", "answer", "yes", "no-input"]
                .contains(option.name)
        },
        notes: [
            "Permits nothing that is not granted. The lines are for review: hosts of AllowHosts= for every refused",
            "connection, and the path or program of ReadPaths=, WritePaths= or Programs= that the run missed at its end.",
            "Exit codes: as for 'run'.",
        ]
    )

    static let new = CommandSpec(
        name: "new",
        words: (
            "NAME | --command NAME -- PROGRAM ARGUMENT... | --mcp-server NAME -- [VARIABLE=VALUE...] PROGRAM ARGUMENT... | --shortcut NAME APP/INTENT...",
            1...1000
        ),
        summary: "create a package with an intent and its test, or a file that declares intents",
        reach: .thisHost,
        perform: { try await NewCommand(invocation: $0).perform() },
        options: [
            OptionSpec(
                "command",
                .value("NAME"),
                "create NAME.intents from the command line after '--', and try it; %{name} becomes a parameter"
            ),
            OptionSpec(
                "mcp-server",
                .value("NAME"),
                "create NAME.intents for the MCP server after '--', and try it in its sandbox, which finds its grants"
            ),
            OptionSpec(
                "shortcut",
                .value("NAME"),
                "create NAME.shortcut with a step for each intent; what no earlier step returns becomes a parameter"
            ),
            OptionSpec(
                "package",
                .value("PATH"),
                default: "the checkout that this intentctl was built in",
                "the intentd package, which contains the AppIntents library"
            ),
        ]
    )
}
