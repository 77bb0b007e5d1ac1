extension CommandSpec {
    static let revoke = CommandSpec(
        name: "revoke",
        words: ("RUN", 1...1),
        summary: "end the standing approval that 'answer RUN yes --for TIME' has given",
        reach: .severalHosts,
        completes: first(.runs),
        perform: { try await RevokeCommand(invocation: $0).perform() },
        notes: [
            "'intentctl status' lists the standing approvals. Runs that they cover and that have not started end.",
            "The command also ends the answers 'for a day' of a run's questions about hosts (AllowHosts=ask).",
            "Exit code 66: the run has left no standing approval.",
        ]
    )

    static let mcp = CommandSpec(
        name: "mcp",
        summary: "serve the intents to an agent over the Model Context Protocol",
        reach: .oneHost,
        perform: { try await MCPCommand(invocation: $0).perform() },
        options: [
            OptionSpec("root", .values("DIR"), "permit files below DIR instead of the folders in AllowRoots="),
            OptionSpec(
                "setup",
                .word(MCPClient.allCases.map(\.rawValue)),
                "print the configuration for this client and exit"
            ),
            OptionSpec(
                "url",
                .value("URL"),
                "with --setup: the address of /mcp of an intentd-web, instead of a command"
            ),
            OptionSpec(
                "header-file",
                .value("PATH"),
                "with --url: a file with a token, which the configuration will contain"
            ),
            OptionSpec("write", .flag, "with --setup: add the server to the client's configuration file"),
            OptionSpec("only", .values("APP/INTENT"), "offer only these intents; * stands for any characters"),
            OptionSpec("read-only", .flag, "offer only tools that do not change data"),
            OptionSpec(
                "search",
                .flag,
                "with more than 60 tools: offer tools that search, describe and call them instead"
            ),
            OptionSpec(
                "answer-after",
                .value("TIME"),
                "answer each call after TIME at the latest; its run continues, and intent_run_result returns its result"
            ),
            OptionSpec("sessions", .flag, "serve several clients of intentd-web, which starts this command"),
            OptionSpec("as", .value("USER"), "with --sessions: the user that intentd-web acts for"),
            OptionSpec("software", .value("TEXT"), "with --sessions: what history calls the client"),
            OptionSpec("list", .flag, "print each tool as a model sees it, with its size in characters"),
        ],
        notes: [
            "An MCP client starts this command and communicates with it through standard input and output. Each call",
            "performs an intent as a run of the user who started the client. Runs belong to intentd: a run that is a",
            "task continues when the client exits.",
            "",
            "If the client can show forms, it shows the questions of a run. Otherwise the call returns the run's",
            "identifier, and a person answers with 'intentctl answer RUN'.",
        ]
    )
}
