import Foundation
import Glibc
import TestSupport
import Testing

/// The record with which a private daemon skips the test of its sandbox.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct TrialRecordTests {
    private let cache: TemporaryFolder

    init() throws { cache = try TemporaryFolder() }

    private var record: URL { cache.appending("intentd/sandbox-trial") }

    private func run(_ words: [String], with prefix: [String] = []) throws -> Command {
        let words = prefix + [Programs.intentctl.path] + words
        return try Command(
            URL(filePath: words[0]),
            Array(words.dropFirst()),
            environment: ["XDG_CACHE_HOME": cache.url.path]
        )
    }

    private func echo(with prefix: [String] = []) throws -> Command {
        try run(["run", "--local", Programs.url("Probe").path, "Echo", "--text", "a"], with: prefix)
    }

    /// Performs a run that records the success of its trial.
    private func remember() throws {
        let first = try echo()
        try #require(first.exitCode() == 0, "\(first.errors)")
        guard FileManager.default.fileExists(atPath: record.path) else {
            try skipTest("this host does not provide every protection, so no trial succeeds")
        }
    }

    @Test func `a run records the success of the trial for its user, and the next run uses the record`() throws {
        try remember()
        let attributes = try FileManager.default.attributesOfItem(atPath: record.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let inode = attributes[.systemFileNumber] as? Int
        let second = try echo()
        #expect(second.exitCode() == 0, "\(second.errors)")
        #expect(second.output == "a\n")
        // A trial would have replaced the file.
        let after = try FileManager.default.attributesOfItem(atPath: record.path)
        #expect(after[.systemFileNumber] as? Int == inode)
    }

    @Test func `the examinations of doctor and verify neither use nor write the record`() throws {
        let doctor = try run(["doctor"])
        _ = doctor.exitCode()
        let verify = try run(["verify", Programs.url("Probe").path])
        _ = verify.exitCode()
        #expect(!FileManager.default.fileExists(atPath: record.path))
    }

    @Test(.enabled(if: getuid() == 0, "needs root to cover a part of /proc"))
    func `a sandbox that fails after a recorded success is reported with its reason, and the record is removed`() throws
    {
        try remember()
        // The kernel allows no new /proc in a user namespace while a part of the old one is covered
        // (mount_namespaces(7)).
        let covered = [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc/irq && exec \"$0\" \"$@\"",
        ]
        for _ in 1...2 {
            let failed = try echo(with: covered)
            #expect(failed.exitCode() == 78, "\(failed.errors)")
            #expect(failed.errors.contains("Missing: a sandbox"), "\(failed.errors)")
            #expect(failed.errors.contains("cannot mount /proc"), "\(failed.errors)")
            #expect(!FileManager.default.fileExists(atPath: record.path))
        }
        let again = try echo()
        #expect(again.exitCode() == 0, "\(again.errors)")
        #expect(FileManager.default.fileExists(atPath: record.path))
    }

    @Test(.enabled(if: getuid() == 0, "needs root to cover a part of /proc"))
    func `a forged record does not give a run a weaker sandbox`() throws {
        try remember()
        let bytes = try Data(contentsOf: record)
        let covered = [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc/irq && exec \"$0\" \"$@\"",
        ]
        #expect(try echo(with: covered).exitCode() == 78)
        // The content is right, but no sandbox can be created.
        try bytes.write(to: record)
        chmod(record.path, 0o600)
        let forged = try echo(with: covered)
        #expect(forged.exitCode() == 78)
        #expect(forged.output.isEmpty)
        #expect(forged.errors.contains("Missing: a sandbox"), "\(forged.errors)")
        #expect(!FileManager.default.fileExists(atPath: record.path))
    }

    @Test func `an app that fails at its start is reported once, although its worker is started early`() throws {
        let app = cache.appending("Failing")
        try Programs.install(URL(filePath: "/bin/false"), as: app)
        let failed = try run(["run", "--local", app.path, "Anything"])
        #expect(failed.exitCode() != 0)
        #expect(failed.errors.contains("did not describe its intents: it exited with code 1"), "\(failed.errors)")
        #expect(!failed.errors.contains("fork server"), "\(failed.errors)")
    }
}
