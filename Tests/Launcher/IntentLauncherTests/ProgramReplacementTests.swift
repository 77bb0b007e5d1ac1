import Foundation
import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests the replacement of the launcher's program, with real programs that answer whether they can take over.
@Suite(.timeLimit(.minutes(1))) struct ProgramReplacementTests {
    private let parts: LauncherParts
    private let path: String
    private let replacement: ProgramReplacement
    private let waiting: SharedFileDescriptor

    init() throws {
        parts = try LauncherParts()
        path = parts.folder("program")
        try Script.write("exit 0", at: path)
        replacement = ProgramReplacement(
            parts.context,
            of: try ProgramFile(path: path, foundAt: path),
            keepsCapabilities: false
        )
        waiting = try UnixSocket.Pair(.sequencedPacket).shared().first
    }

    /// Waits for the new program's answer.
    private func answer() throws {
        let trial = try #require(parts.children.processes.first)
        #expect(parts.children.removeHelper(trial))
        replacement.helperEnded(try #require(ChildReaper.waitForEnd(of: trial)))
    }

    @Test func `no upgrade begins if the program's file is unchanged`() throws {
        #expect(!replacement.begin(for: waiting))
        #expect(parts.children.processes == [])
    }

    @Test func `the state is requested once the new program has answered that it can take over`() throws {
        try Script.write("test $1 = --takes-over", at: path)
        var askedCount = 0
        replacement.state = { _ in
            askedCount += 1
            return nil
        }
        #expect(replacement.begin(for: waiting))
        replacement.proceed()
        #expect(askedCount == 0)
        try answer()
        replacement.proceed()
        // A launch is in progress, so there is no state yet, and the upgrade waits.
        #expect(askedCount == 1)
        #expect(replacement.isUnderWay)
    }

    @Test func `a program that cannot take over is not tried again, and the old program serves intentd`() throws {
        try Script.write("exit 1", at: path)
        try parts.connect()
        #expect(replacement.begin(for: waiting))
        try answer()
        #expect(!replacement.isUnderWay)
        #expect(parts.events == ["connected", "connected"])
        #expect(!replacement.begin(for: waiting))
    }

    @Test func `if the new program cannot be started, the old program continues`() throws {
        try FileManager.default.removeItem(atPath: path)
        try Data("no program".utf8).write(to: URL(filePath: path))
        #expect(!replacement.begin(for: waiting))
        #expect(!replacement.isUnderWay)
    }

    @Test func `a program with an incomplete file is tried again for the next intentd`() throws {
        try parts.connect()
        try Script.write("exit 1", at: path)
        try syscall("chmod", on: path) { chmod(path, 0o644) }
        #expect(!replacement.begin(for: waiting))
        try syscall("chmod", on: path) { chmod(path, 0o755) }
        #expect(replacement.begin(for: waiting))
        try answer()
    }

    @Test func `a later intentd replaces the one that waits for the upgrade`() throws {
        try Script.write("exit 1", at: path)
        try parts.connect()
        #expect(replacement.begin(for: waiting))
        #expect(replacement.begin(for: try UnixSocket.Pair(.sequencedPacket).shared().first))
        #expect(parts.children.processes.count == 1)
        try answer()
    }
}
