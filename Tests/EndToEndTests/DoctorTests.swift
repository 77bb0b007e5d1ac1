import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// `intentctl doctor` on hosts that lack something.
@Suite(.ownThread) struct DoctorTests {
    @Test func `a service that is absent, dead or forbidden is distinguished from one that answers`() throws {
        let daemon = try Daemon()
        func doctor(_ socket: String) throws -> String {
            let command = try Command(Programs.intentctl, ["--socket", socket, "doctor"])
            _ = command.exitCode()
            return command.output
        }
        #expect(try doctor(daemon.socket).contains("service: intentd "))
        #expect(try doctor("/nonexistent/intentd.sock").contains("service: '/nonexistent/intentd.sock' does not exist"))
        if getuid() == 0 {
            try daemon.admitEverybody()
            chmod(daemon.socket, 0o600)
            let forbidden = try daemon.intentctl(as: 1001, "doctor")
            #expect(forbidden.code == 78 && forbidden.output.contains("no permission to use"), "\(forbidden)")
        }
        let folder = try TemporaryFolder()
        let dead = folder.appending("intentd.sock").path
        // The file of a socket stays after the end of its program.
        _ = try UnixSocket.listen(.stream, at: dead, permissions: 0o600)
        #expect(try doctor(dead).contains("no program listens on '\(dead)'"))
    }

    @Test func `a host that permits no user namespaces is told its setting`() throws {
        guard getuid() == 0 else { try skipTest("only root can run a command as another user") }
        let words = ["--reuid", "1001", "--regid", "1001", "--clear-groups", "unshare", "--map-root-user", "sh", "-c"]
        let script = "echo 0 >/proc/sys/user/max_user_namespaces && exec '\(Programs.intentctl.path)' doctor"
        let command = try Command(URL(fileURLWithPath: "/usr/bin/setpriv"), words + [script])
        #expect(command.exitCode() == 78, "\(command.errors)")
        #expect(command.output.contains("isolation of private runs: none"), "\(command.output)")
        #expect(command.output.contains("user.max_user_namespaces = 15000"), "\(command.output)")
    }
}
