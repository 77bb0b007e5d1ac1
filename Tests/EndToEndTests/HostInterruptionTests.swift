import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests runs on another host when ssh, its server or the host's intentd is killed.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostInterruptionTests {
    @Test func `an upload resumes where it stopped after ssh was killed, and one run receives the whole file`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let file = try hosts.folder.noise("big.bin", byteCount: 300 << 20)
        let out = hosts.folder.appending("out")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        let command = try hosts.start(["--host", "web1", "run", "--out", "out", "Probe/EchoFile", "--file", "big.bin"])
        for count in 1...3 {
            // The server stores the file without a name: its size is in /proc only.
            try eventually("a part has arrived") { Self.spooledBytes(daemon) > count * 10 << 20 }
            let before = Self.spooledBytes(daemon)
            kill(try SSHHosts.ssh(of: command), SIGKILL)
            try eventually("ssh was replaced \(count) times: \(command.errors)") {
                command.errors.components(separatedBy: "reconnected to 'web1'\n").count == count + 1
            }
            #expect(Self.spooledBytes(daemon) >= before)
        }
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(try Data(contentsOf: out.appending(path: "big.bin")) == Data(contentsOf: file))
        #expect((try daemon.json("history")["runs"] as? [[String: Any]])?.count == 1)
        try eventually("no server is left") { SSHHosts.servers(of: daemon.socket).isEmpty }
    }

    /// The size of the largest file without a name that a server of the daemon has open.
    private static func spooledBytes(_ daemon: Daemon) -> Int {
        SSHHosts.servers(of: daemon.socket).flatMap { server in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(server)/fd")) ?? []
            return names.map { name in
                var status = stat()
                guard stat("/proc/\(server)/fd/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    return 0
                }
                return status.st_nlink == 0 ? Int(status.st_size) : 0
            }
        }.max() ?? 0
    }

    @Test func `a run continues when ssh is killed, and its end is reported`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start(["--host", "web1", "run", "Probe/Ticking", "--seconds", "6"])
        try command.waitFor("progress: ")
        kill(try SSHHosts.ssh(of: command), SIGKILL)
        try command.waitFor("reconnected to 'web1'\n")
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect((try daemon.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test(arguments: [("continue", Int32(0)), ("cancel", 129)])
    func `when the server is killed, --on-disconnect applies to the run, and a new server reports its end`(
        rule: String,
        code: Int32
    ) throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start([
            "--host", "web1", "run", "--on-disconnect", rule, "Probe/Ticking", "--seconds", "8",
        ])
        try command.waitFor("progress: ")
        for server in SSHHosts.servers(of: daemon.socket) { kill(server, SIGKILL) }
        try command.waitFor("a new server has started")
        #expect(command.exitCode() == code, "\(command.errors)")
        #expect((try daemon.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `when the server is killed, the command reports that changes to files remain on the host`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        try Data("before ".utf8).write(to: hosts.folder.appending("notes.txt"))
        let command = try hosts.start([
            "--host", "web1", "run", "--writable", "file", "Probe/HoldFile", "--file", "notes.txt",
        ])
        _ = try daemon.run()
        for server in SSHHosts.servers(of: daemon.socket) { kill(server, SIGKILL) }
        try command.waitFor("remain there")
        #expect(command.exitCode() != 0, "\(command.errors)")
    }

    @Test func `when intentd is killed, the same ssh connection follows the run in the next intentd`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start(["--host", "web1", "run", "Probe/Ticking", "--seconds", "6"])
        try command.waitFor("progress: ")
        let ssh = try SSHHosts.ssh(of: command)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(try SSHHosts.ssh(of: command) == ssh)
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect((try next.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `another ssh of the user cannot continue a session without its secret`() throws {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let command = try hosts.start(["--host", "web1", "run", "Probe/TickUntilFile"])
        try command.waitFor("progress: ")
        let names = try SSHHosts.servers(of: daemon.socket).flatMap(Self.sessionNames)
        let session = try #require(names.first)
        let input = hosts.folder.appending("opening")
        for secret in ["", "Authorization: Bearer \(session)\r\n"] {
            let request = "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n\(secret)\r\n"
            let opening = #"{"version":1,"software":"x","session":"\#(session)"}"#
            try Data("\(opening)\n\(request)".utf8).write(to: input)
            let thief = try Command(Programs.intentctl, ["--socket", daemon.socket, "web", "--stdio"], input: input)
            thief.exitCode()
            // The channel reaches the session, which refuses its request.
            #expect(!thief.output.contains("authorization"), "\(thief.output)")
            #expect(!thief.output.contains("TickUntilFile"), "\(thief.output)")
        }
        command.signal(SIGINT)
        #expect(command.exitCode() == 130, "\(command.errors)")
    }

    @Test func `a channel reaches only sockets of sessions`() throws {
        let daemon = try Daemon()
        for name in ["../\(daemon.socket)", "../../etc", "a/../b", ""] {
            let input = daemon.folder.appending("opening")
            try Data((#"{"version":1,"software":"x","session":"\#(name)"}"# + "\n").utf8).write(to: input)
            let channel = try Command(Programs.intentctl, ["--socket", daemon.socket, "web", "--stdio"], input: input)
            channel.exitCode()
            #expect(channel.output.contains("authorization"), "a new session begins: \(channel.output)")
        }
    }

    /// The names of the sessions of a server, from the sockets on which it listens.
    private static func sessionNames(of server: Int32) throws -> [String] {
        let folder = "/proc/\(server)/fd"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
        // unix(7): the inode is the last field before the path.
        return try File.text(at: "/proc/net/unix", limit: 16 << 20).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 8, sockets.contains("socket:[\(fields[6])]") else { return nil }
            return fields[7].firstMatch(of: /intentd-web-(\w+)\/http.sock/).map { String($0.1) }
        }
    }
}
