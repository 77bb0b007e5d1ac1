import IntentClient

extension CommandSpec {
    static let mcp = CommandSpec(
        name: .mcp,
        words: "",
        wordCount: 0...0,
        summary: "offer the intents to an agent, as a server of the Model Context Protocol",
        options: [
            OptionSpec("root", .values("DIR"), "permit files below this folder; without it, those below AllowRoots="),
            OptionSpec(
                "setup",
                .word(MCPClient.allCases.map(\.rawValue)),
                "print the configuration of this client, and exit"
            ),
            OptionSpec("write", .flag, "with --setup: add the server to the client's file, and keep the rest of it"),
            OptionSpec("list", .flag, "print each tool as a model sees it, with its size in characters, and exit"),
        ],
        notes: [
            "An MCP client starts this command and speaks to it over standard input and output. Each call performs an",
            "intent as a run of the user who started the client. Runs belong to intentd: a run that is a task continues",
            "when the client ends.",
            "",
            "A question of a run is shown by the client if it can show forms. Otherwise the call answers with the run, and",
            "a person answers with 'intentctl answer RUN'.",
        ]
    )
}
