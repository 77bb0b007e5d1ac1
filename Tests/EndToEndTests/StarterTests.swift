import Foundation
import Glibc
import TestSupport
import Testing

/// The user namespace that intentd-starter creates for the launcher, which these tests replace with a shell.
@Suite(.ownThread, .timeLimit(.minutes(1)), .enabled(if: getuid() == 0, "needs root to map a range of ids"))
struct StarterTests {
    /// A range of ids that no account has.
    private static let range = "2080440320:65536"

    private func start(_ script: String, range: String = Self.range, with prefix: [String] = []) throws -> [String] {
        let words = prefix + [Programs.url("intentd-starter").path, "--id-range", range, "/bin/sh", "-c", script, "sh"]
        let command = try Command(URL(filePath: words[0]), Array(words.dropFirst()))
        #expect(command.exitCode() == 0, "\(command.errors)")
        return command.output.split(separator: "\n").map(String.init)
    }

    @Test func `the launcher starts in a new user namespace and a new mount namespace, with all capabilities there`()
        throws
    {
        let lines = try start(
            "echo $*; cat /proc/self/uid_map; readlink /proc/self/ns/user /proc/self/ns/mnt; grep CapEff /proc/self/status"
        )
        try #require(lines.count == 7)
        #expect(lines[0] == "--ids \(Self.range)")
        #expect(lines[2].split(separator: " ") == ["2080440320", "2080440320", "65536"])
        for (line, name) in zip(lines[4...], ["user", "mnt"]) {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/\(name)") != line)
        }
        #expect(lines[6].hasSuffix("ffffffff"))
    }

    @Test func `the starter leaves no child, and keeps the working directory`() throws {
        // The file ends without a line break. The only child is cat.
        let lines = try start("cat /proc/$$/task/*/children; echo; pwd", with: ["/usr/bin/env", "-C", "/usr"])
        try #require(lines.count == 2)
        #expect(lines[0].split(separator: " ").count == 1)
        #expect(lines[1] == "/usr")
    }

    @Test(arguments: ["0:100", "2080440320:4294967295"])
    func `if the ids cannot be mapped, the launcher starts in the starter's namespace and learns the reason`(
        range: String
    ) throws {
        let lines = try start("echo $*; readlink /proc/self/ns/user", range: range)
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("--no-ids write to /proc/"))
        #expect(lines[0].hasSuffix("gid_map: Invalid argument"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/user") == lines[1])
    }

    @Test func `without a permitted user namespace, the launcher learns the reason`() throws {
        let lines = try start(
            "echo $*",
            with: [
                "/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
                "echo 0 >/proc/sys/user/max_user_namespaces; exec \"$0\" \"$@\"",
            ]
        )
        #expect(lines == ["--no-ids cannot create a user namespace: No space left on device"])
    }
}
