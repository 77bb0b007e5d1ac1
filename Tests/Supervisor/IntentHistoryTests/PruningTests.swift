import Foundation
import Glibc
import IntentHistory
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests which records are removed, and which files are removed with them.
@Suite(.ownThread) struct PruningTests {
    /// A history with this many complete runs, each with a line of output and a file.
    private final class Past {
        let folder: TemporaryFolder
        let scribe: Scribe

        init(runCount: UInt64, fileByteCount: Int = 10) throws {
            folder = try TemporaryFolder()
            scribe = try Scribe(in: folder)
            let files = folder.path + "/files"
            try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
            scribe.history.prune(filesIn: SharedFileDescriptor(try File.open(files, O_RDONLY | O_DIRECTORY)))
            // Use yesterday's time, because the retention rule compares with the current time.
            scribe.wall = Int64(time(nil) - 86_400) * Sample.second
            for number in 1...runCount {
                try scribe.record(
                    [Sample.accepted(number), Sample.printed(number, "said \(number)\n")]
                        + Sample.whole(number).dropFirst()
                )
                try keepFile(of: number, byteCount: fileByteCount)
            }
        }

        private func path(of number: UInt64) -> String { "\(folder.path)/files/\(Sample.run(number).text)" }

        func keepFile(of number: UInt64, byteCount: Int) throws {
            let path = path(of: number)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(repeating: 7, count: byteCount).write(to: URL(fileURLWithPath: path + "/0-a.txt"))
        }

        /// Sets the time at which the run's file was stored to this many seconds ago.
        func age(_ number: UInt64, seconds: Int) throws {
            var times = [timespec](repeating: timespec(tv_sec: time(nil) - seconds, tv_nsec: 0), count: 2)
            #expect(utimensat(AT_FDCWD, path(of: number), &times, 0) == 0)
        }

        func hasFile(_ number: UInt64) -> Bool { access(path(of: number) + "/0-a.txt", F_OK) == 0 }
        func hasFolder(_ number: UInt64) -> Bool { access(path(of: number), F_OK) == 0 }
        /// The recorded runs of all users.
        func runs() throws -> [RecordedRun] {
            var query = HistoryQuery(count: 500)
            query.everybody = true
            return try scribe.page(query, user: 0).runs
        }
        func output(_ number: UInt64) throws -> String? { try scribe.logs(number)?.pieces.map(\.text).joined() }
    }

    @Test func `runs above the maximum number are removed with their files, oldest first`() throws {
        let past = try Past(runCount: 5)
        var rule = Retention()
        rule.keep = nil
        rule.keepOutput = nil
        rule.runCountMax = 2
        #expect(try past.scribe.prune(rule) == 3)
        #expect(try past.scribe.page().runs.map(\.number) == [5, 4])
        #expect((1...5).map(past.hasFolder) == [false, false, false, true, true])
        #expect(try past.output(5) == "said 5\n")
    }

    @Test func `the steps of a shortcut are kept while it lives, and removed when it has ended`() throws {
        let past = try Past(runCount: 2)
        let (shortcut, step) = (Sample.run(40), UInt64(3))
        let name = "shortcut \(shortcut)"
        try past.scribe.record(
            [
                RunRecord(RunID(randomBits: 0), .stored(name: name, value: "{}")),
                Sample.accepted(step, key: StepKey(shortcut: shortcut, step: "one").text),
            ] + Sample.whole(step).dropFirst()
        )
        try past.keepFile(of: step, byteCount: 10)
        try past.age(step, seconds: 3600)
        try past.scribe.record(Sample.whole(4))
        var rule = Retention()
        rule.keep = .zero
        rule.keepFiles = .zero
        #expect(try past.scribe.prune(rule) == 2)
        #expect(try past.runs().map(\.number) == [4, 3])
        #expect(past.hasFile(step))
        try past.scribe.record([RunRecord(RunID(randomBits: 0), .stored(name: name, value: nil))])
        #expect(try past.scribe.prune(rule) == 1)
        #expect(!past.hasFolder(step))
    }

    @Test func `output and files are removed before the run, by their own age`() throws {
        let past = try Past(runCount: 3)
        // The runs ended yesterday. Their files are new, except the first one.
        try past.age(1, seconds: 7200)
        var rule = Retention()
        rule.keep = nil
        rule.keepOutput = .seconds(3600)
        rule.keepFiles = .seconds(3600)
        #expect(try past.scribe.prune(rule) == 0)
        #expect(try past.scribe.page().runs.count == 3)
        #expect(try past.output(1) == "")
        #expect((1...3).map(past.hasFile) == [false, true, true])
    }

    @Test func `the oldest files are removed until the size is below the limit, and no run is removed`() throws {
        let past = try Past(runCount: 300, fileByteCount: 100_000)
        for number: UInt64 in 1...300 { try past.age(number, seconds: 4000 - Int(number)) }
        var rule = Retention()
        rule.keep = nil
        rule.keepOutput = nil
        rule.keepFiles = nil
        rule.byteCountMax = 20_000_000
        #expect(try past.scribe.prune(rule) == 0)
        #expect(try past.scribe.page(HistoryQuery(count: 500)).runs.count == 300)
        let left = (1...300).filter { past.hasFile($0) }
        #expect(left.count > 100 && left.count < 200, "\(left.count)")
        // The newest files are kept.
        #expect(left == Array((301 - UInt64(left.count))...300))
    }

    @Test func `one user's records and files above a limit do not displace those of another user`() throws {
        let past = try Past(runCount: 20, fileByteCount: 100_000)
        let text = String(repeating: "x", count: 200_000)
        for number: UInt64 in 101...160 {
            try past.scribe.record(
                [Sample.accepted(number, user: 1001), Sample.printed(number, text)]
                    + Sample.whole(number).dropFirst()
            )
            try past.keepFile(of: number, byteCount: 200_000)
        }
        try past.scribe.record(Sample.whole(200))
        var rule = Retention()
        rule.keep = nil
        rule.keepOutput = nil
        rule.byteCountMax = 8_000_000
        // The files of the other user are as new as possible, and are removed nevertheless.
        #expect(try past.scribe.prune(rule) > 0)
        #expect((1...20).allSatisfy(past.hasFile))
        #expect((1...20).allSatisfy { (try? past.output($0)) == "said \($0)\n" })
        rule.byteCountMax = nil
        rule.runCountMax = 30
        _ = try past.scribe.prune(rule)
        let left = try past.runs()
        #expect(left.count == 30 && left.count { $0.user == 1000 } >= 15, "\(left.map(\.number))")
    }

    @Test func `ids that are subordinate to an account count as its user`() throws {
        let past = try Past(runCount: 4)
        past.scribe.history.share(
            by: SubordinateIDs([.init(first: 100_000, count: 100, owner: .local(user: 1001, account: "bob"))])
        )
        for number: UInt64 in 11...20 {
            try past.scribe.record(
                [Sample.accepted(number, user: 100_000 + UInt32(number))] + Sample.whole(number).dropFirst()
            )
        }
        try past.scribe.record(Sample.whole(30))
        var rule = Retention()
        rule.keep = nil
        rule.runCountMax = 8
        #expect(try past.scribe.prune(rule) == 7)
        #expect(try past.runs().map(\.number) == [15, 14, 13, 12, 11, 4, 3, 2])
    }

    @Test func `a pass begins as soon as a run's records or files exceed the maximum size`() throws {
        let folder = try TemporaryFolder()
        var rule = Retention()
        rule.keep = nil
        rule.keepOutput = nil
        rule.byteCountMax = 2_000_000
        let scribe = try Scribe(folder.file, retention: rule)
        let text = String(repeating: "x", count: 200_000)
        for number: UInt64 in 1...30 {
            try scribe.record(
                [Sample.accepted(number), Sample.printed(number, text)] + Sample.whole(number).dropFirst()
            )
        }
        try scribe.wait("runs are removed") { (try? scribe.page(HistoryQuery(count: 500)).runs.count) ?? 30 < 15 }
    }

    @Test func `the default rule removes nothing from a small history, and no rule removes an unfinished run`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        scribe.wall = Int64(time(nil) - 86_400) * Sample.second
        try scribe.record([Sample.accepted(1), Sample.printed(1, "still here\n")])
        for number in 2...4 { try scribe.record(Sample.whole(UInt64(number))) }
        var nothing = Retention()
        nothing.keep = .zero
        nothing.keepOutput = .zero
        nothing.runCountMax = 0
        #expect(try scribe.prune(nothing) == 2)
        #expect(try scribe.page().runs.map(\.number) == [4, 1])
        #expect(try scribe.logs(1)?.pieces.map(\.text) == ["still here\n"])
    }

    @Test func `a key can be used again once its run is removed`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record([Sample.accepted(1, key: "daily")] + Sample.whole(1).dropFirst())
        try scribe.record([Sample.accepted(2, key: "daily", values: ["text": .string("other")])])
        #expect(scribe.rejections.map(\.run) == [Sample.run(2)])
        try scribe.record(Sample.whole(3))
        var newest = Retention()
        newest.runCountMax = 1
        #expect(try scribe.prune(newest) == 1)
        try scribe.record([Sample.accepted(4, key: "daily", values: ["text": .string("other")])])
        #expect(scribe.rejections.count == 1)
        #expect(try scribe.story(4)?.key == "daily")
    }

    @Test func `every caller receives the reason why pruning failed`() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: folder.file))
        let scribe = try Scribe(in: folder)
        try scribe.wait("the file is not ours") { scribe.problem != nil }
        #expect(throws: NeverHappened.self) { try scribe.prune(nil) }
    }

    @Test func `runs are recorded while a large history is pruned in small steps`() throws {
        let past = try Past(runCount: 400)
        var rule = Retention()
        rule.runCountMax = 1
        rule.keep = nil
        past.scribe.history.prune(rule, id: 1 << 32)
        // Each run is written to the disk between two steps.
        for number in 401...410 { try past.scribe.record(Sample.whole(UInt64(number))) }
        #expect(try past.scribe.story(410) != nil)
    }
}
