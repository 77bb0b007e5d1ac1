import Foundation
import Glibc
import TestSupport
import Testing

/// Tests runs on another host (`intentctl --host`), with the real ssh and sshd.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostTests {
    @Test func `a run on another host receives a file of 50 MB and returns it unchanged`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let file = try hosts.folder.noise("big.bin", byteCount: 50 << 20)
        let out = hosts.folder.appending("out")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        let run = try hosts.intentctl("--host", "web1", "run", "--out", "out", "Probe/EchoFile", "--file", "big.bin")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == "out/big.bin\n")
        #expect(try Data(contentsOf: out.appending(path: "big.bin")) == Data(contentsOf: file))
        // After the session, neither a server nor a file remains.
        try eventually("the server has exited") { SSHHosts.servers(of: daemon.socket).isEmpty }
        let names = try FileManager.default.contentsOfDirectory(atPath: hosts.folder.url.path)
        #expect(!names.contains { $0.hasPrefix(".intentd") })
    }

    @Test func `values, messages and exit codes are the same as for a run on this host`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let run = try hosts.intentctl("--host", "web1", "run", "Probe/Echo", "--text", "hi")
        #expect(run.code == 0 && run.output == "hi\n" && run.errors == "You said: hi\n")
        let failed = try hosts.intentctl("--host", "web1", "run", "Probe/Throws")
        #expect(failed.code == 1)
        let unknown = try hosts.intentctl("--host", "web1", "run", "Nothing/Echo")
        #expect(unknown.code == 66 && unknown.errors.contains("unknown app 'Nothing'"))
        let command = try hosts.start(["status"], environment: ["INTENTD_HOST": "web1"])
        #expect(command.exitCode() == 0 && command.output.contains("2 apps"), "\(command.errors)")
    }

    @Test func `forty files and the contents of a pipe are transferred`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        for number in 0..<40 { try Data("<\(number)>".utf8).write(to: hosts.folder.appending("\(number).txt")) }
        let files = (0..<40).flatMap { ["--files", "\($0).txt"] }
        let command = try hosts.start(["--host", "web1", "run", "Probe/ReadFiles"] + files)
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == (0..<40).map { "\($0).txt=<\($0)>" }.joined(separator: " ") + "\n")
        let piped = try Command(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "(echo first; echo last) | \(Programs.intentctl.path) --host web1 run Probe/WeighFile --file -"],
            environment: ["INTENTD_SSH": hosts.folder.appending("ssh").path]
        )
        #expect(piped.exitCode() == 0, "\(piped.errors)")
        #expect(piped.output == "11 ast\n\n")
    }

    @Test func `a folder is refused before anything is sent`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let path = hosts.folder.appending("folder.txt")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
        let folder = try hosts.intentctl("--host", "web1", "run", "Probe/WeighFile", "--file", "folder.txt")
        #expect(folder.code == 64 && folder.errors.contains("it is a folder"))
        #expect(try daemon.json("history")["runs"] as? [[String: String]] == [])
    }

    @Test func `changes to a file of --writable are in the user's file when the command exits`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let file = hosts.folder.appending("notes.txt")
        try Data("before ".utf8).write(to: file)
        let run = try hosts.intentctl(
            "--host",
            "web1",
            "run",
            "--writable",
            "file",
            "Probe/AppendText",
            "--file",
            "notes.txt"
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "before appended")
        let refused = try hosts.intentctl(
            "--host",
            "web1",
            "run",
            "--detach",
            "--writable",
            "file",
            "Probe/AppendText",
            "--file",
            "notes.txt"
        )
        #expect(refused.code == 64)
    }

    @Test func `Ctrl-C cancels the run on the other host, which records the reason`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start(["--host", "web1", "run", "Probe/TickUntilFile"])
        try command.waitFor("progress: ")
        command.signal(SIGINT)
        #expect(command.exitCode() == 130, "\(command.errors)")
        let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
        #expect(runs.count == 1 && runs.first?["reason"] as? String == "userCancelled")
    }

    @Test(.enabled(if: Terminals.isThere, "needs tmux"))
    func `Ctrl-C on a terminal, which ssh receives too, cancels the run with its reason`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let terminals = Terminals(in: try TemporaryFolder())
        try terminals.open("one")
        try terminals.type(
            "\(hosts.commandLine) --host web1 run Probe/TickUntilFile; echo left:$?",
            in: "one"
        )
        // The number of units, which the path in the command line cannot contain.
        try terminals.wait("one", for: "/100000")
        try terminals.press("C-c", in: "one")
        try terminals.wait("one", for: "left:130")
        let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
        #expect(runs.count == 1 && runs.first?["reason"] as? String == "userCancelled")
    }

    @Test func `a question is printed with the command that answers it from this host`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start(["--host", "web1", "run", "Probe/AskSomething", "--way", "value"])
        let run = try daemon.run(in: "asking")
        try command.waitFor("intentctl --host web1 answer \(run)")
        let watch = try hosts.start(["--host", "web1", "watch", run])
        let answer = try hosts.intentctl("--host", "web1", "answer", run, "3")
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(watch.exitCode() == 0, "\(watch.errors)")
        let show = try hosts.intentctl("--host", "web1", "show", run)
        #expect(show.code == 0 && show.output.contains(run))
    }

    @Test func `the snippet of a run on another host is shown with the command that uses its controls`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let hosts = try SSHHosts(["web1": daemon.socket])
        let shown = try hosts.intentctl("--host", "web1", "run", "Probe/ShowBowls")
        let run = try #require(
            shown.errors.firstMatch(of: /intentctl --host web1 press (\w+) 1…2/)?.1,
            "\(shown.errors)"
        )
        let pressed = try hosts.intentctl("--host", "web1", "press", String(run), "1")
        #expect(pressed.code == 0 && pressed.errors.contains("The order has 2 bowls."), "\(pressed.errors)")
        #expect(pressed.errors.contains("Bowls: 2\n"), "\(pressed.errors)")
        let several = try hosts.intentctl("--host", "web1,web2", "press", String(run), "1")
        #expect(several.code == 64 && several.errors.contains("name one host"), "\(several.errors)")
    }

    @Test func `an agent's server performs intents on another host`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let list = try hosts.intentctl("--host", "web1", "mcp", "--list")
        #expect(list.code == 0 && list.output.contains("Probe_Echo"), "\(list.errors)\(list.output)")
    }

    @Test func `with INTENTD_HOST, commands that concern this host ignore it, and others refuse what is for one host`()
        throws
    {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let help = try hosts.start(["help", "run"], environment: ["INTENTD_HOST": "web1"])
        #expect(help.exitCode() == 0)
        for arguments in [
            ["--host", "web1", "doctor"], ["--host", "web1,web1x", "top"], ["--host", "-oProxyCommand=false", "ps"],
            ["--host", "web1", "run", "--local", Programs.url("Probe").path, "Echo"], ["--serial", "2", "ps"],
            ["--host", "web1,web1x", "--at-least", "3", "ps"],
        ] {
            let command = try hosts.start(arguments)
            #expect(command.exitCode() == 64, "\(arguments): \(command.errors)")
        }
    }
}
