import Foundation
import Glibc
import IntentHistory
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests a history with real failures of disks, and with other programs that use the file.
@Suite(.ownThread) struct FaultTests {
    private static let isRoot = geteuid() == 0

    /// A file system that is unmounted when the instance is released.
    private final class Disk {
        let folder: TemporaryFolder
        var path: String { folder.path }

        /// Creates a tmpfs of this size.
        init(byteCount: Int, options: String = "rw") throws {
            folder = try TemporaryFolder()
            try FaultTests.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount),\(options)", "tmpfs", path)
        }

        /// Creates an ext4 file system in a file. It can be frozen.
        init(imageMegabytes: Int) throws {
            folder = try TemporaryFolder()
            let image = NSTemporaryDirectory() + "/history-image-\(UUID().uuidString)"
            defer { unlink(image) }
            try FaultTests.run("truncate", "-s", "\(imageMegabytes)M", image)
            try FaultTests.run("mkfs.ext4", "-q", image)
            try FaultTests.run("mount", "-o", "loop", image, path)
        }

        deinit { _ = try? FaultTests.run("umount", "-l", path) }
    }

    @discardableResult
    fileprivate static func run(_ words: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NeverHappened(description: "\(words) succeeds: \(text)") }
        return text
    }

    private static func rejection(_ scribe: Scribe, of number: UInt64) -> HistoryProblem? {
        for rejection in scribe.rejections where rejection.run == Sample.run(number) {
            if case .unavailable(let problem) = rejection.cause { return problem }
        }
        return nil
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"), arguments: [false, true])
    func `a full disk refuses new runs, records the ends of accepted runs, and recovers when space is free`(
        logHasRoom: Bool
    ) throws {
        let disk = try Disk(byteCount: 5 << 20)
        let scribe = try Scribe(disk.path + "/history.sqlite")
        try scribe.record([Sample.accepted(1), Sample.state(1, .starting, slot: 1)])
        if logHasRoom {
            // Small records still fit into the log after a checkpoint. That is not enough space for new runs.
            let value = IntentValue.string(String(repeating: "z", count: 130_000))
            try scribe.record([Sample.accepted(2, values: ["text": value]), Sample.ended(2)])
            try Self.run("sqlite3", disk.path + "/history.sqlite", "PRAGMA wal_checkpoint(PASSIVE)")
        }
        // Fill the disk to its last page.
        _ = try? Self.run("dd", "if=/dev/zero", "of=\(disk.path)/filler", "bs=4096")
        let large = ["text": IntentValue.string(String(repeating: "x", count: 100_000))]
        var number: UInt64 = 100
        try scribe.wait("the disk is full") {
            number += 1
            scribe.send([Sample.accepted(number, values: large)])
            return scribe.problem != nil
        }
        #expect(scribe.problem == .full(path: disk.path + "/history.sqlite"))
        try scribe.wait("run \(number) is refused") { Self.rejection(scribe, of: number) != nil }
        #expect(scribe.history.problem(atNanoseconds: 0) != nil)
        // The check for free space must neither use the reserve nor count it as free space.
        try scribe.wait("it is put aside again") { access(disk.path + "/history.sqlite-reserve", F_OK) == 0 }
        #expect(scribe.problem == .full(path: disk.path + "/history.sqlite"))
        // The ends of accepted runs are recorded in the reserved space.
        try scribe.record([Sample.ended(1, .failed(message: String(repeating: "y", count: 50_000)))])
        #expect(try scribe.story(1)?.summary.outcome == "failed")
        unlink(disk.path + "/filler")
        try scribe.wait("it works again") { scribe.problem == nil }
        try scribe.record(Sample.whole(3))
        #expect(try scribe.story(3)?.summary.outcome == "done")
        #expect(scribe.rejections.contains { $0.run == Sample.run(3) } == false)
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"))
    func `a read-only disk refuses all runs, and recovers when it is writable`() throws {
        let disk = try Disk(byteCount: 8 << 20, options: "ro")
        let scribe = try Scribe(disk.path + "/history.sqlite")
        scribe.send([Sample.accepted(1)])
        try scribe.wait("run 1 is refused") { Self.rejection(scribe, of: 1) != nil }
        #expect(Self.rejection(scribe, of: 1) == .readOnly(path: disk.path + "/history.sqlite"))
        try Self.run("mount", "-o", "remount,rw", disk.path)
        try scribe.wait("it works") { scribe.problem == nil }
        try scribe.record(Sample.whole(2))
        #expect(try scribe.story(2)?.summary.outcome == "done")
    }

    @Test(.enabled(if: isRoot, "needs root, to freeze a disk"))
    func `an unresponsive disk blocks no client, and waiting records are written once it responds`() throws {
        let disk: Disk
        do {
            disk = try Disk(imageMegabytes: 16)
        } catch {
            print("skipped: this host mounts no disk images (\(error))")
            try Test.cancel("this host mounts no disk images")
        }
        let scribe = try Scribe(disk.path + "/history.sqlite")
        try scribe.record(Sample.whole(1))
        try Self.run("fsfreeze", "-f", disk.path)
        do {
            defer { _ = try? Self.run("fsfreeze", "-u", disk.path) }
            // Returns at once, even if the disk does not respond.
            scribe.send([Sample.accepted(2), Sample.state(2, .starting, slot: 2)])
            let since = scribe.wall - Sample.morning
            try scribe.wait("it is known that the disk does not answer") {
                scribe.history.problem(atNanoseconds: since + 10 * Sample.second) != nil
            }
            #expect(scribe.history.problem(atNanoseconds: since) == nil)
            #expect(scribe.history.isAwaited)
            #expect(scribe.rejections.isEmpty)
        }
        try scribe.record([Sample.ended(2)])
        #expect(try scribe.story(2)?.summary.outcome == "done")
        #expect(scribe.history.problem(atNanoseconds: .max) == nil)
    }

    @Test(arguments: ["garbage", "foreign", "newer", "truncated", "a folder"])
    func `a file that is not our history is never overwritten, and is replaced once it is moved away`(
        kind: String
    ) throws {
        let folder = try TemporaryFolder()
        switch kind {
        case "garbage": try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: folder.file))
        case "foreign":
            try Self.run("sqlite3", folder.file, "CREATE TABLE notes (text); INSERT INTO notes VALUES (1)")
        case "a folder":
            try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        default:
            var scribe: Scribe? = try Scribe(in: folder)
            for number in 1...50 { try scribe?.record(Sample.whole(UInt64(number))) }
            scribe = nil
            // The checkpoint is busy while the reader of that history closes its connection. A remaining log would
            // repair the truncated file.
            while try Self.run("sqlite3", folder.file, "PRAGMA wal_checkpoint(TRUNCATE)") != "0|0|0\n" {
                usleep(10_000)
            }
            if kind == "newer" { try Self.run("sqlite3", folder.file, "PRAGMA user_version = 99") }
            if kind == "truncated" { #expect(truncate(folder.file, 20_000) == 0) }
        }
        let before = try? Data(contentsOf: URL(fileURLWithPath: folder.file))
        let scribe = try Scribe(in: folder)
        scribe.send([Sample.accepted(1000)])
        try scribe.wait("run 1000 is refused") { Self.rejection(scribe, of: 1000) != nil }
        switch (kind, Self.rejection(scribe, of: 1000)) {
        case ("newer", .newer(_, 99)), ("truncated", .corrupt), ("garbage", .foreign), ("foreign", .foreign),
            ("a folder", .foreign), ("a folder", .failed):
            break
        case let (_, problem): Issue.record("\(kind): \(String(describing: problem))")
        }
        #expect((try? Data(contentsOf: URL(fileURLWithPath: folder.file))) == before)
        for suffix in ["", "-wal", "-shm"] {
            rename(folder.file + suffix, folder.path + "/away\(suffix)")
        }
        try scribe.wait("a new history begins") { scribe.problem == nil }
        try scribe.record(Sample.whole(1001))
        #expect(try scribe.page().runs.count == 1)
        #expect((try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/away"))) == before)
    }

    @Test func `a history that is moved away while it is open is created again`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record(Sample.whole(1))
        for suffix in ["", "-wal", "-shm"] { rename(folder.file + suffix, folder.path + "/away\(suffix)") }
        try scribe.record(Sample.whole(2))
        #expect(try scribe.page().runs.map(\.run) == [Sample.run(2)])
        #expect(try Self.run("sqlite3", folder.path + "/away", "SELECT count(*) FROM runs") == "1\n")
    }

    @Test func `a migration keeps the records, and one that fails leaves the file as it was`() throws {
        let folder = try TemporaryFolder()
        do { try Scribe(in: folder).record(Sample.whole(1)) }
        func migrate(with statement: String) throws {
            _ = try HistoryFile(path: folder.file, durability: .process, migrations: Schema.migrations + [statement])
        }
        #expect(throws: HistoryProblem.self) { try migrate(with: "DELETE FROM runs; ALTER TABLE missing ADD COLUMN a") }
        #expect(try Scribe(in: folder).page().runs.map(\.run) == [Sample.run(1)])
        try migrate(with: "ALTER TABLE runs ADD COLUMN later INTEGER NOT NULL DEFAULT 7")
        #expect(
            try Self.run("sqlite3", folder.file, "SELECT app, later FROM runs; PRAGMA user_version")
                == "Probe|7\n\(Schema.migrations.count + 1)\n"
        )
    }

    @Test func `if the log is moved away while the history is open, no runs are lost`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record(Sample.whole(1))
        #expect(rename(folder.file + "-wal", folder.path + "/away") == 0)
        try scribe.record(Sample.whole(2))
        #expect(try scribe.page().runs.map(\.run) == [Sample.run(2), Sample.run(1)])
        #expect(try Self.run("sqlite3", folder.file, "SELECT count(*) FROM runs") == "2\n")
    }

    @Test func `if only the file is moved away, it is complete`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record(Sample.whole(1))
        rename(folder.file, folder.path + "/away")
        try scribe.record(Sample.whole(2))
        #expect(try scribe.page().runs.map(\.run) == [Sample.run(2)])
        #expect(try Self.run("sqlite3", folder.path + "/away", "SELECT count(*) FROM runs") == "1\n")
    }

    /// When the last program closes the file, SQLite removes the log. Only our locks show SQLite that we use the file.
    @Test func `a program that reads an open history does not remove the log`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record(Sample.whole(1))
        // Locks belong to a process, so closing one descriptor of the file affects all connections of the process.
        let other = try Scribe(in: folder)
        #expect(try other.page().runs.count == 1)
        #expect(try Self.run("sqlite3", folder.file, "SELECT count(*) FROM runs") == "1\n")
        try scribe.record(Sample.whole(2))
        #expect(try Self.run("sqlite3", folder.file, "SELECT count(*) FROM runs") == "2\n")
    }

    @Test func `while another program locks the history, runs wait, and are refused after a time limit`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record([Sample.accepted(1)])
        let holder = Process()
        let input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = ["sqlite3", folder.file]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("held"))
        scribe.send([Sample.accepted(2)])
        scribe.send([Sample.ended(1)])
        try scribe.wait("run 2 is refused") { Self.rejection(scribe, of: 2) != nil }
        #expect(Self.rejection(scribe, of: 2) == .locked(path: folder.file))
        input.fileHandleForWriting.write(Data("COMMIT;\n.quit\n".utf8))
        holder.waitUntilExit()
        try scribe.wait("it works again") { scribe.problem == nil }
        try scribe.record(Sample.whole(3))
        // The end of an accepted run could not be refused. It waited, and is now on record.
        #expect(try scribe.story(1)?.summary.outcome == "done")
        #expect(try scribe.story(2) == nil)
        #expect(try scribe.story(3)?.summary.outcome == "done")
    }
}
