import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests workers that are real processes with real folders, without sandboxes.
@Suite(.timeLimit(.minutes(1))) struct WorkersTests {
    private let parts: LauncherParts
    private let request: LaunchRequest
    private let id = SlotID(number: 5)
    private let isolation = Isolation(grade: .none, parts: [])

    init() throws {
        parts = try LauncherParts()
        try parts.connect()
        request = LaunchRequest(slot: id, app: try #require(AppName("Probe")), mode: .once)
    }

    private func prepare() throws -> Preparation {
        let workspace = try RunWorkspace(for: id, in: parts.folders.runs, of: nil, nil)
        return try parts.workers.prepare(request, at: workspace, diskLimit: nil)
    }

    /// Begins a worker that sleeps, and returns its process id.
    private func begin(_ preparation: Preparation) throws -> Int32 {
        let process = try ChildProcess.start("/bin/sleep", arguments: ["60"]).number
        parts.workers.begin(preparation, process: process, in: nil, isolation)
        return process
    }

    /// Reaps the process as the launcher does.
    private func reap(_ process: Int32) throws {
        parts.workers.processEnded(try #require(ChildReaper.waitForEnd(of: process)))
        parts.workers.finish(try #require(parts.workers[id]))
    }

    @Test func `a worker's start and end are reported, and its folder is removed with the slot`() throws {
        let process = try begin(try prepare())
        let path = try #require(parts.workers[id]).directory.path
        #expect(try parts.reports() == [.launched(slot: id, process: process, isolation)])
        parts.workers[id]?.signal(.kill)
        try reap(process)
        let end = try #require(try parts.reports().first)
        guard case .ended(slot: id, let told) = end else { throw Unexpected(report: end) }
        #expect(told.processEnd == .signaled(signal: SIGKILL))
        #expect(FileManager.default.fileExists(atPath: path))
        var removed: [SlotID] = []
        parts.workers.removed = { removed.append($0.id) }
        parts.workers.release(id)
        #expect(removed == [id])
        #expect(parts.workers.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a slot that is released before its worker exits is removed when the worker exits`() throws {
        let process = try begin(try prepare())
        parts.workers.release(id)
        #expect(!parts.workers.isEmpty)
        parts.workers[id]?.signal(.kill)
        try reap(process)
        #expect(parts.workers.isEmpty)
    }

    @Test func `a signal that is requested before the process exists is sent to the process`() throws {
        let preparation = try prepare()
        preparation.signal = .terminate
        let process = try begin(preparation)
        #expect(ChildReaper.waitForEnd(of: process)?.number == SIGTERM)
    }

    @Test func `the end of a worker is not reported until the processes that it left behind have exited`() throws {
        let process = try begin(try prepare())
        let orphan = try ChildProcess.start("/bin/sleep", arguments: ["60"]).number
        parts.workers[id]?.orphans = [orphan]
        parts.workers[id]?.signal(.kill)
        try reap(process)
        #expect(try parts.reports().count == 1)
        kill(orphan, SIGKILL)
        try reap(orphan)
        #expect(try parts.reports().count == 1)
    }

    @Test func `a worker that begins while the launcher is quitting is killed`() throws {
        parts.workers.endAll()
        let process = try begin(try prepare())
        #expect(ChildReaper.waitForEnd(of: process)?.number == SIGKILL)
    }

    @Test func `an abandoned preparation is reported and leaves no folder behind`() throws {
        let preparation = try prepare()
        parts.workers.abandon(preparation, LaunchFailure(message: "no process"))
        #expect(try File.names(in: parts.folders.runs) == [])
        #expect(try parts.reports() == [.launchFailed(slot: id, LaunchFailure(message: "no process"))])
    }

    @Test func `only slots that were not released are reported as kept to the next intentd`() throws {
        let process = try begin(try prepare())
        _ = try parts.reports()
        parts.workers.reportKept()
        #expect(try parts.reports() == [.kept(slot: id, process: process, isolation)])
        parts.workers.release(id)
        parts.workers.reportKept()
        #expect(try parts.reports() == [])
        parts.workers[id]?.signal(.kill)
        try reap(process)
    }

    @Test func `files of a removed folder cannot be opened`() throws {
        parts.workers.open(["a"], of: id, keeping: nil)
        #expect(try parts.reports() == [.openFailed(slot: id, message: "the run's folder was removed")])
    }

    private struct Unexpected: Error {
        let report: LaunchReport
    }
}
