import Foundation
import Glibc
import Testing

/// The folder and the cgroup of a run that is over, which serve the next one.
@Suite struct RunPlaceTests {
    private let daemon: Daemon

    init() throws { daemon = try Daemon(limits: ["Spare=0"]) }

    /// What a run says of the place in which it is.
    private struct Place {
        var folder: String
        var number: String
        var leaf: String?
    }

    private func place() throws -> Place {
        let run = try daemon.intentctl("run", "Probe/Where")
        let lines = run.output.split(separator: "\n")
        let folder = try #require(lines.first { $0.hasPrefix("cwd: /runs/") }, "\(run.errors)").dropFirst(11)
        let leaf = lines.first { $0.hasPrefix("cgroup: ") && $0.contains("/run-") }?.split(separator: "-").last
        let number = try #require(folder.split(separator: "-").first)
        return Place(folder: String(folder), number: String(number), leaf: leaf.map(String.init))
    }

    /// Folders of Probe's runs, under the names that they have now.
    private var folders: [String] {
        let names = FileManager.default.enumerator(atPath: daemon.folder.appending("cache/runs").path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.contains("/") }.map { ($0 as NSString).lastPathComponent }
    }

    /// The paths of the leaves of runs.
    private func leaves() throws -> [String] { try Daemon.leaves(of: daemon.launcher()) }

    /// The place of a run that is over, which waits for the next one.
    private func waitingPlace() throws -> Place {
        let place = try place()
        try eventually("it waits under another name: \(folders)") {
            folders.count == 1 && folders[0].hasPrefix(place.number + "-") && folders[0] != place.folder
        }
        return place
    }

    @Test func `they are the next run's, the folder under a name that nobody knew`() throws {
        let first = try waitingPlace()
        let name = try #require(folders.first)
        let second = try place()
        #expect(second.number == first.number)
        #expect(second.folder != first.folder)
        #expect(second.folder == name)
        #expect(second.leaf == first.leaf)
        // pid 1 of the sandbox goes by it.
        if let leaf = first.leaf { #expect(leaf == first.number) }
    }

    @Test func `a cgroup in which something had to be ended is nobody else's`() throws {
        _ = try waitingPlace()
        let run = try daemon.intentctl("run", "Probe/Grandchild")
        #expect(run.code == 0, "\(run.errors)")
        try eventually("it is removed: \(folders)") { try daemon.workers.isEmpty && leaves() == [] }
        let after = try place()
        if let leaf = after.leaf { #expect(leaf == after.number) }
    }

    @Test func `a folder in which something was left is nobody else's`() throws {
        let before = try waitingPlace()
        #expect(try daemon.intentctl("run", "Probe/ManyFiles").code == 0)
        try eventually("nothing of it is left") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(try place().number != before.number)
    }

    @Test(.enabled(if: getuid() == 0, "only root can put a process into a cgroup"))
    func `a cgroup into which something was put meanwhile is nobody's, and that is ended`() throws {
        let before = try waitingPlace()
        guard let leaf = try leaves().first(where: { $0.hasSuffix("/run-\(before.number)") }) else {
            try skipTest("no cgroup waits for a run here")
        }
        let intruder = try Command(URL(fileURLWithPath: "/usr/bin/sleep"), ["1000"])
        try "\(intruder.number)".write(toFile: "\(leaf)/cgroup.procs", atomically: false, encoding: .utf8)
        #expect(try place().number != before.number)
        #expect(intruder.exitCode() == 128 + SIGKILL)
    }

    @Test func `of many runs at a time one place is kept`() throws {
        let client = try SocketClient(daemon)
        for _ in 0..<40 { _ = try client.perform("Echo", ["text": "on"]) }
        var endedCount = 0
        while endedCount < 40 {
            if try client.nextEvent()["type"] as? String == "finished" { endedCount += 1 }
        }
        try eventually("the others are removed: \(folders)") { try folders.count <= 1 && leaves().count <= 1 }
    }
}
