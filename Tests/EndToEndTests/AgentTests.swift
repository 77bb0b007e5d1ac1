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
        #expect(shown.output.contains(#"\#nValues:\#n  text = "hello"\#n"#))
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

    /// A comment that hides a second line, an invisible character, and a value that the question abbreviates.
    @Test func `a person reads every line and character of a value before answering`() throws {
        let value = "echo ok # nothing else\nrm -rf $HOME/x\u{202E}" + String(repeating: " long", count: 60) + " end"
        let start = #""echo ok # nothing else\nrm -rf $HOME/x\u{202E}"#
        let shown = start + String(repeating: " long", count: 60) + #" end""#
        let running = try daemon.start(as: Self.agent, ["run", "Probe/Echo", "--text", value])
        let run = try daemon.run(in: "asking")
        let answer = try daemon.intentctl(as: Self.person, "answer", run)
        #expect(answer.output.contains("Values:\n  text = \(shown)\n"), "\(answer.output)")
        let abbreviated = "Values: text=\(shown.prefix(200))… (\(shown.count) characters in total"
        #expect(answer.output.contains(abbreviated), "\(answer.output)")
        let listed = try daemon.intentctl(as: Self.person, "ps").output
        #expect(listed.contains(#"text="echo ok # nothing else\nrm -rf $HOME/x\u{202E}"#), "\(listed)")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "no").code == 0)
        #expect(running.exitCode() != 0)
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

    @Test func `an agent cannot use up the key of a request that its person makes later`() throws {
        let request = ["run", "--key", "nightly", "Probe/Echo", "--text", "hello"]
        let running = try daemon.start(as: Self.agent, request)
        let run = try daemon.run(in: "asking")
        let question = try daemon.intentctl(as: Self.person, "answer", run).output
        #expect(question.contains(#"key="agent:\#(Self.agent):nightly""#), "\(question)")
        let own = try daemon.start(as: Self.person, request)
        #expect(own.exitCode() == 0 && own.output == "hello\n", "\(own.errors)")
        #expect(try daemon.intentctl(as: Self.person, "answer", run, "no").code == 0)
        #expect(running.exitCode() != 0)
        // A repetition by the agent refers to the run of the agent, which was refused.
        #expect(try daemon.start(as: Self.agent, request).exitCode() != 0)
        #expect(try daemon.json("history")["runs"].map { ($0 as? [Any])?.count } == 2)
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

    @Test func `a path that an agent forges with a mount is not verified, and fulfils no AllowRoots=`() throws {
        let (root, other) = (try TemporaryFolder(), try TemporaryFolder())
        for (folder, text) in [(root, "harmless"), (other, "harmful")] {
            chmod(folder.url.path, 0o755)
            try Data(text.utf8).write(to: folder.appending("a.txt"))
            chmod(folder.appending("a.txt").path, 0o644)
        }
        // The agent's mount namespace has the other folder at the path of the permitted one.
        let path = root.appending("a.txt").path
        let script = """
            mount --bind '\(other.url.path)' '\(root.url.path)' && cd / &&
            exec '\(Programs.intentctl.path)' --socket "$1" run --detach Probe/ReadFiles --files '\(path)'
            """
        for roots in [["AllowRoots=\(root.url.path)"], []] {
            let agents = ["[Agents]", "User=\(Self.agent)", "For=\(Self.person)", "Allow=all", "Ask=always"]
            let daemon = try Daemon(configuration: agents + roots)
            try daemon.admitEverybody()
            let user = "\(Self.agent)"
            let forging = try Command(
                URL(fileURLWithPath: "/usr/bin/setpriv"),
                ["--reuid", user, "--regid", user, "--clear-groups", "unshare", "--map-root-user", "--mount"]
                    + ["sh", "-c", script, "sh", daemon.socket]
            )
            let code = forging.exitCode()
            guard roots.isEmpty else {
                #expect(code == 77 && forging.errors.contains("does not reach the file"), "\(forging.errors)")
                let own = try daemon.intentctl(as: Self.agent, "run", "--detach", "Probe/ReadFiles", "--files", path)
                #expect(own.code == 0, "\(own.errors)")
                continue
            }
            #expect(code == 0, "\(forging.errors)")
            let run = try daemon.run(in: "asking")
            let shown = try daemon.intentctl(as: Self.person, "answer", run).output
            #expect(shown.contains("the name is not verified; 7 bytes"), "\(shown)")
        }
    }

    @Test func `the run receives the approved contents although the file was exchanged with the same time`() throws {
        for ending in [nil, SIGKILL] {
            let daemon = try Daemon(
                configuration: ["[Agents]", "User=\(Self.agent)", "For=\(Self.person)", "Allow=all", "Ask=always"],
                sharesLauncher: ending != nil
            )
            try daemon.admitEverybody()
            let folder = try TemporaryFolder()
            let file = folder.appending("a.txt")
            try Data("approved".utf8).write(to: file)
            chmod(folder.url.path, 0o755)
            chmod(file.path, 0o644)
            let words = ["run", "--detach", "Probe/ReadFiles", "--files", file.path]
            let started = try daemon.start(as: Self.agent, words)
            #expect(started.exitCode() == 0, "\(started.errors)")
            let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let shown = try daemon.intentctl(as: Self.person, "answer", run).output
            #expect(shown.contains("\(file.path)") && shown.contains("8 bytes, SHA-256 "), "\(shown)")
            // Exchange the contents in the same file, and restore its times.
            var status = stat()
            try #require(stat(file.path, &status) == 0)
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data("harmful!".utf8))
            try handle.close()
            try #require(utimensat(AT_FDCWD, file.path, [status.st_atim, status.st_mtim], 0) == 0)
            var next = daemon
            if let ending {
                daemon.signal(ending)
                _ = daemon.exitCode()
                next = try Daemon(after: daemon)
                try next.admitEverybody()
                try eventually("the question is open again") {
                    try next.intentctl(as: Self.person, "answer", run).output.contains("Probe/ReadFiles")
                }
                #expect(try next.intentctl(as: Self.person, "answer", run).output.contains("8 bytes, SHA-256 "))
            }
            #expect(try next.intentctl(as: Self.person, "answer", run, "yes").code == 0)
            #expect(try next.intentctl(as: Self.person, "wait", run).output == "a.txt=approved\n")
        }
    }

    @Test func `an agent learns nothing about a run of its person by its key`() throws {
        let request = ["run", "--detach", "--key", "daily", "Probe/Echo", "--text"]
        let own = try daemon.start(as: Self.person, request + ["confidential"])
        #expect(own.exitCode() == 0)
        let run = own.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!run.isEmpty, "\(own.errors)")
        // The key belongs to the agent alone, so its request is a run of its own.
        let first = try daemon.start(as: Self.agent, request + ["other"])
        #expect(first.exitCode() == 0 && !(first.output + first.errors).contains(run), "\(first.errors)")
        let repeated = try daemon.start(as: Self.agent, request + ["other"])
        #expect(repeated.exitCode() == 0 && repeated.output == first.output, "\(repeated.errors)")
        let changed = try daemon.start(as: Self.agent, request + ["confidential"])
        #expect(changed.exitCode() != 0 && changed.errors.contains("text was"), "\(changed.errors)")
        #expect(!changed.errors.contains(run), "\(changed.errors)")
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
