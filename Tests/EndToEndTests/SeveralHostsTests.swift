import Foundation
import Glibc
import TestSupport
import Testing

/// Tests one command for several daemons (`intentctl --host web1,web2,web3`).
@Suite(.ownThread, .timeLimit(.minutes(5))) struct SeveralHostsTests {
    @Test func `equal answers are printed once, with the hosts that returned them`() throws {
        let daemons = try (0..<3).map { _ in try Daemon() }
        let hosts = try SSHHosts(["web1": daemons[0].socket, "web2": daemons[1].socket, "web3": daemons[2].socket])
        let run = try hosts.intentctl("--host", "web1,web2,web3", "run", "Probe/Echo", "--text", "hi")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == "web1, web2, web3:\nhi\n")
        for daemon in daemons { #expect((try daemon.json("history")["runs"] as? [Any])?.count == 1) }

        // The command fails on one host.
        daemons[1].signal(SIGKILL)
        _ = daemons[1].exitCode()
        let failed = try hosts.intentctl("--host", "web1,web2,web3", "run", "Probe/Echo", "--text", "hi")
        #expect(failed.code == 69)
        #expect(failed.output == "web1, web3:\nhi\n")
        #expect(failed.errors.contains("web2: intentctl: 'web2': no intentd listens on"), "\(failed.errors)")
        let enough = try hosts.intentctl(
            "--host",
            "web1,web2,web3",
            "--at-least",
            "2",
            "run",
            "Probe/Echo",
            "--text",
            "hi"
        )
        #expect(enough.code == 0)
        let stopped = try hosts.intentctl(
            "--host",
            "web2,web1,web3",
            "--serial",
            "1",
            "--stop-on-failure",
            "run",
            "Probe/Echo",
            "--text",
            "no"
        )
        #expect(stopped.code == 69 && stopped.output.isEmpty)
        #expect(stopped.errors.contains("not started: web1, web3"), "\(stopped.errors)")
        let json = try hosts.intentctl("--host", "web1,web2,web3", "-o", "json", "ps")
        let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let answers = document?["answers"] as? [[String: Any]] ?? []
        #expect(answers.map { $0["hosts"] as? [String] } == [["web1", "web3"], ["web2"]], "\(json.output)")
        #expect(answers.map { $0["exitCode"] as? Int } == [0, 69])
    }

    @Test func `each host receives the files and standard input, and has a separate folder for results`() throws {
        let daemons = try (0..<2).map { _ in try Daemon() }
        let hosts = try SSHHosts(["web1": daemons[0].socket, "web2": daemons[1].socket])
        let input = hosts.folder.appending("input.txt")
        try Data("the input".utf8).write(to: input)
        let home = hosts.folder.appending("home/.config/intentd")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try Data("web: web1 web2\n".utf8).write(to: home.appending(path: "hosts"))
        let command = try hosts.start(
            ["--host", "@web", "run", "--out", ".", "Probe/EchoFile", "--file", "-"],
            input: input,
            environment: ["HOME": hosts.folder.appending("home").path]
        )
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "web1:\nweb1/stdin\n\nweb2:\nweb2/stdin\n", "\(command.output)")
        for host in ["web1", "web2"] { #expect(hosts.folder.text("\(host)/stdin") == "the input") }
    }

    @Test func `Ctrl-C cancels the runs on all hosts`() throws {
        let daemons = try (0..<2).map { _ in try Daemon() }
        let hosts = try SSHHosts(["web1": daemons[0].socket, "web2": daemons[1].socket])
        let command = try hosts.start(["--host", "web1,web2", "run", "Probe/TickUntilFile"])
        try command.waitFor("web1: progress: ")
        try command.waitFor("web2: progress: ")
        command.signal(SIGINT)
        #expect(command.exitCode() == 130, "\(command.errors)")
        for daemon in daemons {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            #expect(runs.map { $0["reason"] as? String } == ["userCancelled"])
        }
    }
}
