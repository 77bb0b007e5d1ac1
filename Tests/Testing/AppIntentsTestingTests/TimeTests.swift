import AppIntents
import AppIntentsTesting
import TestSupport
import Testing

@Suite struct TimeTests {
    @Test func `a run that stalls is cancelled 30 s after its last progress`() async throws {
        try await withIntentRun { run in
            let intent = Stalling()
            intent.units = 3
            async let end = run.perform(intent)
            try await run.progress(reaches: 3)
            run.advance(by: .seconds(30))
            #expect(try await end == .cancelled(.timeout))
            #expect(run.clock.now.sinceStart == .seconds(30))
        }
    }

    @Test func `a run is cancelled exactly at its limit, not a nanosecond earlier`() async throws {
        try await withIntentRun { run in
            let intent = Stalling()
            intent.units = 3
            async let end = run.perform(intent)
            run.advance(by: .seconds(30) - .nanoseconds(1))
            try await run.idle()
            #expect(run.progress.completedUnitCount == 3)
            run.advance(by: .nanoseconds(1))
            #expect(try await end == .cancelled(.timeout))
        }
    }

    @Test func `each advance of progress restarts the time limit`() async throws {
        try await withIntentRun { run in
            let intent = Paced()
            (intent.units, intent.pause) = (20, 29)
            async let end = run.perform(intent)
            run.advance(by: .seconds(20 * 29))
            let done = try await end
            #expect(done == .done(20))
            #expect(run.clock.now.sinceStart == .seconds(580))
        }
    }

    @Test func `progress does not extend the time past the ceiling`() async throws {
        try await withIntentRun { run in
            let intent = Paced()
            (intent.units, intent.pause) = (50, 29)
            async let end = run.perform(intent)
            run.advance(by: .seconds(3600))
            let cancelled = try await end
            #expect(cancelled == .cancelled(.timeout))
            #expect(cancelled.duration == .seconds(600))
            #expect(cancelled.progress.completedUnitCount == 20)
        }
    }

    @Test func `a skipping clock ends sleeps immediately, and respects the limits`() async throws {
        try await withIntentRun(clock: .skipping) { run in
            let intent = Waiting()
            intent.seconds = 29
            let inTime = try await run.perform(intent)
            #expect(inTime == .done("waited"))
            #expect(run.clock.now.sinceStart == .seconds(29))
            intent.seconds = 31
            #expect(try await run.perform(intent) == .cancelled(.timeout))
            #expect(run.clock.now.sinceStart == .seconds(59))
        }
    }

    @Test func `the clean-up has intentd's grace period, in virtual time`() async throws {
        let notes = Notes()
        try await withIntentRun(dependencies: [notes]) { run in
            let intent = CleaningUp()
            intent.cleanup = 4
            async let end = run.perform(intent)
            run.cancel(.userCancelled)
            run.advance(by: .seconds(4))
            let cancelled = try await end
            #expect(cancelled == .cancelled(.userCancelled))
            #expect(!cancelled.isKilled)
        }
        #expect(notes.all == ["userCancelled, 5.0 seconds left", "cleaned, 1.0 seconds left"])
    }

    @Test func `a run is killed if its clean-up exceeds the grace period`() async throws {
        let notes = Notes()
        try await withIntentRun(dependencies: [notes]) { run in
            let intent = CleaningUp()
            intent.cleanup = 6
            async let end = run.perform(intent)
            run.cancel(.serviceStopping)
            run.advance(by: .seconds(6))
            let cancelled = try await end
            #expect(cancelled == .cancelled(.serviceStopping))
            #expect(cancelled.isKilled)
            #expect(cancelled.duration == .seconds(5))
        }
        #expect(notes.all.first == "serviceStopping, 5.0 seconds left")
    }

    @Test(arguments: [true, false])
    func `the long ceiling applies only inside a background task`(_ isInBackground: Bool) async throws {
        try await withIntentRun(clock: .skipping) { run in
            let intent = Lasting()
            (intent.isInBackground, intent.steps) = (isInBackground, 40)
            let end = try await run.perform(intent)
            #expect(end == (isInBackground ? .done(40) : .cancelled(.timeout)))
            #expect(end.duration == .seconds(isInBackground ? 40 * 29 : 600))
        }
    }

    @Test func `a result that is returned after cancellation is ignored`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(Ignoring())
            run.advance(by: .seconds(30))
            let late = try await end
            #expect(late == .cancelled(.timeout))
            #expect(late.value == nil)
        }
    }

    @Test func `a test can specify limits`() async throws {
        var limits = IntentTestLimits()
        limits.runtime = .seconds(2)
        try await withIntentRun(clock: .skipping, limits: limits) { run in
            let end = try await run.perform(Ignoring())
            #expect(end == .cancelled(.timeout))
            #expect(end.duration == .seconds(2))
        }
    }

    @Test func `code that receives a clock sleeps on the clock of the test`() async throws {
        let clock = VirtualClock()
        try await withIntentRun(clock: .virtual(clock)) { run in
            run.dependencies.add(
                dependency: Source {
                    let start = clock.now
                    try? await Task.sleep(for: .seconds(4), clock: clock)
                    return "\(start.duration(to: clock.now))"
                }
            )
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(4))
            let done = try await end
            #expect(done == .done("4.0 seconds"))
        }
    }
}
