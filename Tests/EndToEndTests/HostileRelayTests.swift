import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that a hostile host, or a hostile program in place of ssh, cannot harm intentctl or its user.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostileRelayTests {
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

    @Test func `a host without intentctl, or with an intentctl that has no relay, is reported`() throws {
        let hosts = try SSHHosts(["bare": nil])
        let bare = try hosts.intentctl("--host", "bare", "status")
        #expect(bare.code == 69 && bare.errors.contains("intentctl was not found on 'bare'"), "\(bare.errors)")
        let old = try status(#"echo "intentctl: unknown command 'relay'" >&2; exit 64"#)
        #expect(old.exitCode() == 69 && old.errors.contains("unknown command 'relay'"))
    }

    @Test func `a host without intentd is reported`() throws {
        let hosts = try SSHHosts(["web1": "/nowhere/sock"])
        let run = try hosts.intentctl("--host", "web1", "status")
        #expect(run.code == 69 && run.errors.contains("'web1': no intentd listens on '/nowhere/sock'"), "\(run.errors)")
    }

    @Test func `text that a shell prints before the relay starts is reported without its control characters`() throws {
        let command = try status(#"printf 'Welcome \033]0;evil\007\n'; cat >/dev/null"#)
        #expect(command.exitCode() == 69)
        #expect(command.errors.contains("'web1' printed 'Welcome"))
        #expect(!command.errors.contains("\u{1B}") && !command.errors.contains("\u{7}"))
    }

    @Test func `the error for another version of the relay protocol contains the next step`() throws {
        let greeting = #"{"received":0,"software":"intentctl 9\u001b[2J","version":9}"#
        let command = try status(Self.answer(0x81, greeting))
        #expect(command.exitCode() == 78, "\(command.errors)")
        #expect(command.errors.contains("uses version 9 of the relay protocol"))
        #expect(!command.errors.contains("\u{1B}"))
        let refusal = #"{"code":"versionMismatch","message":"old"}"#
        let refused = try status(Self.answer(0x82, refusal))
        #expect(refused.exitCode() == 78, "\(refused.errors)")
    }

    @Test func `a relay reports the reason to a user's end of another version`() throws {
        let daemon = try Daemon()
        let greeting = #"{"received":0,"software":"x","version":2}"#
        let input = daemon.folder.appending("greeting")
        try Data(Array("intentd-relay\n".utf8) + Self.packet(0x80, Array(greeting.utf8))).write(to: input)
        let relay = try Command(Programs.intentctl, ["--socket", daemon.socket, "relay"], input: input)
        #expect(relay.exitCode() == 78)
        #expect(relay.output.contains("versionMismatch"))
    }

    /// Invalid packets that a relay sends after a valid hello message and the first request for a channel.
    static let lies: [(name: String, bytes: [UInt8])] = [
        ("an unknown kind", packet(0x40, [])),
        ("an oversize packet", [0x08, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("a truncated packet", [0x04, 0, 0, 1, 0, 1, 2, 3]),
        ("a frame of a file that was not sent", packet(4, [0, 0, 0, 1, 1, 0, 0, 0, 99, 0x7B])),
        ("a frame with 200 files", packet(4, [0, 0, 0, 1, 200] + [UInt8](repeating: 0, count: 800))),
        ("a channel that was not requested", packet(2, [0, 0, 0, 77])),
        ("a channel that the relay opens", packet(1, [0, 0, 0, 77])),
        ("a file for writing", packet(7, [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8))),
        (
            "new contents of a file that was not passed",
            packet(7, [0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8))
        ),
        (
            "a file with a wrong SHA-256",
            packet(7, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8))
                + packet(10, [0, 0, 0, 1] + [UInt8](repeating: 0, count: 32))
        ),
        ("an acknowledgement of unsent messages", packet(0x83, [0, 0, 0, 0, 0, 0, 0xFF, 0])),
        ("a second hello message", answerBytes(0x81, #"{"received":0,"software":"x","version":1}"#)),
        ("a frame that is not JSON", packet(4, [0, 0, 0, 1, 0] + Array("\u{1B}[2J".utf8))),
    ]

    @Test func `each invalid packet of a relay ends the session with an error and without output`() throws {
        let session =
            #"{"received":0,"session":{"name":"\#(Self.digits)","secret":"\#(Self.digits)"},"software":"x","version":1}"#
        for (name, bytes) in Self.lies {
            let start =
                Array("intentd-relay\n".utf8) + Self.packet(0x81, Array(session.utf8)) + Self.packet(2, [0, 0, 0, 1])
                + bytes
            // The hello message and the request for channel 1 are read first, so that the answers are expected.
            let command = try status(
                "exec /usr/bin/python3 -c \"import sys,os; os.write(1, bytes([\(Self.list(start.prefix(14 + 5 + session.utf8.count)))]));"
                    + "got = b''\nwhile b'\\x01\\x00\\x00\\x00\\x04' not in got: got += os.read(0, 65536)\n"
                    + "os.write(1, bytes([\(Self.list(start.dropFirst(14 + 5 + session.utf8.count)))]))\""
            )
            #expect(command.exitCode() == 69, "\(name): \(command.errors)")
            #expect(!command.errors.contains("\u{1B}"), "\(name)")
            #expect(command.output.isEmpty, "\(name)")
        }
    }

    @Test func `a result file with a path as its name is saved in the folder of results`() throws {
        let daemon = try Daemon()
        let folder = try TemporaryFolder()
        let ssh = folder.appending("ssh")
        // This program between intentctl and a real relay renames the file in the messages of intentd.
        let liar = """
            import os, subprocess, sys, threading
            relay = subprocess.Popen(["\(Programs.intentctl.path)", "--socket", "\(daemon.socket)", "relay"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            def up():
                while True:
                    data = os.read(0, 65536)
                    if not data: break
                    relay.stdin.write(data); relay.stdin.flush()
                relay.stdin.close()
            threading.Thread(target=up, daemon=True).start()
            os.write(1, relay.stdout.read(14))
            while True:
                head = relay.stdout.read(5)
                if len(head) < 5: break
                body = relay.stdout.read(int.from_bytes(head[1:], "big"))
                if head[0] == 4 and b'"finished"' in body: body = body.replace(b"made.txt", b"../../\\\\u001bmade.txt")
                os.write(1, head[:1] + len(body).to_bytes(4, "big") + body)
            """
        try Data(liar.utf8).write(to: folder.appending("liar.py"))
        try Data("#!/bin/sh\nexec /usr/bin/python3 \(folder.appending("liar.py").path)\n".utf8).write(to: ssh)
        chmod(ssh.path, 0o755)
        let out = folder.appending("a/b")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        let command = try Command(
            Programs.intentctl,
            ["--host", "web1", "run", "--out", out.path, "Probe/MakeFile", "--place", "memory"],
            environment: ["INTENTD_SSH": ssh.path]
        )
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "\(out.path)/_made.txt\n", "\(command.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending("a").path) == ["b"])
    }

    private static let digits = "000102030405060708090a0b0c0d0e0f"

    private static func packet(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [kind, 0, 0, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    }

    private static func answerBytes(_ kind: UInt8, _ json: String) -> [UInt8] { packet(kind, Array(json.utf8)) }

    private static func list(_ bytes: some Sequence<UInt8>) -> String { bytes.map(String.init).joined(separator: ",") }

    /// A script that answers with one packet.
    private static func answer(_ kind: UInt8, _ json: String) -> String {
        let bytes = Array("intentd-relay\n".utf8) + packet(kind, Array(json.utf8))
        return
            "/usr/bin/python3 -c \"import os; os.write(1, bytes([\(list(bytes))])); os.read(0, 65536); os.read(0, 1)\""
    }
}
