import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that a hostile host, or a hostile program in place of ssh, cannot harm intentctl or its user.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostileHostTests {
    /// Runs `intentctl --host web1 status` with a shell script in place of ssh.
    private func status(_ script: String, _ arguments: [String] = ["status"]) throws -> Command {
        let folder = try TemporaryFolder()
        let ssh = folder.appending("ssh")
        try Data(("#!/bin/sh\n" + script + "\n").utf8).write(to: ssh)
        chmod(ssh.path, 0o755)
        let command = try Command(
            Programs.intentctl,
            ["--host", "web1"] + arguments,
            environment: ["INTENTD_SSH": ssh.path, "TMPDIR": folder.url.path],
            directory: folder.url
        )
        command.exitCode()
        return command
    }

    @Test func `a host that ssh cannot reach is reported with ssh's reason and exit code 69`() throws {
        let command = try status("echo 'ssh: connect to host web1 port 22: Connection refused' >&2; exit 255")
        #expect(command.exitCode() == 69)
        #expect(
            command.errors.contains(
                "cannot reach 'web1' with ssh: ssh: connect to host web1 port 22: Connection refused"
            )
        )
        let json = try status("exit 255", ["-o", "json", "status"])
        #expect(json.output.contains("unreachableHost"))
    }

    @Test func `a host without intentctl, or with an intentctl that has no such server, is reported`() throws {
        let hosts = try SSHHosts(["bare": nil])
        let bare = try hosts.intentctl("--host", "bare", "status")
        #expect(bare.code == 69 && bare.errors.contains("intentctl was not found on 'bare'"), "\(bare.errors)")
        let old = try status(#"echo "intentctl: unknown option '--stdio'" >&2; exit 64"#)
        #expect(old.exitCode() == 69 && old.errors.contains("unknown option '--stdio'"))
    }

    @Test func `a host without intentd is reported`() throws {
        let hosts = try SSHHosts(["web1": "/nowhere/sock"])
        let run = try hosts.intentctl("--host", "web1", "status")
        #expect(run.code == 69 && run.errors.contains("'web1': no intentd listens on '/nowhere/sock'"), "\(run.errors)")
    }

    @Test func `text that a shell prints before the server starts is reported without its control characters`() throws {
        let command = try status(#"printf 'Welcome \033]0;evil\007\n'; cat >/dev/null"#)
        #expect(command.exitCode() == 69)
        #expect(command.errors.contains("'web1' printed 'Welcome"))
        #expect(!command.errors.contains("\u{1B}") && !command.errors.contains("\u{7}"))
    }

    @Test func `the error for another version of the server contains the next step`() throws {
        let greeting = #"{"software":"intentctl 9\u001b[2J","version":9}"#
        let command = try status("echo '\(greeting)'; cat >/dev/null")
        #expect(command.exitCode() == 78, "\(command.errors)")
        #expect(command.errors.contains("uses version 9 of sessions over ssh"))
        #expect(!command.errors.contains("\u{1B}"))
        let refusal = #"{"software":"x","version":1,"error":{"code":"versionMismatch","message":"old"}}"#
        let refused = try status("echo '\(refusal)'; cat >/dev/null")
        #expect(refused.exitCode() == 78, "\(refused.errors)")
    }

    @Test func `a server reports the reason to a user's end of another version`() throws {
        let daemon = try Daemon()
        let input = daemon.folder.appending("opening")
        try Data((#"{"software":"x","version":2}"# + "\n").utf8).write(to: input)
        let server = try Command(Programs.intentctl, ["--socket", daemon.socket, "web", "--stdio"], input: input)
        #expect(server.exitCode() == 78)
        #expect(server.output.contains("versionMismatch"))
    }

    /// What a hostile server sends in place of its answer to the first request.
    static let lies: [(name: String, answer: String)] = [
        ("another protocol", #"SSH-2.0-x\r\n"#),
        ("another version", #"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"#),
        ("no length", #"HTTP/1.1 200 OK\r\n\r\n{}"#),
        ("a negative length", #"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}"#),
        ("an unknown coding", #"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}"#),
        ("an invalid chunk", #"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"#),
        ("an invalid header field", #"HTTP/1.1 200 OK\r\nx\r\n\r\n{}"#),
        ("an empty answer", #"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"#),
        ("an answer that is not JSON", #"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\033[2Jx}"#),
        ("an answer to another request", #"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"type\":\"noted\"}"#),
        ("too many files", #"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{\"type\":\"status\",\"files\":1000}"#),
        ("a refusal without a reason", #"HTTP/1.1 404 \033[2J\r\nContent-Length: 4\r\n\r\n\033[2J"#),
    ]

    @Test func `each invalid answer of a server ends the command with an error and without output`() throws {
        let session = #"{"software":"x","version":1,"session":"a1","authorization":"b"}"#
        for (name, answer) in Self.lies {
            let command = try status(
                "read -r opening; echo '\(session)'; read -r request; printf '\(answer)'; cat >/dev/null"
            )
            #expect(command.exitCode() != 0, "\(name): \(command.errors)")
            #expect(!command.errors.contains("\u{1B}"), "\(name)")
            #expect(!command.errors.isEmpty, "\(name)")
            #expect(command.output.isEmpty, "\(name)")
        }
    }

    /// Writes a program in place of ssh that changes what a real server sends: `body` is a part of it.
    private func liar(for daemon: Daemon, in folder: TemporaryFolder, changing body: String) throws -> URL {
        let ssh = folder.appending("ssh")
        let liar = """
            import os, subprocess, sys, threading
            server = subprocess.Popen(["\(Programs.intentctl.path)", "--socket", "\(daemon.socket)", "web", "--stdio"],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            def up():
                while True:
                    data = os.read(0, 65536)
                    if not data: break
                    server.stdin.write(data); server.stdin.flush()
                server.stdin.close()
            threading.Thread(target=up, daemon=True).start()
            while True:
                body = os.read(server.stdout.fileno(), 65536)
                if not body: break
                os.write(1, \(body))
            """
        try Data(liar.utf8).write(to: folder.appending("liar.py"))
        try Data("#!/bin/sh\nexec /usr/bin/python3 \(folder.appending("liar.py").path)\n".utf8).write(to: ssh)
        chmod(ssh.path, 0o755)
        return ssh
    }

    @Test func `a result file with a path as its name is saved in the folder of results`() throws {
        let daemon = try Daemon()
        let folder = try TemporaryFolder()
        // The names have equal lengths, so that the sizes of chunks remain true.
        let ssh = try liar(for: daemon, in: folder, changing: #"body.replace(b"made.txt", b"/\\u001bx")"#)
        let out = folder.appending("a/b")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        let command = try Command(
            Programs.intentctl,
            ["--host", "web1", "run", "--out", out.path, "Probe/MakeFile", "--place", "memory"],
            environment: ["INTENTD_SSH": ssh.path, "TMPDIR": folder.url.path]
        )
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "\(out.path)/_x.txt\n", "\(command.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending("a").path) == ["b"])
    }
}
