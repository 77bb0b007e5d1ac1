import IntentClient
import Testing
import intentctl

@Suite struct TopPictureTests {
    private static let status = DaemonStatus(
        software: "intentd 1",
        uptime: .seconds(60),
        runningCount: 1,
        queuedCount: 1,
        endedCount: 0,
        appCount: 1,
        isolation: Isolation(grade: .full, parts: [])
    )

    private static func lines(_ run: LiveRun, columns: Int = 120) -> [String] {
        var picture = TopPicture()
        picture.update([run], [:], at: .zero)
        return picture.lines(status, [run], columns: columns, rows: 10)
    }

    private static func run(_ state: RunState, waitsFor: String? = nil, asks: String? = nil) throws -> LiveRun {
        LiveRun(
            run: try #require(RunID("0000000001")),
            app: "Mail",
            intent: "Send",
            state: state,
            age: .seconds(1),
            waitsFor: waitsFor,
            asks: asks
        )
    }

    @Test func `a run in the backlog shows what it waits for, within the screen`() throws {
        let run = try Self.run(.queued, waitsFor: "other runs occupy all slots (MaxRuns=1)")
        #expect(Self.lines(run)[3].hasSuffix("waits: other runs occupy all slots (MaxRuns=1)"))
        #expect(Self.lines(run, columns: 70)[3].count <= 70)
    }

    @Test func `a run that asks shows its question, without control characters`() throws {
        let run = try Self.run(.asking, asks: "really\u{1B}[2J?")
        let line = Self.lines(run)[3]
        #expect(line.contains("asks: really") && !line.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `the steps of a shortcut have no rate`() throws {
        var run = try Self.run(.running)
        var picture = TopPicture()
        for (count, time) in [(Int64(1), Duration.zero), (2, .seconds(1))] {
            run.progress = ProgressReport(completedUnitCount: count, totalUnitCount: 4, fraction: Double(count) / 4)
            picture.update([run], ["Mail": .steps], at: time)
        }
        let line = picture.lines(Self.status, [run], columns: 120, rows: 10)[3]
        #expect(line.hasSuffix("50%  2/4"))
    }
}
