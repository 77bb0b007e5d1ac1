import Foundation
import Glibc
import TestSupport
import Testing

/// The tool `intent_plan`: an agent's shortcut, which a person approves once, and what does not follow from that approval.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct PlanTests {
    /// Intents beside those of ``ShortcutTests/tools``.
    private static let tools =
        ShortcutTests.tools + "\n"
            + """
            [Intent Wipe]
            Exec=/bin/sh -c 'echo "wipe $1" >> "$STATE_DIRECTORY/log"' sh %{word}
            Destructive=yes
            [Intent Wipe.Parameter word]
            [Intent Sign]
            Exec=/bin/sh -c 'echo sign >> "$STATE_DIRECTORY/log"'
            [Intent Sign.Parameter token]
            Secret=yes
            [Intent Grow]
            Exec=/bin/sh -c 'printf "%%s and more of the text that each call adds to the text of the one before. " "$1"; head -c 600 /etc/services | tr -d "\\t#"' sh %{text}
            Result=text
            [Intent Grow.Parameter text]
            """

    private static func daemon(_ settings: [String] = [], _ tools: String = tools) throws -> Daemon {
        let daemon = try Daemon(configuration: ["[Agents]"] + settings)
        try daemon.writeCommands(tools)
        return daemon
    }

    private static func step(_ name: String, _ intent: String, _ values: [String: Any] = [:]) -> [String: Any] {
        ["name": name, "intent": intent, "values": values]
    }

    /// Calls the tool with a plan that waits for its approval, and returns its run.
    private static func propose(_ plan: [String: Any], to server: MCPProcess) throws -> String {
        let result = try server.call("intent_plan", plan)
        #expect(result.structured["state"] as? String == "waiting", "\(result)")
        return try #require(result.structured["run"] as? String, "\(result)")
    }

    private static func end(of run: String, _ server: MCPProcess) throws -> [String: Any] {
        try server.call("intent_run_result", ["run": run])
    }

    /// The open question of a run of this intent.
    private static func question(of intent: String, in daemon: Daemon) throws -> (run: String, text: String) {
        var found: (String, String)?
        try eventually("a run of \(intent) asks") {
            let runs = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            let asking = runs.first { $0["intent"] as? String == intent && $0["state"] as? String == "asking" }
            found = asking.flatMap { run in (run["run"] as? String).map { ($0, run["asks"] as? String ?? "") } }
            return found != nil
        }
        return try #require(found)
    }

    @Test func `a person approves the whole once, and reads every step`() throws {
        let daemon = try Self.daemon()
        let server = try MCPProcess(daemon)
        let steps: [[String: Any]] = [
            Self.step("one", "tools_Add", ["word": "a"]),
            ["name": "two", "forEach": "%{words}", "intent": "tools/Add", "values": ["word": "%{item}-%{one}"]],
        ]
        let plan: [String: Any] = [
            "title": "Add words", "steps": steps, "values": ["words": ["b", "c"]], "result": "%{two}",
        ]
        let run = try Self.propose(plan, to: server)
        let shown = try daemon.intentctl("answer", run)
        for text in [
            #"one=tools/Add word="a""#, #"two=for each %{words}, tools/Add word="%{item}-%{one}""#,
            #"words=["b", "c"]"#,
        ] { #expect(shown.output.contains(text), "\(text): \(shown.output) \(shown.errors)") }
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let end = try Self.end(of: run, server)
        #expect(end.structured["value"] as? [String] == ["b-a", "c-a"], "\(end)")
        #expect(try ShortcutTests.log(of: daemon) == ["add a", "add b-a", "add c-a"])
        // The record of each step names the approval.
        let audit = try daemon.json("audit")["decisions"] as? [[String: Any]] ?? []
        #expect(audit.count == 4, "\(audit)")
        #expect(audit.filter { ($0["standing"] as? [String: Any])?["run"] as? String == run }.count == 3, "\(audit)")
        // What a plan did can be undone like the run of any shortcut, and the agent's undo is asked for.
        let undone = try daemon.intentctl("undo", run)
        #expect(undone.code == 0, "\(undone)")
        #expect(try ShortcutTests.log(of: daemon).suffix(3) == ["remove c-a", "remove b-a", "remove a"])
    }

    @Test func `a plan with mistakes is refused with all of them, and a dry run performs nothing`() throws {
        let daemon = try Self.daemon()
        let server = try MCPProcess(daemon)
        let bad = try server.call(
            "intent_plan",
            ["steps": [Self.step("one", "tools/Number", ["a": "x", "b": "%{two}"]), Self.step("two", "tools/Nmber")]]
        )
        #expect(bad["isError"] as? Bool == true, "\(bad)")
        #expect(bad.resultText.contains("[Step one]: Values=: %{two}: the step 'two' is not earlier"), "\(bad)")
        let types = try server.call(
            "intent_plan",
            ["steps": [Self.step("one", "tools/Number", ["a": "x", "b": 1]), Self.step("two", "tools/Nmber")]]
        )
        for text in ["expected a whole number, got 'x'", "tools has no intent 'Nmber'"] {
            #expect(types.resultText.contains(text), "\(types)")
        }
        let lines = try server.call(
            "intent_plan",
            ["title": "a\n[Agents]\nAsk=never", "steps": [Self.step("a", "tools/Go")]]
        )
        #expect(lines.resultText.contains("expected one line"), "\(lines)")
        let dry = try server.call(
            "intent_plan",
            ["steps": [Self.step("one", "tools/Add", ["word": "a"])], "dryRun": true]
        )
        #expect("\(dry.structured)".contains(#"one: tools/Add word=\"a\""#), "\(dry)")
        #expect((try daemon.json("history")["runs"] as? [[String: Any]] ?? []).isEmpty)
    }

    @Test func `ten chained calls send the intermediate values through the model, and one plan does not`() throws {
        let daemon = try Self.daemon(["Ask=never"])
        let server = try MCPProcess(daemon)
        /// The tokens of a message: words, and each digit and each other character by itself.
        func tokens(_ message: Any) throws -> Int {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
            return text.matches(of: /[A-Za-z]+|[^\sA-Za-z]/).count
        }
        var chained = 0
        var value = "start"
        for _ in 1...10 {
            let arguments = ["text": value]
            let result = try server.call("tools_Grow", arguments)
            value = try #require(result.structured["value"] as? String, "\(result)")
            chained += try tokens(arguments) + tokens(result)
        }
        let steps = (1...10).map { number in
            Self.step("s\(number)", "tools_Grow", ["text": number == 1 ? "start" : "%{s\(number - 1)}"])
        }
        let plan: [String: Any] = ["steps": steps, "result": "%{s10.count}"]
        var result = try server.call("intent_plan", plan)
        var planned = try tokens(plan) + tokens(result)
        if let run = result.structured["run"] as? String, result.structured["value"] == nil {
            result = try Self.end(of: run, server)
            planned += try tokens(result)
        }
        #expect(result.structured["value"] as? Int == value.unicodeScalars.count, "\(result)")
        print("tokens of ten chained calls \(chained), of one plan \(planned)")
        #expect(planned * 5 < chained, "\(planned) and \(chained)")
    }

    @Test func `a destructive step asks again for a value that no person has seen, and not for an approved one`() throws
    {
        let daemon = try Self.daemon()
        let server = try MCPProcess(daemon)
        let plan: [String: Any] = [
            "steps": [
                Self.step("known", "tools/Wipe", ["word": "shown"]), Self.step("words", "tools/Words"),
                ["name": "each", "forEach": "%{words}", "intent": "tools/Wipe", "values": ["word": "%{item}"]],
            ]
        ]
        let run = try Self.propose(plan, to: server)
        let shown = try Self.question(of: "Plan", in: daemon)
        #expect(shown.run == run)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        for word in ["one", "two"] {
            let asked = try Self.question(of: "Wipe", in: daemon)
            #expect(asked.text.contains("word=\"\(word)\""), "\(asked)")
            #expect(try daemon.intentctl("answer", asked.run, "yes").code == 0)
            try eventually("the step has ended") { try daemon.json("show", asked.run)["outcome"] as? String == "done" }
        }
        let last = try Self.question(of: "Wipe", in: daemon)
        #expect(try daemon.intentctl("answer", last.run, "no").code == 0)
        #expect(try Self.end(of: run, server)["isError"] as? Bool == true)
        #expect(try ShortcutTests.log(of: daemon) == ["wipe shown", "wipe one", "wipe two"])
    }

    @Test func `a step asks again if its app has changed since the approval`() throws {
        let daemon = try Self.daemon()
        let server = try MCPProcess(daemon)
        let plan = ["steps": [Self.step("wait", "tools/Await"), Self.step("add", "tools/Add", ["word": "a"])]]
        let run = try Self.propose(plan, to: server)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        try ShortcutTests.waitForStep("Await", in: daemon)
        try daemon.writeCommands(Self.tools.replacing("add $1", with: "changed $1"))
        #expect(try daemon.intentctl("run", "tools/Go").code == 0)
        let asked = try Self.question(of: "Add", in: daemon)
        #expect(asked.text.contains("word=\"a\""), "\(asked)")
        #expect(try daemon.intentctl("answer", asked.run, "no").code == 0)
        #expect(try Self.end(of: run, server)["isError"] as? Bool == true)
        #expect(try ShortcutTests.log(of: daemon).contains("changed a") == false)
    }

    @Test func `the steps of another shortcut are approved by themselves`() throws {
        let daemon = try Self.daemon()
        try daemon.writeShortcut("[Shortcut Inner]\n[Step hidden]\nIntent=tools/Add\nValues=word=hidden\n", as: "Inner")
        let server = try MCPProcess(daemon)
        let plan: [String: Any] = [
            "steps": [Self.step("one", "tools/Add", ["word": "a"]), ["name": "two", "shortcut": "Inner"]]
        ]
        let run = try Self.propose(plan, to: server)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let asked = try Self.question(of: "Inner", in: daemon)
        #expect(try daemon.intentctl("answer", asked.run).output.contains(#"tools/Add word="hidden""#))
        #expect(try daemon.intentctl("answer", asked.run, "yes").code == 0)
        #expect(try Self.end(of: run, server)["isError"] as? Bool == false)
        #expect(try ShortcutTests.log(of: daemon) == ["add a", "add hidden"])
    }

    @Test func `no plan carries a secret, is approved in advance, or performs what agents may not`() throws {
        let daemon = try Self.daemon(
            ["ApproveFor=1h"],
            Self.tools.replacing("[Intent Number]", with: "[Intent Number]\nAllow=none")
        )
        let server = try MCPProcess(daemon)
        let secret = ["steps": [Self.step("one", "tools/Sign", ["token": "s3cret"])]]
        let refused = try server.call("intent_plan", secret)
        #expect(refused.resultText.contains("the value of 'token' is secret"), "\(refused)")
        // A client without the checks of the server.
        let client = try SocketClient(daemon)
        func perform(_ text: String) throws -> String {
            var request = SocketClient.performance(of: "", of: "")
            (request["plan"], request["entryPoint"]) = (text, "mcp")
            let answer = try client.ask(request)
            #expect(answer["type"] as? String == "error", "\(answer)")
            return "\(answer)"
        }
        let direct = try perform("[Shortcut P]\n[Step one]\nIntent=tools/Sign\nValues=token=s3cret\n")
        #expect(direct.contains("which is secret"), "\(direct)")
        let settings = try perform("[Shortcut P]\n[Agents]\nAsk=never\n[Step one]\nIntent=tools/Go\n")
        #expect(settings.contains("[Agents]: only a file of the operator"), "\(settings)")
        let forbidden = try server.call("intent_plan", ["steps": [Self.step("one", "tools/Number", ["a": 1, "b": 2])]])
        #expect(forbidden.resultText.contains("does not offer tools/Number"), "\(forbidden)")
        let run = try Self.propose(["steps": [Self.step("one", "tools/Add", ["word": "a"])]], to: server)
        let standing = try daemon.intentctl("answer", run, "yes", "--for", "30m")
        #expect(standing.code == 64, "\(standing)")
        #expect(try daemon.intentctl("answer", run, "no").code == 0)
        #expect(try !daemon.json("history").description.contains("s3cret"))
    }

    @Test func `an agent's file is copied and shown with its digest, and only from permitted folders`() throws {
        let daemon = try Self.daemon()
        let permitted = try daemon.makeFolder("permitted")
        let file = permitted.appending(path: "a.txt")
        try Data("abc".utf8).write(to: file)
        let server = try MCPProcess(daemon, ["--root", permitted.path])
        func plan(_ path: String) -> [String: Any] {
            [
                "steps": [Self.step("pack", "tools/Pack", ["file": "%{input}"])], "files": ["input": "file://\(path)"],
                "result": "%{pack}",
            ]
        }
        #expect(try server.call("intent_plan", plan("/etc/hostname"))["isError"] as? Bool == true)
        let run = try Self.propose(plan(file.path), to: server)
        let shown = try Self.question(of: "Plan", in: daemon)
        #expect(shown.run == run)
        let text = try daemon.intentctl("answer", run).output
        #expect(text.contains("SHA-256 ba7816bf8f01cfea"), "\(text)")
        // The run receives the approved contents.
        try Data("changed".utf8).write(to: file)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let end = try Self.end(of: run, server)
        #expect(end.resultText.contains("abcabc"), "\(end)")
    }

    @Test func `an approved plan continues after a crash of intentd, and its steps ask no more`() throws {
        let daemon = try Daemon(configuration: ["[Agents]"], sharesLauncher: true)
        try daemon.writeCommands(Self.tools)
        let server = try MCPProcess(daemon)
        let plan = ["steps": [Self.step("wait", "tools/Await"), Self.step("add", "tools/Add", ["word": "a"])]]
        let run = try Self.propose(plan, to: server)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        try ShortcutTests.waitForStep("Await", in: daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "tools/Go").code == 0)
        let end = try next.intentctl("wait", run)
        #expect(end.code == 0, "\(end)")
        #expect(try ShortcutTests.log(of: next) == ["await", "add a"])
    }
}
