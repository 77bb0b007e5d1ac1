import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests agents with a separate uid (`User=` and `For=` in `[Agents]`).
@Suite(.ownThread, .enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
struct AgentTests {
    private static let agent: UInt32 = 42_426
    private static let person: UInt32 = 42_427
    private let daemon: Daemon

    init() throws {
        daemon = try Daemon(configuration: [
            "[Agents]", "User=\(Self.agent)", "For=\(Self.person)", "Allow=all", "Ask=always", "MaxRuns=3",
            "AllowRoots=/usr/share",
        ])
        try daemon.admitEverybody()
    }

    private func changes(of run: String) throws -> [[String: Any]] {
        try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
    }

    @Test func `a person can approve an agent's request, and the agent cannot`() throws {
        let running = try daemon.start(as: Self.agent, ["run", "Probe/Echo", "--text", "hello"])
        let run = try daemon.run(in: "asking")
        // The run belongs to the person, who has access to it.
        #expect(try daemon.intentctl(as: Self.person, "ps").output.contains(run))
        let own = try daemon.intentctl(as: Self.agent, "answer", run, "yes")
        #expect(own.code == 77, "\(own.errors)")
        #expect(own.errors.contains("an agent may not approve"))
        let shown = try daemon.intentctl(as: Self.person, "answer", run)
        #expect(shown.output.contains("Probe/Echo"), "\(shown.output) \(shown.errors)")
        #expect(shown.output.contains(#"text="hello""#))
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "yes").code == 0)
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "hello\n")
        let answer = try #require(try changes(of: run).first { $0["kind"] as? String == "answer" })
        #expect(answer["user"] as? Int == Int(Self.person))
        #expect((answer["digest"] as? String)?.count == 64)
        #expect(answer["entryPoint"] as? String == "commandLine")
        #expect(answer["isSameUser"] == nil)
        let decisions = try daemon.json("audit")["decisions"] as? [[String: Any]] ?? []
        #expect(decisions.count == 1)
        #expect(decisions.first?["isApproved"] as? Bool == true)
        #expect(decisions.first?["user"] as? Int == Int(Self.person))
        #expect(decisions.first?["digest"] as? String == answer["digest"] as? String)
        #expect(try daemon.intentctl("audit").output.contains("approved"))
    }

    @Test func `a refused request performs no intent`() throws {
        let running = try daemon.start(as: Self.agent, ["run", "Probe/Echo", "--text", "hello"])
        let run = try daemon.run(in: "asking")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "no").code == 0)
        #expect(running.exitCode() != 0)
        #expect(try !changes(of: run).contains { $0["state"] as? String == "starting" })
    }

    @Test func `an agent is not an operator, and passes only files below permitted folders`() throws {
        #expect(try daemon.intentctl(as: Self.agent, "reload").code == 77)
        // The server of tools permits the same folders.
        #expect(try daemon.json("status")["agentRoots"] as? [String] == ["/usr/share"])
        let file = try daemon.folder.noise("data.bin", byteCount: 10)
        chmod(file.path, 0o644)
        let refused = try daemon.intentctl(as: Self.agent, "run", "Archive/Compress", "--file", file.path)
        #expect(refused.code == 77, "\(refused.errors)")
        #expect(refused.errors.contains("AllowRoots="))
    }

    @Test func `an agent sees and controls no run that it did not request`() throws {
        let own = try daemon.intentctl(as: Self.person, "run", "--detach", "Probe/AskSomething", "--way", "option")
        let run = own.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try eventually("the run asks") { try daemon.intentctl(as: Self.person, "ps").output.contains("asking") }
        for words in [["ps"], ["history"]] {
            let listed = try daemon.start(as: Self.agent, words)
            #expect(listed.exitCode() == 0 && !listed.output.contains(run), "\(words)")
        }
        for words in [["show"], ["why"], ["logs"], ["watch"], ["wait"], ["fetch"], ["undo"], ["answer"], ["cancel"]] {
            let refused = try daemon.start(as: Self.agent, words + [run])
            #expect(refused.exitCode() == 66, "\(words) \(refused.errors)")
        }
        #expect(try daemon.intentctl(as: Self.person, "cancel", run).code == 0)
    }

    @Test func `an agent confirms nothing in advance, and its values in advance are in the question`() throws {
        let running = try daemon.start(
            as: Self.agent,
            ["run", "--yes=destructive", "--answer", "cups=4", "Probe/AskSomething", "--way", "confirm"]
        )
        let run = try daemon.run(in: "asking")
        #expect(try daemon.intentctl(as: Self.person, "answer", run).output.contains("Answers in advance: cups=4"))
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "yes").code == 0)
        // The app's own confirmation waits for the person.
        try running.waitFor("Order it?")
        let own = try daemon.intentctl(as: Self.agent, "answer", run, "yes")
        #expect(own.code == 77, "\(own.errors)")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "yes").code == 0)
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "ordered\n")
    }

    @Test func `after an approval, the person supplies the values for the run's questions`() throws {
        let running = try daemon.start(as: Self.agent, ["run", "Probe/AskSomething", "--way", "value"])
        let run = try daemon.run(in: "asking")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "yes").code == 0)
        try running.waitFor("How many cups?")
        let own = try daemon.intentctl(as: Self.agent, "answer", run, "3")
        #expect(own.code == 77 && own.errors.contains("an agent may not answer"), "\(own.errors)")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "2").code == 0)
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "2\n")
    }

    @Test func `files of an agent's answer come from permitted folders, too`() throws {
        let root = try TemporaryFolder()
        chmod(root.url.path, 0o755)
        let unattended = try Daemon(configuration: [
            "[Agents]", "User=\(Self.agent)", "For=\(Self.person)", "Allow=all", "Ask=never",
            "AllowRoots=\(root.url.path)",
        ])
        try unattended.admitEverybody()
        let running = try unattended.start(as: Self.agent, ["run", "Probe/AskForFile"])
        let run = try unattended.run(in: "asking")
        // An agent could write into a pipe after an approval.
        let pipe = root.appending("pipe")
        try #require(mkfifo(pipe.path, 0o666) == 0)
        let end = SharedFileDescriptor(try File.open(pipe.path, O_RDONLY | O_NONBLOCK))
        var request = SocketClient.performance(of: "EchoFile", ["file": ["file": ["index": 0, "name": "a"]]])
        request["files"] = 1
        request["entryPoint"] = "mcp"
        let answer = try SocketClient(unattended).ask(request, descriptors: [end])
        #expect("\(answer)".contains("agents may pass only regular files"), "\(answer)")
        let (file, permitted) = (unattended.folder.appending("a.txt"), root.appending("a.txt"))
        for file in [file, permitted] {
            try Data("text".utf8).write(to: file)
            chmod(file.path, 0o644)
        }
        let refused = try unattended.intentctl(as: Self.agent, "answer", run, file.path)
        #expect(refused.code == 77 && refused.errors.contains("AllowRoots="), "\(refused.errors)")
        #expect(try unattended.intentctl(as: Self.agent, "answer", run, permitted.path).code == 0)
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "a.txt=text\n")
    }

    @Test func `an agent does not learn from a key which run of the person has it`() throws {
        let own = try daemon.intentctl(
            as: Self.person,
            "run",
            "--detach",
            "--key",
            "daily",
            "Probe/Echo",
            "--text",
            "confidential"
        )
        let run = own.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(own.code == 0 && !run.isEmpty, "\(own.errors)")
        for text in ["confidential", "other"] {
            let refused = try daemon.intentctl(as: Self.agent, "run", "--key", "daily", "Probe/Echo", "--text", text)
            #expect(refused.code != 0 && refused.errors.contains("key"), "\(refused.errors)")
            #expect(!refused.errors.contains(run) && !refused.errors.contains("confidential"), "\(refused.errors)")
        }
    }

    @Test func `a run that waits for its approval survives the end of intentd`() throws {
        let folderDaemon = try Daemon(
            configuration: ["[Agents]", "User=\(Self.agent)", "For=\(Self.person)", "Allow=all", "Ask=always"],
            sharesLauncher: true
        )
        try folderDaemon.admitEverybody()
        let started = try folderDaemon.intentctl(
            as: Self.agent,
            "run",
            "--detach",
            "Probe/Echo",
            "--text",
            "again"
        )
        #expect(started.code == 0, "\(started.errors)")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        folderDaemon.signal(SIGKILL)
        _ = folderDaemon.exitCode()
        let next = try Daemon(after: folderDaemon)
        try next.admitEverybody()
        try eventually("the question is open again") {
            try next.intentctl(as: Self.person, "answer", run).output.contains("Probe/Echo")
        }
        #expect(try next.intentctl(as: Self.agent, "answer", run, "yes").code == 77)
        #expect(try next.intentctl(as: Self.person, "answer", run, "yes").code == 0)
        #expect(try next.intentctl(as: Self.person, "wait", run).output == "again\n")
        let story = try next.json("show", run)["changes"] as? [[String: Any]] ?? []
        let answer = try #require(story.first { $0["kind"] as? String == "answer" })
        #expect(answer["isSameUser"] == nil && answer["user"] as? Int == Int(Self.person))
    }
}
