import Foundation
import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests sandboxes with real folders and cgroups, but without processes.
@Suite(.timeLimit(.minutes(1))) struct SandboxesTests {
    private let parts: SandboxParts

    init() throws { parts = try SandboxParts() }

    @Test func `a program that cannot be executed leaves nothing behind`() throws {
        let path = parts.base.folder("broken")
        try Data("no program".utf8).write(to: URL(filePath: path))
        chmod(path, 0o755)
        #expect(throws: (any Error).self) {
            try parts.sandboxes.startAlone(parts.app(path), parts.request(1), parts.isolation.common)
        }
        #expect(parts.sandboxes.isEmpty)
        #expect(try File.names(in: parts.base.folders.runs) == [])
        #expect(parts.base.children.processes == [])
    }

    @Test func `no sandbox number is used twice`() throws {
        for number in 1...2 as ClosedRange<UInt64> {
            let broken = try parts.sandboxes.make(
                of: parts.app(),
                for: SandboxOwner(app: parts.app().name, user: 1000, account: nil),
                isolation: parts.isolation.common
            ) { _, _, _ in .remains }
            #expect(broken.number == Int(number))
            parts.sandboxes.remove(broken)
        }
        #expect(parts.sandboxes.lastNumber == 2)
    }

    @Test func `a fork server that cannot be executed leaves nothing behind`() throws {
        let path = parts.base.folder("broken")
        try Data("no program".utf8).write(to: URL(filePath: path))
        chmod(path, 0o755)
        #expect(throws: (any Error).self) {
            try parts.forkServers.start(parts.app(path), parts.request(1), parts.isolation.common)
        }
        #expect(parts.sandboxes.isEmpty)
        #expect(!parts.sandboxes.removeWaiting(SlotID(number: 1)))
        #expect(try File.names(in: parts.base.folders.runs) == [])
    }

    @Test func `a sandbox is removed once both its processes are reaped and its last run has ended`() throws {
        let sandbox = try parts.sandboxes.make(
            of: parts.app(),
            for: SandboxOwner(app: parts.app().name, user: 1000, account: nil),
            isolation: parts.isolation.common
        ) { _, _, _ in .remains }
        let run = SlotID(number: 1)
        sandbox.slots = [run]
        sandbox.isInitReaped = true
        parts.sandboxes.removeExited()
        #expect(!parts.sandboxes.isEmpty)
        sandbox.serverEnd = .exited(code: 0)
        parts.sandboxes.removeExited()
        #expect(!parts.sandboxes.isEmpty)
        var hasEmptied = false
        parts.sandboxes.emptied = { hasEmptied = true }
        parts.forkServers.removeSlot(run, from: sandbox)
        #expect(hasEmptied)
        #expect(parts.sandboxes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder))
    }
}
