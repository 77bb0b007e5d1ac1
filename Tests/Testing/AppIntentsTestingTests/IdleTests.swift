import AppIntents
import AppIntentsTesting
import Foundation
import TestSupport
import Testing

extension VirtualClock: VirtualInstantSource {
    var text: String { "\(now)" }
}

/// Virtual time does not advance past unfinished work.
@Suite struct IdleTests {
    @Test func `time does not advance while code of the run blocks its thread`() async throws {
        try await withIntentRun { run in
            // The thread of the run is blocked in a system call until the test writes to the pipe.
            let pipe = Pipe()
            let source = Source {
                String(decoding: (try? pipe.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
            }
            run.dependencies.add(dependency: source)
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(10))
            try pipe.fileHandleForWriting.write(contentsOf: Data("read".utf8))
            try pipe.fileHandleForWriting.close()
            let done = try await end
            #expect(done == .done("read"))
        }
    }

    @Test func `time does not advance while work outside the run holds the clock`() async throws {
        try await withIntentRun { run in
            let (words, arrive) = AsyncStream.makeStream(of: String.self)
            let (calls, call) = AsyncStream.makeStream(of: Void.self)
            let source = Source { [clock = run.clock] in
                await clock.hold {
                    call.yield()
                    for await word in words { return word }
                    return ""
                }
            }
            run.dependencies.add(dependency: source)
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(10))
            for await _ in calls { break }
            arrive.yield("held")
            let done = try await end
            #expect(done == .done("held"))
        }
    }

    @Test func `time advances while a run waits for work that does not hold the clock`() async throws {
        try await withIntentRun { run in
            let (words, arrive) = AsyncStream.makeStream(of: String.self)
            run.dependencies.add(
                dependency: Source {
                    for await word in words { return word }
                    return "cancelled"
                }
            )
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(10))
            let done = try await end
            #expect(done == .done("too late"))
            arrive.finish()
        }
    }

    @Test func `time does not advance while the main actor works for the run`() async throws {
        try await withIntentRun { run in
            run.dependencies.add(
                dependency: Source {
                    var sum = 0
                    for _ in 0..<200 { sum += await MainActor.run { 1 } }
                    return "\(sum)"
                }
            )
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(10))
            let done = try await end
            #expect(done == .done("200"))
        }
    }

    @Test(arguments: [1, 5, 25])
    func `a task outside the run's tree that sleeps in steps wakes up at each step`(_ ticks: Int) async throws {
        try await withIntentRun { run in
            let intent = Ticking()
            intent.ticks = ticks
            async let end = run.perform(intent)
            run.advance(by: .seconds(ticks))
            let times = try await end.get()
            #expect(times == (0...ticks).map { "\(Double($0)) seconds" })
        }
    }

    @Test func `sleeps end in order, each at its own instant, even if the test advances beyond them`() async throws {
        let clock = VirtualClock()
        let notes = Notes()
        let source = Source {
            await withTaskGroup(of: Void.self) { group in
                for seconds in [3, 1, 4, 2] {
                    group.addTask {
                        try? await clock.sleep(for: .seconds(seconds))
                        notes.add("\(seconds) at \(clock.now)")
                    }
                }
            }
            return "all"
        }
        try await withIntentRun(dependencies: [source], clock: .virtual(clock)) { run in
            async let end = run.perform(Fetching())
            run.advance(by: .seconds(3600))
            #expect(try await end.value == "all")
            try await run.idle()
            #expect(clock.now.sinceStart == .seconds(3600))
        }
        #expect(notes.all == (1...4).map { "\($0) at \(Double($0)) seconds" })
    }

    @Test func `work that is due at the instant of a limit is performed before the limit applies`() async throws {
        try await withIntentRun { run in
            let intent = Paced()
            (intent.units, intent.pause) = (3, 30)
            async let end = run.perform(intent)
            run.advance(by: .seconds(90))
            let done = try await end
            #expect(done == .done(3))
        }
    }

    @Test func `an advance before the run begins takes effect once it has begun`() async throws {
        try await withIntentRun { run in
            run.advance(by: .seconds(31))
            let intent = Waiting()
            intent.seconds = 31
            let end = try await run.perform(intent)
            #expect(end == .cancelled(.timeout))
            #expect(end.duration == .seconds(30))
        }
    }

    @Test func `time does not advance while a task outside the run's tree works`() async throws {
        try await withIntentRun(clock: .skipping) { run in
            run.dependencies.add(
                dependency: Source {
                    await Task {
                        var sum = 0
                        for _ in 0..<20 { sum += await Task { 1 }.value }
                        return "\(sum)"
                    }.value
                }
            )
            let done = try await run.perform(Fetching())
            #expect(done == .done("20"))
        }
    }

    @Test func `a test controls successive runs, and may wait for progress before the run begins`() async throws {
        try await withIntentRun { run in
            let intent = Stalling()
            for units in 1...20 {
                intent.units = units
                let start = run.clock.now
                async let end = run.perform(intent)
                try await run.progress(reaches: Int64(units))
                run.advance(by: .seconds(30))
                #expect(try await end == .cancelled(.timeout))
                #expect(start.duration(to: run.clock.now) == .seconds(30))
            }
        }
    }

    @Test func `time does not advance while tasks wait for the lock of the state folder`() async throws {
        let notes = Notes()
        try await withIntentRun(clock: .skipping) { run in
            run.dependencies.add(
                dependency: Source {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<50 { group.addTask { try? await IntentState.withLock { notes.add("locked") } } }
                    }
                    return "\(notes.all.count)"
                }
            )
            let done = try await run.perform(Fetching())
            #expect(done == .done("50"))
        }
    }
}
