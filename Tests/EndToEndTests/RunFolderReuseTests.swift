import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the reuse of an ended run's folder and cgroup.
@Suite(.ownThread) struct RunFolderReuseTests {
    private let daemon: Daemon

    init() throws { try self.init(sandbox: []) }

    private init(sandbox: [String]) throws { daemon = try Daemon(limits: ["Spare=0"], sandbox: sandbox) }

    /// The run folder, slot number and cgroup leaf that a run reports.
    private struct Surroundings {
        var folder: String
        var number: String
        var leaf: String?
    }

    /// Performs a run, and returns its surroundings.
    private func surroundings() throws -> Surroundings {
        let run = try daemon.intentctl("run", "Probe/Where")
        let lines = run.output.split(separator: "\n")
        let leaf = lines.first { $0.hasPrefix("cgroup: ") && $0.contains("/run-") }?.split(separator: "-").last
        var folder = try #require(lines.first { $0.hasPrefix("cwd: ") }, "\(run.errors)").dropFirst(5)
        if folder == "/own/tmp" {
            // In a root of its own, a run does not know the name of its folder.
            try eventually("one folder is kept: \(folders)") { folders.count == 1 }
            folder = "\(folders[0].prefix { $0 != "-" })-unknown"
        } else {
            folder = folder.dropFirst(6)
        }
        let number = try #require(folder.split(separator: "-").first)
        return Surroundings(folder: String(folder), number: String(number), leaf: leaf.map(String.init))
    }

    /// The current names of Probe's run folders.
    private var folders: [String] {
        let names = FileManager.default.enumerator(atPath: daemon.folder.appending("cache/runs").path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.split(separator: "/").count == 3 }
            .map { ($0 as NSString).lastPathComponent }
    }

    /// The paths of all cgroup leaves for runs.
    private func leaves() throws -> [String] { try Daemon.leaves(of: daemon.launcher()) }

    /// Performs a run, and waits until its folder is renamed for reuse.
    private func reusableSurroundings() throws -> Surroundings {
        let ended = try surroundings()
        try eventually("the folder has a new name: \(folders)") {
            folders.count == 1 && folders[0].hasPrefix(ended.number + "-") && folders[0] != ended.folder
        }
        return ended
    }

    @Test func `the next run reuses the cgroup, and the folder under a new secret name`() throws {
        let first = try reusableSurroundings()
        let name = try #require(folders.first)
        let second = try surroundings()
        #expect(second.number == first.number)
        #expect(second.folder != first.folder)
        #expect(second.folder == name)
        #expect(second.leaf == first.leaf)
        // The sandbox init relies on equal numbers of folder and leaf.
        if let leaf = first.leaf { #expect(leaf == first.number) }
    }

    @Test func `a cgroup in which a process had to be killed is not reused`() throws {
        let starter = try Self(sandbox: ["Subprocesses=yes"])
        _ = try starter.reusableSurroundings()
        let run = try starter.daemon.intentctl("run", "Probe/Grandchild")
        #expect(run.code == 0, "\(run.errors)")
        var seen = ""
        try eventually("the cgroup is removed: \(seen)") {
            seen = try "\(starter.folders) \(starter.leaves()) \(starter.daemon.workers)"
            return try starter.daemon.workers.isEmpty && starter.leaves() == []
        }
        let after = try starter.surroundings()
        if let leaf = after.leaf { #expect(leaf == after.number) }
    }

    @Test func `a run folder that contains files is not reused`() throws {
        let before = try reusableSurroundings()
        let run = try daemon.intentctl("run", "--limit", "9min", "Probe/ManyFiles")
        #expect(run.code == 0, "\(run.errors)")
        try eventually("the folder is removed") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(try surroundings().number != before.number)
    }

    @Test(.enabled(if: getuid() == 0, "needs root to move a process into a cgroup"))
    func `a process moved into a waiting cgroup is killed, and the cgroup is not reused`() throws {
        let before = try reusableSurroundings()
        guard let leaf = try leaves().first(where: { $0.hasSuffix("/run-\(before.number)") }) else {
            try skipTest("this host keeps no cgroup for the next run")
        }
        let intruder = try Command(URL(fileURLWithPath: "/usr/bin/sleep"), ["1000"])
        try "\(intruder.number)".write(toFile: "\(leaf)/cgroup.procs", atomically: false, encoding: .utf8)
        #expect(try surroundings().number != before.number)
        #expect(intruder.exitCode() == 128 + SIGKILL)
    }

    @Test func `after many concurrent runs only one folder and cgroup is kept`() throws {
        let client = try SocketClient(daemon)
        for _ in 0..<40 { _ = try client.perform("Echo", ["text": "on"]) }
        var endedCount = 0
        while endedCount < 40 {
            if try client.nextEvent()["type"] as? String == "finished" { endedCount += 1 }
        }
        try eventually("the other folders are removed: \(folders)") { try folders.count <= 1 && leaves().count <= 1 }
    }
}
