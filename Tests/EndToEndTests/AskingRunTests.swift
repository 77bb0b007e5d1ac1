import Foundation
import Glibc
import TestSupport
import Testing

/// Runs that ask questions without a terminal.
@Suite(.ownThread) struct AskingRunTests {
    private func detached(_ daemon: Daemon, _ way: String, _ options: [String] = []) throws -> String {
        let started = try daemon.start(["run", "--detach"] + options + ["Probe/AskSomething", "--way", way])
        #expect(started.exitCode() == 0, "\(started.errors)")
        return started.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `ps, show, why and status report that a detached run waits for an answer, and it continues after it`()
        throws
    {
        let daemon = try Daemon()
        let run = try detached(daemon, "value")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try daemon.intentctl("ps").output.contains("asks: How many cups? ('intentctl answer \(run)')"))
        #expect(try daemon.intentctl("show", run).output.contains("asks       How many cups?"))
        let why = try daemon.intentctl("why", run)
        #expect(why.output.contains("waits for an answer: How many cups?"), "\(why.output)")
        #expect(why.output.contains("intentctl answer \(run)"))
        #expect(try daemon.json("status")["waitingCount"] as? Int == 1)
        #expect(try daemon.json("status")["runningCount"] as? Int == 0)
        let shown = try daemon.intentctl("answer", run)
        #expect(shown.code == 0)
        #expect(shown.output.contains("expects a whole number, 1 to 5"), "\(shown.output)")
        #expect(shown.output.contains("intentctl answer \(run) INTEGER"))
        let bad = try daemon.intentctl("answer", run, "6")
        #expect(bad.code == 64)
        #expect(bad.errors.contains("from 1 to 5"), "\(bad.errors)")
        #expect(try daemon.intentctl("answer", run, "5").code == 0)
        let end = try daemon.intentctl("wait", run)
        #expect(end.code == 0)
        #expect(end.output == "5\n")
        let late = try daemon.intentctl("answer", run, "5")
        #expect(late.code == 66, "\(late.errors)")
    }

    @Test func `a question, its answer and the answering user and client are recorded`() throws {
        let daemon = try Daemon()
        let run = try detached(daemon, "value")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", run, "5").code == 0)
        #expect(try daemon.intentctl("wait", run).code == 0)
        let changes = try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
        let question = try #require(changes.first { $0["kind"] as? String == "question" })
        #expect(question["text"] as? String == "How many cups?")
        let answer = try #require(changes.first { $0["kind"] as? String == "answer" })
        #expect(answer["user"] as? Int == Int(getuid()))
        #expect(answer["value"] as? Int == 5)
        #expect((answer["client"] as? String)?.hasPrefix("intentctl") == true)
    }

    @Test func `a secret is never recorded, whether given in advance or as an answer`() throws {
        let daemon = try Daemon(app: ["[History]", "Secret=password"])
        let asked = try detached(daemon, "secret")
        _ = try daemon.run(in: "asking")
        let input = daemon.folder.appending("secret")
        try Data("hunter2\n".utf8).write(to: input)
        #expect(try daemon.intentctl("answer", asked, "-", input: input).code == 0)
        #expect(try daemon.intentctl("wait", asked).output == "2retnuh\n")
        let before = try detached(daemon, "secret", ["--answer", "password=hunter2"])
        #expect(try daemon.intentctl("wait", before).output == "2retnuh\n")
        for run in [asked, before] {
            #expect(try daemon.intentctl("show", run).output.contains("answered"))
        }
        let grep = try Command(
            URL(filePath: "/usr/bin/grep"),
            ["-rc", "hunter2", daemon.folder.appending("state").path]
        )
        grep.exitCode()
        #expect(!grep.output.isEmpty)
        #expect(grep.output.split(separator: "\n").allSatisfy { $0.hasSuffix(":0") }, "\(grep.output)")
    }

    @Test func `without a terminal, a question is printed with the command that answers it`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/AskSomething", "--way", "option"])
        let run = try daemon.run(in: "asking")
        try running.waitFor("intentctl answer \(run)")
        #expect(running.errors.contains("asks: What now?"))
        #expect(running.errors.contains("2) Burn it (cannot be undone)"))
        #expect(try daemon.intentctl("answer", run, "keep", "it").code == 64)
        #expect(try daemon.intentctl("answer", run, "keep it").code == 0)
        #expect(running.exitCode() == 0)
        #expect(running.output == "kept\n")
        #expect(running.errors.contains("answered by"))
    }

    @Test(arguments: [("=sell it", "Sell it\n"), ("=Keep it", "Keep it\n")])
    func `a choice without a parameter can be answered in advance by an option's title`(answer: String, output: String)
        throws
    {
        let daemon = try Daemon()
        let run = try daemon.intentctl(
            "run",
            "--no-input",
            "--answer",
            answer,
            "Probe/AskSomething",
            "--way",
            "plainOption"
        )
        #expect(run.output == output, "\(run.errors)")
        // An unknown title, and a choice with a destructive option, which needs a confirmation.
        for (answer, way) in [("=Rent it", "plainOption"), ("=Keep it", "option")] {
            let unfit = try daemon.intentctl(
                "run",
                "--no-input",
                "--answer",
                answer,
                "Probe/AskSomething",
                "--way",
                way
            )
            #expect(unfit.code == 76, "\(unfit.errors)")
        }
    }

    @Test func `with --no-input the run fails at its question, and the error names the missing flag`() throws {
        let daemon = try Daemon()
        let run = try daemon.intentctl("run", "--no-input", "Probe/AskSomething", "--way", "needsValue")
        #expect(run.code == 76)
        #expect(run.errors.contains("--cups INTEGER"), "\(run.errors)")
        let caught = try daemon.intentctl("run", "--no-input", "Probe/AskSomething", "--way", "caught")
        #expect(caught.code == 0)
        #expect(caught.output.hasPrefix("went on without"))
    }

    @Test(arguments: [
        ("confirm", ["--yes"], 0, "ordered\n"), ("destroy", ["--yes", "--no-input"], 76, ""),
        ("destroy", ["--yes=destructive"], 0, "destroyed\n"),
        ("confirmValue", ["--answer", "cups=3", "--no-input"], 76, ""),
        ("confirmValue", ["--yes"], 0, "true\n"), ("value", ["--answer", "cups=3"], 0, "3\n"),
        ("needsValue", ["--answer", "cups=3"], 0, "3 at 2\n"), ("choice", ["--answer", "colour=red"], 0, "red\n"),
        ("element", ["--answer", "names=Ada", "--no-input"], 0, "Ada\n"),
        ("value", ["--answer", "cups=9"], 64, ""), ("value", ["--answer", "cub=3"], 64, ""),
        ("value", ["--answer", "cups"], 64, ""), ("confirm", ["--yes=all"], 64, ""),
    ])
    func `--answer supplies values, and --yes confirms only what it covers`(
        _ way: String,
        options: [String],
        code: Int32,
        output: String
    ) throws {
        let daemon = try Daemon()
        let run = try daemon.start(["run"] + options + ["Probe/AskSomething", "--way", way])
        #expect(run.exitCode() == code, "\(run.errors)")
        #expect(run.output == output)
    }

    @Test func `a refused confirmation cancels the run`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/AskSomething", "--way", "confirm"])
        let run = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", run, "no").code == 0)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("cancelled: userCancelled"))
    }

    @Test func `an unanswered question ends its run at the question's deadline`() throws {
        // No other limit ends the run while the test waits.
        let daemon = try Daemon(limits: ["QuestionTimeout=300ms", "Runtime=1h"])
        let run = try daemon.start(["run", "Probe/AskSomething", "--way", "value"])
        try eventually("the run ends") { !run.isRunning }
        #expect(run.exitCode() == 76, "\(run.errors)")
        #expect(run.errors.contains("How many cups?"))
    }

    @Test func `a run's clock stops while its question is open`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "--limit", "3s", "Probe/AskSomething", "--way", "progress"])
        let run = try daemon.run(in: "asking")
        // The run is older than its limit. It would have ended if its clock had not stopped.
        try daemon.waitForAge(of: run, seconds: 4)
        #expect(try daemon.intentctl("answer", run, "2").code == 0)
        #expect(running.exitCode() == 0, "\(running.errors)")
    }

    @Test func `a question outlives its client, and another client can answer it`() throws {
        let daemon = try Daemon()
        let owner = try daemon.start(["run", "--on-disconnect", "continue", "Probe/AskSomething", "--way", "value"])
        let run = try daemon.run(in: "asking")
        owner.signal(SIGKILL)
        owner.exitCode()
        let client = try SocketClient(daemon)
        let asking = try client.ask(["type": "question", "run": run])
        let question = try #require(asking["question"] as? [String: Any])
        #expect(question["text"] as? String == "How many cups?")
        let refused = try client.ask(["type": "answer", "run": run, "value": "many"])
        #expect((refused["error"] as? [String: Any])?["code"] as? String == "badAnswer")
        let taken = try client.ask(["type": "answer", "run": run, "question": 1, "value": 2])
        #expect(taken["type"] as? String == "answerAccepted")
        #expect(try daemon.intentctl("wait", run).output == "2\n")
    }

    @Test func `a run with an open question uses no slot`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"])
        let run = try detached(daemon, "value")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("run", "Probe/Add", "--first", "1", "--second", "2").output == "3\n")
        #expect(try daemon.intentctl("answer", run, "1").code == 0)
        #expect(try daemon.intentctl("wait", run).code == 0)
    }
}
