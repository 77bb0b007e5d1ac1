import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests the record of a successful trial with real files. A trial in a folder that does not exist fails, so a trial
/// that did not fail was skipped.
@Suite(.timeLimit(.minutes(1))) struct TrialRecordTests {
    private static let noFolder = "/nonexistent/runs"

    private let parts: SandboxParts
    private let path: String

    init() throws {
        parts = try SandboxParts()
        path = parts.base.folder("user-cache/trial")
    }

    private var record: TrialRecord { TrialRecord(at: path, under: "boot 1\nprogram 2") }

    /// Writes a record that applies in this process.
    private func writeValidRecord() throws {
        let conditions = try #require(TrialRecord.conditions(of: parts.isolation.host, parts.isolation.identities))
        let record = TrialRecord(at: path, under: conditions)
        try record.write()
        #expect(record.applies)
    }

    // MARK: The file

    @Test func `a record applies under the conditions under which it was written`() throws {
        #expect(!record.applies)
        try record.write()
        #expect(record.applies)
        // A second success replaces the record.
        try record.write()
        #expect(record.applies)
        let status = try File.status(at: path)
        #expect(status.permissions == 0o600)
        #expect(status.owner == geteuid())
        #expect(try File.status(at: parts.base.folder("user-cache")).permissions == 0o700)
        #expect(try File.names(in: parts.base.folder("user-cache")) == ["trial"])
        try record.remove()
        #expect(!record.applies)
    }

    @Test(arguments: ["boot 2\nprogram 2", "boot 1\nprogram 3", "boot 1\nprogram 2\n", "boot 1\nprogram", "boot 1"])
    func `a record of another boot or launcher does not apply`(conditions: String) throws {
        try record.write()
        #expect(!TrialRecord(at: path, under: conditions).applies)
    }

    @Test func `a truncated, longer or empty record does not apply`() throws {
        try record.write()
        let bytes = try File.bytes(at: path)
        for wrong in [[], Array(bytes.dropLast()), bytes + [0], Array(bytes.dropFirst()), bytes + bytes] {
            let file = try File.open(path, O_WRONLY | O_TRUNC)
            try File.write(file.rawValue, wrong[...])
            #expect(!record.applies, "\(wrong)")
        }
    }

    @Test(arguments: [0o620, 0o602, 0o666] as [mode_t])
    func `a record that another user can write does not apply`(mode: mode_t) throws {
        try record.write()
        chmod(path, mode)
        #expect(!record.applies)
    }

    @Test(arguments: [0o720, 0o702, 0o777, 0o1777] as [mode_t])
    func `a folder that another user can write is not used`(mode: mode_t) throws {
        try record.write()
        chmod(parts.base.folder("user-cache"), mode)
        #expect(!record.applies)
        #expect(throws: SystemError.self) { try record.write() }
    }

    @Test(.enabled(if: getuid() == 0, "needs root to give files to another user"))
    func `a record or a folder of another user is not used`() throws {
        try record.write()
        chown(path, 1000, 1000)
        #expect(!record.applies)
        chown(path, 0, 0)
        #expect(record.applies)
        chown(parts.base.folder("user-cache"), 1000, 1000)
        #expect(!record.applies)
        #expect(throws: SystemError.self) { try record.write() }
    }

    @Test func `a link, a folder or a pipe is not a record`() throws {
        try record.write()
        let other = parts.base.folder("user-cache/other")
        rename(path, other)
        symlink(other, path)
        #expect(!record.applies)
        unlink(path)
        link(other, path)
        #expect(!record.applies)
        unlink(path)
        mkdir(path, 0o700)
        #expect(!record.applies)
        #expect(throws: SystemError.self) { try record.write() }
        rmdir(path)
        mkfifo(path, 0o600)
        #expect(!record.applies)
        unlink(path)
        // A failed attempt to write leaves no temporary file behind.
        #expect(try File.names(in: parts.base.folder("user-cache")) == ["other"])
    }

    @Test func `a link in place of the folder is not followed`() throws {
        try record.write()
        rename(parts.base.folder("user-cache"), parts.base.folder("elsewhere"))
        symlink(parts.base.folder("elsewhere"), parts.base.folder("user-cache"))
        #expect(!record.applies)
        #expect(throws: SystemError.self) { try record.write() }
    }

    @Test func `two launchers have equal conditions, which include the boot and the program`() throws {
        let conditions = try #require(TrialRecord.conditions(of: parts.isolation.host, parts.isolation.identities))
        #expect(TrialRecord.conditions(of: parts.isolation.host, parts.isolation.identities) == conditions)
        #expect(conditions.hasPrefix(try File.text(at: "/proc/sys/kernel/random/boot_id")))
        #expect(conditions.contains(" \(try File.status(at: "/proc/self/exe").inode) "))
        for field in ["Uid:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "uid_map: ", "pid:["] {
            #expect(conditions.contains(field), "\(field)")
        }
    }

    // MARK: The trial

    private static let failure = LaunchFailure(message: "a protection failed")

    @Test func `a record that applies replaces the trial until a sandbox fails`() throws {
        try writeValidRecord()
        try parts.isolation.runTrial(in: Self.noFolder, recordedAt: path)
        #expect(parts.isolation.host.sandboxProblem == nil)
        // A sandbox fails, so the launcher runs the trial after all, once, and its problem is known.
        #expect(parts.isolation.runSkippedTrial(after: Self.failure))
        #expect(parts.isolation.host.sandboxProblem?.contains("mkdir") == true)
        #expect(access(path, F_OK) != 0)
        #expect(!parts.isolation.runSkippedTrial(after: Self.failure))
    }

    @Test func `a sandbox that fails for a shortage does not make the launcher run the trial`() throws {
        try writeValidRecord()
        try parts.isolation.runTrial(in: Self.noFolder, recordedAt: path)
        #expect(!parts.isolation.runSkippedTrial(after: LaunchFailure(message: "no process id", isTemporary: true)))
        #expect(parts.isolation.host.sandboxProblem == nil)
        #expect(access(path, F_OK) == 0)
    }

    @Test func `a trial that fails is not recorded, and removes no protection silently`() throws {
        try parts.isolation.runTrial(in: Self.noFolder, recordedAt: path)
        #expect(parts.isolation.host.sandboxProblem?.contains("mkdir") == true)
        #expect(access(path, F_OK) != 0)
        #expect(!parts.isolation.runSkippedTrial(after: Self.failure))
        #expect(parts.isolation.common.grade == .none)
    }

    @Test func `a record that does not apply does not replace the trial`() throws {
        try writeValidRecord()
        chmod(path, 0o644 | 0o020)
        try parts.isolation.runTrial(in: Self.noFolder, recordedAt: path)
        #expect(parts.isolation.host.sandboxProblem?.contains("mkdir") == true)
    }

    @Test func `only a launcher with a connected intentd accepts the option`() throws {
        let arguments = ["--cache", "/tmp", "--trial-record", path]
        #expect(throws: UsageError("--trial-record needs --connection")) { try LauncherArguments(arguments) }
        #expect(try LauncherArguments(["--connection", "3"] + arguments).trialRecord == path)
    }
}
