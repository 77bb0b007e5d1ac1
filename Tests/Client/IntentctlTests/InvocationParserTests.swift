import IntentClient
import Testing
import intentctl

@Suite struct InvocationParserTests {
    @Test func `options of intentctl precede the intent, and everything after it belongs to the intent`() throws {
        let invocation = try InvocationParser.parse(
            ["--user", "run", "--limit", "2m", "--detach", "Soup/OrderSoup", "--limit", "3", "-o", "json"]
        )
        #expect(invocation.command == .run)
        #expect(invocation.words == ["Soup/OrderSoup"])
        #expect(invocation["limit"] == "2m")
        #expect(invocation.has("detach"))
        #expect(invocation.has("user"))
        #expect(invocation.rest == ["--limit", "3", "-o", "json"])
        #expect(!invocation.wantsJSON)
    }

    @Test(arguments: [["--output=json"], ["--output", "json"], ["-o", "json"], ["-ojson"]])
    func `a value may be joined to its option or follow it`(_ option: [String]) throws {
        #expect(try InvocationParser.parse(option + ["list"]).wantsJSON)
        #expect(try InvocationParser.parse(["list"] + option).wantsJSON)
    }

    @Test func `--yes takes an optional value, and repeated answers are collected`() throws {
        let invocation = try InvocationParser.parse(
            ["run", "--yes", "--answer", "a=1", "--answer=b=x=y", "A/B", "--answer", "c"]
        )
        let options = try RunOptions(invocation)
        #expect(options.confirmations == .harmless)
        #expect(options.answers.map(\.name) == ["a", "b"])
        #expect(options.answers.map(\.text) == ["1", "x=y"])
        #expect(invocation.words == ["A/B"])
        #expect(try RunOptions(InvocationParser.parse(["run", "--yes=destructive", "A/B"])).confirmations == .all)
        #expect(try RunOptions(InvocationParser.parse(["run", "A/B"])).confirmations == .none)
        #expect(throws: CommandFailure.self) { try InvocationParser.parse(["run", "--yes=all", "A/B"]) }
        #expect(throws: CommandFailure.self) {
            try RunOptions(InvocationParser.parse(["run", "--answer", "a", "A/B"]))
        }
    }

    @Test(arguments: [["history"], ["ps"]])
    func `--user selects the user's own intentd, and --user=NAME a user's runs`(_ command: [String]) throws {
        let alone = try InvocationParser.parse(command + ["--user"])
        #expect(alone.has("user") && !alone.has("by"))
        for words in [["--user=ann"], ["--by", "ann"], ["--by=ann"]] {
            let named = try InvocationParser.parse(command + words)
            #expect(named["by"] == "ann" && !named.has("user"))
        }
        let both = try InvocationParser.parse(["--user"] + command + ["--user=all"])
        #expect(both["by"] == "all" && both.has("user"))
        let failure = #expect(throws: CommandFailure.self) { try InvocationParser.parse(command + ["--user", "ann"]) }
        #expect(failure.map { "\($0)".contains("--user=ann") } == true)
        // For other commands, the option is a flag.
        #expect(throws: CommandFailure.self) { try InvocationParser.parse(["status", "--user=ann"]) }
    }

    @Test func `-- ends the options of intentctl`() throws {
        #expect(try InvocationParser.parse(["cancel", "--", "--odd"]).words == ["--odd"])
        #expect(try InvocationParser.parse(["run", "--", "-odd/Intent", "--a", "1"]).words == ["-odd/Intent"])
    }

    @Test func `a local run has two words, and all other arguments belong to the intent`() throws {
        let invocation = try InvocationParser.parse(["run", "--local", "./Soup", "OrderSoup", "--soup", "x"])
        #expect(invocation.words == ["./Soup", "OrderSoup"])
        #expect(invocation.rest == ["--soup", "x"])
        #expect(
            try RunOptions(invocation).target == .local(executable: "./Soup", intent: "OrderSoup")
        )
    }

    @Test func `a detached run continues without its client`() throws {
        #expect(try RunOptions(InvocationParser.parse(["run", "-d", "A/B"])).onDisconnect == .continue)
        #expect(try RunOptions(InvocationParser.parse(["run", "A/B"])).onDisconnect == .cancel)
        #expect(
            try RunOptions(InvocationParser.parse(["run", "--on-disconnect=continue", "A/B"])).onDisconnect == .continue
        )
    }

    @Test(
        arguments: [
            ([], "no command given", "see 'intentctl --help'"),
            (["rum"], "unknown command 'rum'", "did you mean 'run'? see 'intentctl --help'"),
            (
                ["run", "--limt", "3", "A/B"], "unknown option '--limt'",
                "did you mean '--limit'? see 'intentctl help run'"
            ),
            (["ps", "x"], "unexpected argument 'x'", "see 'intentctl help ps'"),
            (["describe"], "'describe' needs APP[/INTENT]", "see 'intentctl help describe'"),
            (["run", "--limit"], "--limit needs a value: TIME", "see 'intentctl help run'"),
            (["run", "--detach=yes", "A/B"], "--detach takes no value", "see 'intentctl help run'"),
            (["-o", "yaml", "ps"], "--output: expected text or json, got 'yaml'", "see 'intentctl --help'"),
            (["--user", "ps", "--socket", "/x"], "--socket and --user cannot be combined", "remove one of them"),
        ] as [([String], String, String)]
    )
    func `an error about a command line contains the next step`(_ line: [String], _ message: String, _ hint: String) {
        let failure = #expect(throws: CommandFailure.self) { try InvocationParser.parse(line) }
        #expect(failure == CommandFailure(.usage, code: "usage", message, hint: hint))
    }

    @Test func `--help and --version work anywhere before the intent`() throws {
        #expect(try InvocationParser.parse(["--help"]).command == .help)
        #expect(try InvocationParser.parse(["run", "--help"]).words == ["run"])
        #expect(try InvocationParser.parse(["ps", "-h"]).command == .help)
        #expect(try InvocationParser.parse(["--version"]).command == .version)
        #expect(try InvocationParser.parse(["run", "A/B", "--help"]).rest == ["--help"])
    }

    @Test func `each command is found by its name, and has a summary, a manual page and completions`() throws {
        #expect(Set(CommandSpec.all.map(\.name)).count == CommandSpec.all.count)
        for spec in CommandSpec.all {
            #expect(try CommandSpec.named(spec.name) == spec)
            #expect(!spec.summary.isEmpty)
            #expect(ManualPage.of(spec).contains(".Nd \(spec.summary)"))
            let takesKnownWord = ["RUN", "APP", "[RUN", "[APP"].contains { spec.words.text.hasPrefix($0) }
            #expect((Completion([spec.name, ""]).need != .nothing) == takesKnownWord, "\(spec.name)")
        }
    }

    @Test func `help shows every option of every command`() {
        for spec in CommandSpec.all {
            let help = HelpText.of(spec)
            #expect(HelpText.overview.contains("  \(spec.name) "))
            for option in spec.options + CommandSpec.globalOptions { #expect(help.contains(option.form)) }
        }
    }

    @Test func `an error is JSON with --output json, even if the command line is invalid`() {
        #expect(InvocationParser.wantsJSON(["-o", "json", "rum"]))
        #expect(!InvocationParser.wantsJSON(["rum"]))
        let document = CommandFailure(.usage, code: "usage", "what", hint: "next").document
        #expect(document.text() == #"{"error":{"code":"usage","hint":"next","message":"what"}}"#)
    }
}
