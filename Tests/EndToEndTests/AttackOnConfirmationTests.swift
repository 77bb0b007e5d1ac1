import Foundation
import Glibc
import Testing

/// A run that needs another user's word (`Confirm=`), and those who want it performed without that word.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Daemon.canBecomeOthers, "needs root, to be several users"))
struct AttackOnConfirmationTests {
    private static let asker: UInt32 = 42_501
    private static let approver: UInt32 = 42_502
    /// May not run the app, and is in no group.
    private static let stranger: UInt32 = 42_503
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

    /// Starts a run of the asker's, and waits for its question.
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

    /// The answers of a run on record, by who gave them.
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

    /// Requests that would have the run go on; `RUN` is its name, and `REQUEST` that of the wish that made it.
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
            // What intentd and a worker say.
            #"{"type":"answerTaken","run":"RUN","question":1}"#, #"{"type":"answered","run":"RUN","question":1}"#,
            #"{"type":"withdrawn","run":"RUN","question":1}"#, #"{"type":"refuse","run":"RUN","question":1}"#,
            #"{"type":"reload"}"#, #"{"type":"upgrade"}"#,
        ]

    @Test(arguments: rules)
    func `no request of one who may not confirm has the run go on`(_ rule: String) throws {
        let daemon = try makeDaemon(rule)
        let run = try ask(daemon)
        for user in [Self.asker, Self.stranger] {
            for payload in Self.answers {
                let said = try daemon.say(as: user, [payload.replacing("RUN", with: run)])
                // Refused, or the end of a connection that broke the protocol.
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
    func `nothing that comes with the wish stands for the approver`(_ more: String) throws {
        let daemon = try makeDaemon()
        let other = try ask(daemon)
        let wish =
            #"{"type":"perform","app":"Probe","intent":"AskSomething","values":{"way":"confirm"},"request":"REQUEST",MORE}"#
        // With the wish, and again with another's name for the same one.
        let payload = wish.replacing("REQUEST", with: SocketClient.newRequest)
        let full = payload.replacing("MORE", with: more.replacing("OTHER", with: other))
        let bare = payload.replacing("MORE", with: #""onDisconnect":"continue""#)
        let said = try daemon.say(as: Self.asker, [bare, full]) + daemon.say(as: Self.asker, [full])
        for run in Set(said.compactMap { $0["run"] as? String }) {
            try eventually("it waits for the approver, or has ended without") {
                let shown = try daemon.json("show", run)
                if let outcome = shown["outcome"] as? String { return outcome != "done" }
                return shown["state"] as? String == "asking"
            }
            #expect(try answerers(of: run, daemon) == [])
        }
        #expect(said.contains { $0["run"] is String }, "\(said)")
    }

    @Test func `what takes a run back is confirmed as any other run`() throws {
        let daemon = try makeDaemon()
        for word in ["keep", "sure"] {
            let run = try daemon.intentctl(as: Self.asker, "run", "Probe/RememberWord", "--word", word)
            #expect(run.code == 0, "\(run.errors)")
        }
        let newest = try daemon.json("history", "--by", "all", "-n", "1")["runs"] as? [[String: Any]]
        let run = try #require(newest?.first?["run"] as? String)
        let wish =
            #"{"type":"perform","undoOf":"\#(run)","app":"","intent":"","values":{},"files":0,"request":"\#(SocketClient.newRequest)","onDisconnect":"continue","answers":{"confirmations":"all"}}"#
        let undo = try #require(try daemon.say(as: Self.asker, [wish]).first?["run"] as? String)
        try expectAsking(daemon, undo)
        for payload in Self.answers { _ = try daemon.say(as: Self.asker, [payload.replacing("RUN", with: undo)]) }
        try expectAsking(daemon, undo)
        try approve(undo, daemon)
        #expect(try daemon.intentctl("wait", undo).output.hasPrefix("keep by"))
        #expect(try answerers(of: undo, daemon) == [Int(Self.approver)])
    }

    // MARK: With the approver's word for something else

    @Test func `one answer is for one question, and for the one that was read`() throws {
        let daemon = try makeDaemon()
        let run = try ask(daemon, "confirmTwice")
        let named = #"{"type":"answer","run":"\#(run)","question":1,"value":true}"#
        let unnamed = #"{"type":"answer","run":"\#(run)","value":true}"#
        let said = try daemon.say(as: Self.approver, [unnamed, named, named, unnamed, named, unnamed])
        #expect(said.count { $0["type"] as? String == "answerTaken" } == 1, "\(said)")
        #expect(code(said[0]) == "badAnswer")
        try eventually("the second is asked") {
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

    @Test func `an answer after the question's time, or to one that was taken back, is no answer`() throws {
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

    @Test func `answers, cancellations and ends at one moment leave one answer at most, and that the approver's`()
        throws
    {
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
            #expect(!said.contains { $0["type"] as? String == "answerTaken" }, "\(payload): \(said)")
        }
        try expectAsking(daemon, run)
        #expect(try answerers(of: run, daemon) == [])
    }

    @Test func `a rule that is lifted while a run asks is lifted for later runs alone`() throws {
        let daemon = try makeDaemon(sharesLauncher: true, hasOwnPrograms: true)
        let run = try ask(daemon)
        let unit = daemon.folder.appending("units/Probe.conf")
        let text = try String(contentsOf: unit, encoding: .utf8)
        try Data(text.replacing("Confirm=other", with: "Confirm=asker").utf8).write(to: unit)
        #expect(try daemon.intentctl("reload").code == 0)
        try expectAskerRefused(daemon, run)
        try Data(text.utf8).write(to: unit)
        // The next program goes by the file, and the file has the rule again.
        try daemon.replace("intentd", with: Programs.intentd)
        #expect(try daemon.intentctl("upgrade").code == 0)
        try daemon.admitEverybody()
        try expectAskerRefused(daemon, run)
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).output == "ordered\n")
    }

    @Test(arguments: ["broken", "removed"])
    func `a run whose app cannot be read any more is confirmed by an operator, and by nobody else`(
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
    func `a value in the question neither hides nor adds a line where the approver reads it`(_ name: String) throws {
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
            let lines = command.output.split(separator: "\n")
            #expect(!lines.contains { $0.hasPrefix("root:") || $0.hasPrefix("yes: nothing") }, "\(command.output)")
            if words[0] == "answer" {
                // What it is, the question, what yes and no are, and how to say so.
                #expect(lines.count == 4, "\(command.output.debugDescription)")
                #expect(lines[2].contains("yes: ") && lines[3].contains("intentctl answer \(run)"))
            }
        }
        try approve(run, daemon)
        #expect(try daemon.intentctl("wait", run).code == 0)
    }
}
