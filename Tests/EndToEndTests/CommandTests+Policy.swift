import Foundation
import TestSupport
import Testing

// Which files are accepted, and what their programs can access.
extension CommandTests {
    @Test func `a file that other users can change is refused`() throws {
        let daemon = try daemon("[Intent A]\nExec=/bin/echo one\n")
        chmod(daemon.folder.appending("commands/tools.intents").path, 0o666)
        let refused = try daemon.intentctl("run", "tools/A")
        #expect(refused.code != 0 && refused.errors.contains("chmod go-w"), "\(refused)")
        chmod(daemon.folder.appending("commands/tools.intents").path, 0o644)
        chmod(daemon.folder.appending("commands").path, 0o777)
        #expect(try daemon.intentctl("run", "tools/A").code != 0)
        chmod(daemon.folder.appending("commands").path, 0o755)
        #expect(try daemon.intentctl("run", "tools/A").code == 0)
    }

    @Test func `a file and an executable with the same name are refused`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands("[Intent A]\nExec=/bin/echo one\n", as: "Archive")
        #expect(try daemon.intentctl("status").output.contains("same name"))
        let run = try daemon.intentctl("describe", "Archive")
        #expect(run.code != 0 && run.errors.contains("same name"), "\(run)")
    }

    @Test func `programs can access /usr, their own folder and granted paths, but no network`() throws {
        let daemon = try daemon(
            """
            [Intent Look]
            Exec=/bin/sh -c 'ls /; ls /etc; cat /etc/shadow; ls /root /home; touch /usr/x; python3 -c "import socket; socket.create_connection((\\"127.0.0.1\\", 22), 1)"; id -u'
            """
        )
        let ran = try daemon.intentctl("run", "tools/Look")
        let all = ran.output + ran.errors
        #expect(all.contains("cannot open") || all.contains("No such file"), "\(all)")
        #expect(!all.contains("root:"))
        #expect(all.contains("touch:"))
        #expect(all.contains("Error"), "the connection is refused: \(all)")
    }

    @Test func `a program outside the sandbox is an error that names the key`() throws {
        let daemon = try daemon("[Intent A]\nExec=/opt/none --x\n")
        let ran = try daemon.intentctl("run", "tools/A")
        #expect(ran.code == 1)
        #expect(
            ran.errors.contains("cannot start '/opt/none' in the sandbox") && ran.errors.contains("Programs="),
            "\(ran.errors)"
        )
    }

    @Test(.enabled(if: getuid() == 0, "only root can start a daemon as another user"))
    func `an ordinary user's daemon performs programs`() throws {
        let daemon = try Daemon(owner: .ordinaryUser)
        try daemon.writeCommands(
            "[Intent Who]\nExec=/bin/sh -c 'id -u; intent-ask --confirm ok && echo confirmed'\nResult=lines\n"
        )
        let run = try daemon.detach("tools/Who")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let end = try daemon.intentctl("wait", run)
        #expect(end.code == 0 && end.output.contains("confirmed"), "\(end)")
        #expect(!end.output.contains("\n0\n") && !end.output.hasPrefix("0\n"), "not as root: \(end.output)")
    }

    @Test func `a program without a sandbox works where the operator requires none`() throws {
        let daemon = try Daemon(hasSandboxes: false)
        try daemon.writeCommands(
            """
            [Intent A]
            Exec=/bin/sh -c 'intent-ask --confirm ok && echo yes'
            Result=text
            [Sandbox]
            Require=none
            """
        )
        let ran = try daemon.start(["run", "--yes", "tools/A"])
        #expect(ran.exitCode() == 0, "\(ran.errors)\(daemon.errors)")
        #expect(ran.output.contains("yes"), "\(ran.errors)")
    }
}
