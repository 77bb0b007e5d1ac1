import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests `intentctl doctor` on hosts with problems.
@Suite(.ownThread) struct DoctorTests {
    @Test func `a service that is missing, dead or inaccessible is distinguished from a service that answers`() throws {
        let daemon = try Daemon()
        func doctor(_ socket: String) throws -> String {
            let command = try Command(Programs.intentctl, ["--socket", socket, "doctor"])
            _ = command.exitCode()
            return command.output
        }
        let examined = try doctor(daemon.socket)
        #expect(examined.contains("service: intentd "))
        // Tests start it by hand, without CPUWeight=.
        #expect(examined.contains("! processor weight of the service: runs that use all processors delay intentd: "))
        #expect(try doctor("/nonexistent/intentd.sock").contains("service: '/nonexistent/intentd.sock' does not exist"))
        if getuid() == 0 {
            try daemon.admitEverybody()
            chmod(daemon.socket, 0o600)
            let forbidden = try daemon.intentctl(as: 1001, "doctor")
            #expect(forbidden.code == 78 && forbidden.output.contains("no permission to use"), "\(forbidden)")
        }
        let folder = try TemporaryFolder()
        let dead = folder.appending("intentd.sock").path
        // The file of a socket remains after its program has exited.
        _ = try UnixSocket.listen(.stream, at: dead, permissions: 0o600)
        #expect(try doctor(dead).contains("no program listens on '\(dead)'"))
    }

    @Test func `on a host that permits no user namespaces, the setting to change is named`() throws {
        guard getuid() == 0 else { try skipTest("only root can run a command as another user") }
        let words = ["--reuid", "1001", "--regid", "1001", "--clear-groups", "unshare", "--map-root-user", "sh", "-c"]
        let script = "echo 0 >/proc/sys/user/max_user_namespaces && exec '\(Programs.intentctl.path)' doctor"
        let command = try Command(URL(fileURLWithPath: "/usr/bin/setpriv"), words + [script])
        #expect(command.exitCode() == 78, "\(command.errors)")
        #expect(command.output.contains("isolation of private runs: none"), "\(command.output)")
        #expect(command.output.contains("user.max_user_namespaces = 15000"), "\(command.output)")
    }
}
