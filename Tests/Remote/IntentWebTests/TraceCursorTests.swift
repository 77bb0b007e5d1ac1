import IntentProtocol
import Testing
import intentd_web

/// Tests which runs of history are exported as traces.
struct TraceCursorTests {
    private static func run(_ number: Int64, isImported: Bool? = nil) -> RecordedRun {
        var run = RecordedRun(
            number: number,
            run: RunID(randomBits: UInt64(number)),
            app: "Probe",
            intent: "Echo",
            user: 1000,
            entryPoint: .http,
            accepted: Timestamp(millisecondsSince1970: 0)
        )
        run.isImported = isImported
        return run
    }

    @Test func `a run is exported once, when it has ended, and runs from before the first look never`() {
        var cursor = TraceCursor()
        #expect(cursor.saw([Self.run(7)]) == 0 && cursor.mark == 7 && cursor.isEmpty)
        let (early, late, imported) = (Self.run(8), Self.run(9), Self.run(10, isImported: true))
        _ = cursor.saw([imported, late, early, Self.run(7)])
        #expect(cursor.mark == 10)
        #expect(cursor.ended(live: [8], count: 10) == [late.run])
        cursor.exported([late.run])
        #expect(cursor.ended(live: [8], count: 10) == [])
        #expect(cursor.ended(live: [], count: 10) == [early.run])
        cursor.exported([early.run])
        #expect(cursor.isEmpty && cursor.saw([]) == 0 && cursor.mark == 10)
    }

    @Test func `while the collector is away, a bounded number of runs waits, the newest ones`() {
        var cursor = TraceCursor()
        _ = cursor.saw([])
        let runs = (1...Int64(TraceCursor.pendingLimit) + 5).map { Self.run($0) }
        #expect(cursor.saw(runs) == 5)
        #expect(cursor.ended(live: [], count: 1) == [runs[5].run])
    }
}
