import Foundation
import Glibc
import TestSupport
import Testing

/// Attempts to perform a run that needs another user's confirmation (`Confirm=`) without that confirmation.
@Suite(
    .ownThread,
    .timeLimit(.minutes(5 * Patience.factor)),
    .enabled(if: Daemon.canBecomeOthers, "needs root, to be several users")
)
struct AttackOnConfirmationTests {
    private static let asker: UInt32 = 42_501
    private static let approver: UInt32 = 42_502
    /// A user who has no permission to run the app, and is in no group.
    private static let outsider: UInt32 = 42_503
    private static let group: UInt32 = 42_600
    private static let access = ["[Access]", "AllowUsers=\(asker) \(approver)"]
    private static let rules = ["Confirm=other", "ConfirmGroups=\(group)"]

    private func makeDaemon(
        _ rule: String = "Confirm=other",
        limits: [String] = [],
        sharesLauncher: Bool = false,
        hasOwnPrograms: Bool = false,
        more: [String] = []
    ) throws -> Daemon {
        let daemon = try Daemon(
            limits: limits,
            app: ["State=yes"] + Self.access + [rule] + more,
            sharesLauncher: sharesLauncher,
            hasOwnPrograms: hasOwnPrograms
        )
        try daemon.admitEverybody()
        return daemon
    }

    /// Starts a run as the asker, and waits for its question.
    private func ask(_ daemon: Daemon, _ way: String = "confirm", _ more: [String] = []) throws -> String {
        let started = try daemon.start(
            as: Self.asker,
            ["run", "--detach", "--yes=destructive", "Probe/AskSomething", "--way", way] + more
        )
        try #require(started.exitCode() == 0, "\(started.errors)")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try expectAsking(daemon, run)
        return run
    }

    private func expectAsking(_ daemon: Daemon, _ run: String) throws {
        try eventually("run \(run) asks") {
            let runs = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            return runs.contains { $0["run"] as? String == run && $0["state"] as? String == "asking" }
        }
    }

    /// The users who gave the recorded answers of a run.
    private func answerers(of run: String, _ daemon: Daemon) throws -> [Int] {
        let changes = try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
        return changes.filter { $0["kind"] as? String == "answer" }.compactMap { $0["user"] as? Int }
    }

    private func approve(_ run: String, _ daemon: Daemon) throws {
        let answer = try daemon.intentctl(as: Self.approver, groups: [Self.group], "answer", run, "yes")
        #expect(answer.code == 0, "\(answer.errors)")
    }

    private func code(_ answer: [String: Any]) -> String {
        (answer["error"] as? [String: Any])?["code"] as? String ?? "\(answer)"
    }

    // MARK: Without the approver

    /// Requests that would let the run continue. `RUN` stands for its identifier.
    private static let answers =
        ["true", #""yes""#, #""true""#, "1", "null", "[true]", #"{"bool":true}"#, #"{"file":{"index":0,"name":"x"}}"#]
        .map {
            #"{"type":"answer","run":"RUN","question":1,"value":\#($0)}"#
        }
        + ["0", "2", "18446744073709551615", "-1", "1.5", #""1""#, "null", "[1]"].map {
            #"{"type":"answer","run":"RUN","question":\#($0),"value":true}"#
        }
        + [
            #"{"type":"answer","run":"RUN","value":true}"#, #"{"type":"answer","run":"RUN ","value":true}"#,
            #"{"type":"answer","run":"RUN","question":1,"value":true,"files":1}"#,
            #"{"type":"answer","run":"RUN","question":1,"value":true,"user":0,"caller":{"user":0}}"#,
            #"{"type":"answer","run":"RUN","question":1,"question":1,"value":true,"value":true}"#,
            #"{"type":"answer","run":["RUN"],"question":1,"value":true}"#,
            // Messages that only intentd and workers may send.
            #"{"type":"answerAccepted","run":"RUN","question":1}"#, #"{"type":"answered","run":"RUN","question":1}"#,
            #"{"type":"withdrawn","run":"RUN","question":1}"#, #"{"type":"refuse","run":"RUN","question":1}"#,
            #"{"type":"reload"}"#, #"{"type":"upgrade"}"#,
        ]

    @Test(arguments: rules)
    func `no request of a user who may not confirm lets the run continue`(_ rule: String) throws {
        let daemon = try makeDaemon(rule)
        let run = try ask(daemon)
        for user in [Self.asker, Self.outsider] {
            for payload in Self.answers {
                let said = try daemon.say(as: user, [payload.replacing("RUN", with: run)])
                // Each request is refused, or ends the connection as a protocol violation.
                let refusals = [
                    "notPermitted", "unknownRun", "badAnswer", "noQuestion", "protocolViolation", "badRequest",
                    "unknownRequest",
                ]
                #expect(said.allSatisfy { refusals.contains(code($0)) }, "\(user): \(payload): \(said)")
            }
        }
        try expectAsking(daemon, run)
        #expect(try answerers(of: run, daemon) == [])
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).output == "ordered\n")
        #expect(try answerers(of: run, daemon) == [Int(Self.approver)])
    }

    @Test(
        arguments: [
            #""answers":{"confirmations":"all"}"#, #""answers":{"confirmations":"all","others":"wait"}"#,
            #""answers":{"confirmations":"all","values":{"way":"confirm"}}"#,
            #""answers":{"values":{"":true},"confirmations":"all"}"#,
            #""answers":{"values":{"":"Order"}}"#, #""answers":{"confirmations":"harmless","others":"refuse"}"#,
            #""answers":{"others":"refuse"}"#, #""isInteractive":true,"answers":{"confirmations":"all"}"#,
            #""retryOf":"OTHER","answers":{"confirmations":"all"}"#, #""user":42502,"answers":{"confirmations":"all"}"#,
            #""onDisconnect":"continue","answers":{"confirmations":"all"}"#,
        ]
    )
    func `nothing in the request itself replaces the approver's answer`(_ more: String) throws {
        let daemon = try makeDaemon()
        let other = try ask(daemon)
        let template =
            #"{"type":"perform","app":"Probe","intent":"AskSomething","values":{"way":"confirm"},"request":"REQUEST",MORE}"#
        // The extra fields come with the first request, or with a repetition of it.
        let payload = template.replacing("REQUEST", with: SocketClient.newRequest)
        let full = payload.replacing("MORE", with: more.replacing("OTHER", with: other))
        let bare = payload.replacing("MORE", with: #""onDisconnect":"continue""#)
        let said = try daemon.say(as: Self.asker, [bare, full]) + daemon.say(as: Self.asker, [full])
        for run in Set(said.compactMap { $0["run"] as? String }) {
            try eventually("the run waits for the approver, or has failed") {
                let shown = try daemon.json("show", run)
                if let outcome = shown["outcome"] as? String { return outcome != "done" }
                return shown["state"] as? String == "asking"
            }
            #expect(try answerers(of: run, daemon) == [])
        }
        #expect(said.contains { $0["run"] is String }, "\(said)")
    }

    @Test func `undoing a run needs the same confirmation as any run`() throws {
        let daemon = try makeDaemon()
        for word in ["keep", "sure"] {
            let run = try daemon.intentctl(as: Self.asker, "run", "Probe/RememberWord", "--word", word)
            #expect(run.code == 0, "\(run.errors)")
        }
        let newest = try daemon.json("history", "--by", "all", "-n", "1")["runs"] as? [[String: Any]]
        let run = try #require(newest?.first?["run"] as? String)
        let request =
            #"{"type":"perform","undoOf":"\#(run)","app":"","intent":"","values":{},"files":0,"request":"\#(SocketClient.newRequest)","onDisconnect":"continue","answers":{"confirmations":"all"}}"#
        let undo = try #require(try daemon.say(as: Self.asker, [request]).first?["run"] as? String)
        try expectAsking(daemon, undo)
        for payload in Self.answers { _ = try daemon.say(as: Self.asker, [payload.replacing("RUN", with: undo)]) }
        try expectAsking(daemon, undo)
        try approve(undo, daemon)
        #expect(try daemon.intentctl("wait", undo).output.hasPrefix("keep by"))
        #expect(try answerers(of: undo, daemon) == [Int(Self.approver)])
    }

    // MARK: With the approver's answer to another question

    @Test func `an answer applies only to the question that it names`() throws {
        let daemon = try makeDaemon()
        let run = try ask(daemon, "confirmTwice")
        let named = #"{"type":"answer","run":"\#(run)","question":1,"value":true}"#
        let unnamed = #"{"type":"answer","run":"\#(run)","value":true}"#
        let said = try daemon.say(as: Self.approver, [unnamed, named, named, unnamed, named, unnamed])
        #expect(said.count { $0["type"] as? String == "answerAccepted" } == 1, "\(said)")
        #expect(code(said[0]) == "badAnswer")
        try eventually("the second question is asked") {
            try daemon.json("answer", run)["question"].map { "\($0)".contains("Second") } ?? false
        }
        for _ in 0..<3 {
            let late = try daemon.say(as: Self.approver, [named, unnamed])
            #expect(late.map(code) == ["noQuestion", "badAnswer"])
        }
        try expectAsking(daemon, run)
        #expect(try answerers(of: run, daemon) == [Int(Self.approver)])
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).output == "both\n")
    }

    @Test func `an answer after the question's deadline is refused`() throws {
        let daemon = try makeDaemon(limits: ["QuestionTimeout=1s"])
        let run = try ask(daemon)
        #expect(try daemon.intentctl("wait", run).code == 76)
        for payload in [#""question":1,"value":true"#, #""value":true"#] {
            let said = try daemon.say(as: Self.approver, [#"{"type":"answer","run":"\#(run)",\#(payload)}"#])
            #expect(["noQuestion", "unknownRun"].contains(said.first.map(code) ?? ""), "\(said)")
        }
        #expect(try daemon.json("show", run)["outcome"] as? String == "unanswered")
        #expect(try answerers(of: run, daemon) == [])
    }

    @Test func `concurrent answers and cancellations record at most one answer, and only the approver's`() throws {
        let daemon = try makeDaemon()
        for round in 0..<10 {
            let run = try ask(daemon)
            var commands = try (0..<3).map { _ in try daemon.start(as: Self.asker, ["answer", run, "yes"]) }
            commands.append(try daemon.start(as: Self.approver, ["answer", run, round % 2 == 0 ? "yes" : "no"]))
            commands.append(try daemon.start(as: Self.approver, ["answer", run, "yes"]))
            if round % 3 == 0 { commands.append(try daemon.start(as: Self.asker, ["cancel", run])) }
            for command in commands { command.exitCode() }
            _ = try daemon.intentctl("wait", run)
            let who = try answerers(of: run, daemon)
            let outcome = try daemon.json("show", run)["outcome"] as? String
            #expect(who.count <= 1 && who.allSatisfy { $0 == Int(Self.approver) }, "\(who)")
            #expect(outcome == "cancelled" || outcome == "done" && who.count == 1, "\(outcome ?? "") \(who)")
        }
    }

    // MARK: When the rule changes

    private func expectAskerRefused(_ daemon: Daemon, _ run: String) throws {
        for payload in Self.answers {
            let said = try daemon.say(as: Self.asker, [payload.replacing("RUN", with: run)])
            #expect(!said.contains { $0["type"] as? String == "answerAccepted" }, "\(payload): \(said)")
        }
        try expectAsking(daemon, run)
        #expect(try answerers(of: run, daemon) == [])
    }

    @Test func `a rule that is lifted while a run asks still applies to that run`() throws {
        let daemon = try makeDaemon(sharesLauncher: true, hasOwnPrograms: true)
        let run = try ask(daemon)
        let unit = daemon.folder.appending("units/Probe.conf")
        let text = try String(contentsOf: unit, encoding: .utf8)
        try Data(text.replacing("Confirm=other", with: "Confirm=asker").utf8).write(to: unit)
        #expect(try daemon.intentctl("reload").code == 0)
        try expectAskerRefused(daemon, run)
        try Data(text.utf8).write(to: unit)
        // The upgraded intentd reads the rule from the file, so the file has it again.
        try daemon.replace("intentd", with: Programs.intentd)
        #expect(try daemon.intentctl("upgrade").code == 0)
        try daemon.admitEverybody()
        try expectAskerRefused(daemon, run)
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).output == "ordered\n")
    }

    @Test(arguments: ["broken", "removed"])
    func `only an operator can confirm a run after its app has become unreadable`(
        _ change: String
    ) throws {
        let daemon = try makeDaemon(sharesLauncher: true)
        let run = try ask(daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        switch change {
        case "broken": try Data("[Access]\nConfirm\n".utf8).write(to: daemon.folder.appending("units/Probe.conf"))
        default: try FileManager.default.removeItem(at: daemon.folder.appending("apps/Probe"))
        }
        let next = try Daemon(after: daemon)
        try next.admitEverybody()
        try expectAsking(next, run)
        try expectAskerRefused(next, run)
        #expect(try next.intentctl("answer", run, "yes").code == 0)
        #expect(try next.intentctl("wait", run).output == "ordered\n")
        #expect(try answerers(of: run, next) == [0])
    }

    // MARK: What the approver reads

    @Test(
        arguments: [
            "Ada\u{1B}[2J\u{1B}[H", "Ada\nroot: approved already", "Ada\r\u{1B}[K", "Ada\u{202E}?eno on",
            "Ada\u{2066}x\u{2069}",
            "Ada\u{200B}\u{2060}\u{FEFF}", "Ada\u{2028}yes: nothing", "Ada\u{85}x", "Ada\u{E0001}\u{E0041}",
            "Ada\u{8}\u{8}\u{8}Bob",
            "Ada\u{61C}\u{180E}", String(repeating: "long ", count: 4000),
        ]
    )
    func `a value in the question neither hides nor adds a line in what the approver reads`(_ name: String) throws {
        let daemon = try makeDaemon()
        let run = try ask(daemon, "confirmNames", ["--names", name])
        for words in [["answer", run], ["ps"]] {
            let command = try daemon.start(as: Self.approver, words)
            #expect(command.exitCode() == 0, "\(command.errors)")
            #expect(command.output.contains("Order for"), "\(command.output.debugDescription)")
            for scalar in command.output.unicodeScalars where scalar != "\n" {
                let category = scalar.properties.generalCategory
                #expect(
                    ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                        && !scalar.properties.isDefaultIgnorableCodePoint,
                    "\(words): U+\(String(scalar.value, radix: 16))"
                )
            }
            let all = command.output.split(separator: "\n")
            #expect(!all.contains { $0.hasPrefix("root:") || $0.hasPrefix("yes: nothing") }, "\(command.output)")
            if words[0] == "answer" {
                let lines = all.filter { $0 != "Values:" && !$0.contains(" = ") }
                // The run, the question, what yes and no mean, and the command that answers.
                #expect(lines.count == 4, "\(command.output.debugDescription)")
                #expect(lines[2].contains("yes: ") && lines[3].contains("intentctl answer \(run)"))
            }
        }
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).code == 0)
    }
}
