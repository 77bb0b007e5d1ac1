import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests the permissions of root, of a run's owner and of other users, for every command.
@Suite(.ownThread, .timeLimit(.minutes(5)), .enabled(if: Daemon.canBecomeOthers, "needs root to run as three users"))
struct RightsTests {
    private static let owner: UInt32 = 42_001
    private static let other: UInt32 = 42_002

    @Test func `no command shows a run to another user, and root has an operator's permissions`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        try daemon.admitEverybody()
        let slow = try detach(daemon, "--limit", "9min", "Probe/Slow", "--seconds", "600")
        let asking = try detach(daemon, "Probe/AskSomething", "--way", "value")
        let withFile = try detach(daemon, "Probe/MakeFile", "--place", "memory")
        let undoable = try detach(daemon, "Probe/RememberWord", "--word", "a")
        for run in [withFile, undoable] {
            #expect(try daemon.intentctl(as: Self.owner, "watch", "--no-input", run).code == 0)
        }
        try eventually("the run asks its question") {
            try daemon.intentctl(as: Self.owner, "answer", asking).code == 0
        }

        // The messages about another user's run and about an unknown run differ only in the run's name.
        func checkUnseen(_ verb: [String], _ run: String) throws {
            let others = try daemon.start(as: Self.other, verb.map { $0 == "RUN" ? run : $0 })
            let none = try daemon.start(as: Self.other, verb.map { $0 == "RUN" ? "0000000000" : $0 })
            #expect(others.exitCode() == 66, "\(verb): \(others.output) \(others.errors)")
            #expect(none.exitCode() == 66, "\(verb)")
            #expect(others.errors.replacing(run, with: "0000000000") == none.errors, "\(verb)")
            #expect(others.output == none.output, "\(verb)")
        }
        for verb in ["watch", "wait", "cancel", "show", "why", "logs", "fetch", "undo"] {
            for run in [slow, asking, withFile, undoable] { try checkUnseen([verb, "RUN"], run) }
        }
        for run in [slow, asking, withFile] {
            try checkUnseen(["answer", "RUN"], run)
            try checkUnseen(["answer", "RUN", "4"], run)
            try checkUnseen(["run", "--retry-of", "RUN", "Probe/Echo", "--text", "a"], run)
        }
        let seen =
            try daemon.intentctl(as: Self.other, "ps").output
            + daemon.intentctl(as: Self.other, "history").output
        for run in [slow, asking, withFile, undoable] { #expect(!seen.contains(run), "\(seen)") }

        // Root may inspect, follow, answer and cancel a run, and fetch its files. Only the owner may undo it.
        let all = try daemon.intentctl("ps").output
        #expect(all.contains(slow) && all.contains(asking))
        for verb in ["show", "why", "logs"] { #expect(try daemon.intentctl(verb, slow).code == 0, "\(verb)") }
        #expect(try daemon.intentctl("answer", asking, "4").code == 0)
        #expect(try daemon.intentctl("wait", asking).output == "4\n")
        let out = try daemon.makeFolder("out")
        #expect(try daemon.intentctl("fetch", "--keep", "--out", out.path, withFile).code == 0)
        let undo = try daemon.intentctl("undo", undoable)
        #expect(undo.code == 77, "\(undo.errors)")
        #expect(try daemon.intentctl("cancel", slow).code == 0)

        // The owner may perform all these actions.
        #expect(try daemon.intentctl(as: Self.owner, "wait", slow).code == 130)
        for verb in ["show", "why", "logs"] {
            #expect(try daemon.intentctl(as: Self.owner, verb, slow).code == 0, "\(verb)")
        }
        #expect(try daemon.intentctl(as: Self.owner, "fetch", withFile).code == 0)
        #expect(try daemon.intentctl(as: Self.owner, "undo", undoable).code == 0)
        let another = try detach(daemon, "--limit", "9min", "Probe/Slow", "--seconds", "600")
        #expect(try daemon.intentctl(as: Self.owner, "ps").output.contains(another))
        #expect(try daemon.intentctl(as: Self.owner, "cancel", another).code == 0)
    }

    /// Sends requests as another user, and prints each answer after the hello on a line.
    private static let asker = #"""
        import json, socket, struct, sys
        def read(count):
            data = b""
            while len(data) < count: data += connection.recv(count - len(data))
            return data
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(sys.argv[1])
        for request in ['{"id":1,"type":"hello","protocolVersion":1,"software":"a test"}'] + sys.argv[2:]:
            payload = request.encode()
            connection.sendall(struct.pack(">I", len(payload)) + payload)
            answer = read(struct.unpack(">I", read(4))[0])
            if request in sys.argv[2:]: print(answer.decode())
        """#

    @Test func `the bytes about another user's run equal those about an unknown run`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        try daemon.admitEverybody()
        let live = try detach(daemon, "Probe/AskSomething", "--way", "value")
        let ended = try detach(daemon, "Probe/MakeFile", "--place", "memory")
        #expect(try daemon.intentctl(as: Self.owner, "watch", "--no-input", ended).code == 0)
        let requests = [
            #"{"id":2,"type":"watch","run":"RUN"}"#, #"{"id":2,"type":"cancel","run":"RUN"}"#,
            #"{"id":2,"type":"question","run":"RUN"}"#, #"{"id":2,"type":"answer","run":"RUN","value":1}"#,
            #"{"id":2,"type":"story","run":"RUN"}"#, #"{"id":2,"type":"logs","run":"RUN"}"#,
            #"{"id":2,"type":"fetch","run":"RUN"}"#, #"{"id":2,"type":"discardFiles","run":"RUN"}"#,
            #"{"id":2,"type":"ticket","run":"RUN","question":1,"digest":"d"}"#,
            #"{"id":2,"type":"perform","app":"","intent":"","values":{},"request":"00000000000000000000000000000001","undoOf":"RUN"}"#,
        ]
        func answers(about run: String) throws -> String {
            let command = try Command(
                URL(fileURLWithPath: "/usr/bin/setpriv"),
                [
                    "--reuid=\(Self.other)", "--regid=\(Self.other)", "--clear-groups", "--", "/usr/bin/python3",
                    "-c",
                    Self.asker, daemon.socket,
                ] + requests.map { $0.replacing("RUN", with: run) }
            )
            #expect(command.exitCode() == 0, "\(command.errors)")
            return command.output
        }
        let none = try answers(about: "0000000000")
        #expect(none.split(separator: "\n").count == requests.count)
        for run in [live, ended] { #expect(try answers(about: run).replacing(run, with: "0000000000") == none) }
        #expect(try daemon.intentctl("cancel", live).code == 0)
    }

    @Test func `an app that a user may not run is hidden from them`() throws {
        let daemon = try Daemon(
            app: [
                "[Access]", "AllowUsers=\(Self.owner)", "[Intent Echo]", "AllowUsers=\(Self.owner) \(Self.other)",
            ]
        )
        try daemon.admitEverybody()
        func told(to user: UInt32, _ words: String...) throws -> (code: Int32, text: String) {
            let command = try daemon.start(as: user, words)
            return (command.exitCode(), command.output + command.errors)
        }
        #expect(try told(to: Self.owner, "list").text.contains("Slow"))
        // Permission to run one intent makes the app visible.
        #expect(try told(to: Self.other, "list").text.contains("Echo"))
        #expect(try told(to: Self.other, "describe", "Probe").text.contains("Echo"))
        #expect(try told(to: Self.other, "run", "Probe/Slow").code == 77)
        #expect(try daemon.intentctl(as: Self.other, "run", "Probe/Echo", "--text", "a").output == "a\n")

        try Data("[Access]\nAllowUsers=\(Self.owner)\n".utf8).write(to: daemon.folder.appending("units/Probe.conf"))
        #expect(try daemon.intentctl("reload").code == 0)
        #expect(try !told(to: Self.other, "list").text.contains("Probe"))
        let refused = try told(to: Self.other, "describe", "Probe")
        #expect(refused.code == 77 && !refused.text.contains("Echo"), "\(refused)")
        #expect(try told(to: Self.other, "run", "Probe/Nothing").code == 77)
        let wrong = try told(to: Self.other, "describe", "Prob")
        #expect(wrong.code == 66 && !wrong.text.contains("Probe"), "\(wrong)")
        #expect(try told(to: Self.owner, "describe", "Prob").text.contains("Probe"))
    }

    @Test func `only operators may read metrics, which count the runs of all users`() throws {
        let daemon = try Daemon()
        try daemon.admitEverybody()
        #expect(try daemon.intentctl(as: Self.owner, "run", "Probe/Echo", "--text", "a").code == 0)
        let refused = try daemon.intentctl(as: Self.other, "metrics")
        #expect(refused.code == 77 && !refused.output.contains("Echo"), "\(refused)")
        #expect(try daemon.intentctl("metrics").output.contains("Echo"))
    }

    @Test func `status counts a user's own runs and names broken apps of theirs, and all for an operator`() throws {
        let daemon = try Daemon()
        try daemon.admitEverybody()
        let hidden = daemon.folder.appending("apps/Hidden")
        try Programs.install(URL(fileURLWithPath: "/bin/false"), as: hidden)
        try Data("[Access]\nAllowUsers=\(Self.owner)\n".utf8).write(to: daemon.folder.appending("units/Hidden.conf"))
        #expect(try daemon.intentctl("reload").code == 0)
        #expect(try daemon.intentctl(as: Self.owner, "run", "Probe/Echo", "--text", "a").code == 0)
        #expect(try daemon.intentctl(as: Self.owner, "run", "--detach", "Probe/Slow").code == 0)

        func told(to user: UInt32? = nil) throws -> (code: Int32, output: String) {
            let command = try user.map { try daemon.start(as: $0, ["status"]) } ?? daemon.start(["status"])
            return (command.exitCode(), command.output)
        }
        let other = try told(to: Self.other)
        #expect(other.code == 0 && other.output.contains("0 running, 0 queued, 0 ended"), "\(other)")
        for answer in [try told(to: Self.owner), try told()] {
            #expect(answer.code == 78 && answer.output.contains("Hidden cannot be used"), "\(answer)")
            #expect(answer.output.contains("1 running, 0 queued, 1 ended"), "\(answer)")
        }
    }

    /// A group id that no distribution uses.
    private static let operators: UInt32 = 42_050

    @Test func `operators are root and members of the named group, and not the daemon's own user`() throws {
        let daemon = try Daemon(arguments: ["--operators", "\(Self.operators)"])
        try daemon.admitEverybody()
        let slow = try detach(daemon, "--limit", "9min", "Probe/Slow", "--seconds", "600")
        let record = daemon.folder.appending("records.jsonl")
        try Data(daemon.intentctl("history", "--export", "records").output.utf8).write(to: record)
        chmod(record.path, 0o644)
        let imports = ["history", "--import", record.path]
        for words in [["metrics"], ["history", "--prune", "--keep", "1000d"], ["reload"], imports] {
            let mine = try daemon.start(as: Self.other, groups: [Self.operators], words)
            #expect(mine.exitCode() == 0, "\(words): \(mine.errors)")
            let refused = try daemon.start(as: Self.other, groups: [42_051], words)
            #expect(refused.exitCode() == 77, "\(words): \(refused.output) \(refused.errors)")
        }
        func seen(groups: [UInt32]) throws -> String {
            try daemon.intentctl(as: Self.other, groups: groups, "ps").output
                + daemon.intentctl(as: Self.other, groups: groups, "history", "--by", "all").output
        }
        #expect(try seen(groups: [Self.operators]).contains(slow))
        #expect(try !seen(groups: [42_051]).contains(slow))
        #expect(try daemon.intentctl(as: Self.other, groups: [Self.operators], "show", slow).code == 0)
        #expect(try daemon.intentctl(as: Self.other, groups: [42_051], "cancel", slow).code == 66)
        #expect(try daemon.intentctl(as: Self.other, groups: [Self.operators], "cancel", slow).code == 0)
    }

    @Test func `a private daemon's owner is its operator, and its group is not`() throws {
        let owners = try Daemon(owner: .ordinaryUser)
        try owners.admitEverybody()
        let run = try detach(owners, "Probe/Echo", "--text", "a")
        #expect(try owners.intentctl(as: Daemon.ordinaryUser, "metrics").code == 0)
        #expect(try owners.intentctl(as: Daemon.ordinaryUser, "show", run).code == 0)
        #expect(try owners.intentctl(as: Self.other, groups: [Daemon.ordinaryUser], "metrics").code == 77)
        // With a named group, the daemon's own user is an ordinary user.
        let service = try Daemon(owner: .ordinaryUser, arguments: ["--operators", "\(Self.operators)"])
        try service.admitEverybody()
        #expect(try service.intentctl(as: Daemon.ordinaryUser, "metrics").code == 77)
        #expect(try service.intentctl("metrics").code == 0)
    }

    @Test func `ps and history select the runs of a user, by either option`() throws {
        let daemon = try Daemon(limits: ["MaxRunsPerUser=4"])
        try daemon.admitEverybody()
        let slow = try detach(daemon, "--limit", "9min", "Probe/Slow", "--seconds", "600")
        #expect(try daemon.intentctl("ps", "--user=\(Self.owner)").output.contains(slow))
        #expect(try daemon.intentctl("ps", "--by", "\(Self.owner)").output.contains(slow))
        #expect(try !daemon.intentctl("ps", "--user=\(Self.other)").output.contains(slow))
        #expect(try !daemon.intentctl("ps", "--app", "Probe/Echo").output.contains(slow))
        #expect(try daemon.intentctl("ps", "--app", "Probe/Slow").output.contains(slow))
        #expect(try daemon.intentctl("history", "--user=\(Self.owner)").output.contains(slow))
        // Like ps, it shows every run that the caller may see, with its owner.
        #expect(try daemon.intentctl("history").output.contains(slow))
        #expect(try !daemon.intentctl("history", "--user=\(getuid())").output.contains(slow))
        #expect(try !daemon.intentctl(as: Self.other, "history", "--user=\(Self.owner)").output.contains(slow))
        #expect(try daemon.intentctl("cancel", slow).code == 0)
    }

    @Test func `files that one user uploads before a run leave room for other users`() throws {
        let daemon = try Daemon(descriptorLimit: 20_000)
        try daemon.admitEverybody()
        let file = daemon.folder.appending("a.txt")
        try Data("mine".utf8).write(to: file)
        chmod(file.path, 0o644)
        let files = [SharedFileDescriptor](repeating: SharedFileDescriptor(try File.open(file.path)), count: 16)
        var clients: [SocketClient] = []
        var refusal: [String: Any]?
        // One user may use as much as stays free: half.
        while refusal == nil, clients.count < 40 {
            let client = try SocketClient(daemon)
            clients.append(client)
            for _ in 0..<16 where refusal == nil {
                let answer = try client.ask(["type": "files", "files": 16], descriptors: files)
                refusal = answer["error"] as? [String: Any]
            }
        }
        #expect(refusal?["code"] as? String == "busy", "\(String(describing: refusal)) after \(clients.count)")
        #expect(clients.count == 16)
        let run = try daemon.intentctl(as: Self.owner, "run", "Probe/ReadFiles", "--files", file.path)
        #expect(run.output == "a.txt=mine\n", "\(run)")
        withExtendedLifetime(clients) {}
    }

    @Test func `files of one user's backlog leave room for other users`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], descriptorLimit: 20_000)
        try daemon.admitEverybody()
        let file = daemon.folder.appending("a.txt")
        try Data("mine".utf8).write(to: file)
        chmod(file.path, 0o644)
        let client = try SocketClient(daemon)
        let slow = try client.perform("Slow")
        let files = [SharedFileDescriptor](repeating: SharedFileDescriptor(try File.open(file.path)), count: 16)
        let names = (0..<256).map { ["file": ["index": $0, "name": "a.txt"] as [String: Any]] }
        var request = SocketClient.performance(of: "ReadFiles", ["files": names])
        request["files"] = 256
        request["onDisconnect"] = "continue"
        var acceptedCount = 0
        var refusal: [String: Any]?
        while refusal == nil, acceptedCount < 40 {
            for _ in 0..<15 where refusal == nil {
                refusal = try client.ask(["type": "files", "files": 16], descriptors: files)["error"] as? [String: Any]
            }
            guard refusal == nil else { break }
            request["request"] = SocketClient.newRequest
            refusal = try client.ask(request, descriptors: files)["error"] as? [String: Any]
            if refusal == nil { acceptedCount += 1 }
        }
        #expect(refusal?["code"] as? String == "busy", "\(String(describing: refusal)) after \(acceptedCount)")
        // One user may use as much as stays free: half.
        #expect(acceptedCount == 16)
        let run = try daemon.intentctl(as: Self.owner, "run", "--detach", "Probe/ReadFiles", "--files", file.path)
        #expect(run.code == 0, "\(run)")
        #expect(try daemon.intentctl("cancel", slow).code == 0)
    }

    @Test func `an intent that requires authentication runs for the users that the operator named`() throws {
        let daemon = try Daemon(app: ["[Intent NeedsNaming]", "AllowUsers=\(Self.owner)", "AllowGroups=42042"])
        try daemon.admitEverybody()
        #expect(try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsNaming").output == "named\n")
        #expect(try daemon.intentctl(as: Self.other, groups: [42_042], "run", "Probe/NeedsNaming").code == 0)
        let refused = try daemon.intentctl(as: Self.other, "run", "Probe/NeedsNaming")
        #expect(refused.code == 77)
        #expect(refused.errors.contains("you may not run Probe/NeedsNaming"))
        // No user is named for this intent, so only the operator may run it.
        let unnamed = try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsPresence")
        #expect(unnamed.code == 77)
        #expect(unnamed.errors.contains("AllowUsers="), "\(unnamed.errors)")
    }

    @Test func `a user without a local session is refused, with the reason, an intent that requires it`() throws {
        let daemon = try Daemon(app: ["[Intent NeedsPresence]", "AllowUsers=\(Self.owner)"])
        try daemon.admitEverybody()
        let refused = try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsPresence")
        #expect(refused.code == 77)
        #expect(refused.errors.contains("no active session here"), "\(refused.errors)")
    }

    @Test func `a user who floods the backlog does not delay another user`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=2", "MaxQueued=40"])
        try daemon.admitEverybody()
        let flood = try (0..<15).map { _ in
            try daemon.start(
                as: Self.other,
                ["run", "--detach", "--limit", "9min", "Probe/Slow", "--seconds", "600"]
            )
        }
        for command in flood { #expect(command.exitCode() == 0, "\(command.errors)") }
        func runs(in state: String) throws -> [String] {
            (try daemon.json("ps")["runs"] as? [[String: Any]] ?? [])
                .filter { $0["state"] as? String == state }.compactMap { $0["run"] as? String }
        }
        try eventually("every slot is in use") { try runs(in: "running").count == 2 && runs(in: "queued").count == 13 }
        let command = try daemon.start(as: Self.owner, ["run", "Probe/Echo", "--text", "mine"])
        try eventually("the other user's run waits too") { try runs(in: "queued").count == 14 }
        // The next slot goes to the other user, although the flood was first.
        let ended = try runs(in: "running")
        #expect(try daemon.intentctl("cancel", try #require(ended.first)).code == 0)
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "mine\n")
        try eventually("one run of the flood follows") { try runs(in: "queued").count == 12 }
        for run in try runs(in: "queued") + runs(in: "running") { _ = try daemon.intentctl("cancel", run) }
    }

    @Test func `a user with many unanswered questions does not stop another user's run of the same app`() throws {
        let daemon = try Daemon(configuration: ["MaxWaiting=4", "MaxRunsPerApp=4"])
        try daemon.admitEverybody()
        for _ in 0..<8 {
            let command = try daemon.start(
                as: Self.other,
                ["run", "--detach", "Probe/AskSomething", "--way", "value"]
            )
            #expect(command.exitCode() == 0, "\(command.errors)")
        }
        func count(in state: String) throws -> Int {
            (try daemon.json("ps")["runs"] as? [[String: Any]] ?? []).count { $0["state"] as? String == state }
        }
        // The user's share is half of MaxWaiting=, and all of the app's slots except one.
        try eventually("the user's share is full") { try count(in: "asking") == 5 && count(in: "queued") == 3 }
        let run = try daemon.intentctl(
            as: Self.owner,
            "run",
            "--answer",
            "cups=3",
            "Probe/AskSomething",
            "--way",
            "value"
        )
        #expect(run.output == "3\n", "\(run)")
        #expect(try count(in: "asking") == 5)
    }

    private func detach(_ daemon: Daemon, _ arguments: String...) throws -> String {
        let command = try daemon.start(as: Self.owner, ["run", "--detach"] + arguments)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
