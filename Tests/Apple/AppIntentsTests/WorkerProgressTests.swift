import IntentLauncherMessages
import TestSupport
import Testing

/// Tests a run's progress reports.
@Suite(.ownThread) struct WorkerProgressTests {
    @Test func `many changes are merged into few reports, and the last is always sent`() throws {
        let progress = try AppProcess.run("Burst").progress
        #expect(progress.last?.completedUnitCount == 1000)
        #expect(progress.last?.totalUnitCount == 1000)
        #expect(progress.last?.fraction == 1)
        #expect(progress.count <= 4)
    }

    @Test func `slow changes are all sent, the first at once`() throws {
        // Each change is made after the previous report has arrived, so that a slow machine cannot merge two changes.
        let worker = try AppProcess.performing("StepByFile", ["count": .int(5)])
        for step in 0..<5 {
            guard case .progress(let progress)? = try worker.next()?.report else {
                throw AppProcess.Failure(description: "no progress")
            }
            #expect(progress.completedUnitCount == Int64(step))
            try worker.bring("\(step + 1)")
        }
        #expect(try worker.result().progress.map(\.completedUnitCount) == [5])
    }

    @Test func `a child's progress is reported while it advances`() throws {
        let fractions = try AppProcess.run("Children").progress.map(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.filter { $0 > 0 && $0 < 0.8 }.count >= 2)
        #expect(fractions.last == 0.8)
    }

    @Test func `any thread can set progress, and invalid numbers are corrected`() throws {
        let progress = try AppProcess.run("FromElsewhere").progress
        #expect(progress.allSatisfy { (0...1).contains($0.fraction) })
        #expect(progress.last?.fraction == 0.25)
        #expect(progress.last?.detail == "a quarter")
    }

    @Test func `a changed description is reported even if progress does not advance`() throws {
        let worker = try AppProcess.performing("Stuck")
        var details: Set<String> = []
        while details.count < 3, case .progress(let progress)? = try worker.next()?.report {
            if let detail = progress.detail { details.insert(detail) }
            #expect(progress.completedUnitCount <= 5)
        }
        #expect(details.count == 3)
    }

    @Test func `the start and the end of a background task are reported`() throws {
        let run = try AppProcess.run("Background", ["seconds": .double(0.2)])
        #expect(run.phases == [.entered, .left])
        #expect(run.progress.last?.completedUnitCount == 2)
    }

    @Test func `a supervisor that does not read cannot delay the run`() throws {
        let worker = try AppProcess.performing("Ticking", ["seconds": .double(2)])
        try worker.send(.cancel(reason: .userCancelled, graceMilliseconds: 1000))
        #expect(try worker.result().result.ending == .threwCancellation)
    }
}
