import AppIntents
import AppIntentsTesting
import Foundation
import Testing

@Suite struct EndTests {
    @Test func `an input file is read-only, and a result file remains readable after the run`() async throws {
        let file = try await withIntentRun { run in
            let intent = AddingLine()
            intent.file = IntentFile(data: Data("first\n".utf8), filename: "short.txt")
            let end = try await run.perform(intent)
            #expect(end.dialog == "read-only")
            return try end.get()
        }
        #expect(file.filename == "longer.txt")
        #expect(String(decoding: file.data, as: UTF8.self) == "first\nlevel 1\n")
    }

    @Test func `values are checked like the values of a client's request`() async throws {
        try await withIntentRun { run in
            let intent = AddingLine()
            intent.file = IntentFile(data: Data(), filename: "a")
            intent.level = 10
            let end = try await run.perform(intent)
            #expect(end == .failed("parameter 'level' expects a whole number from 1 to 9, got 10"))
        }
    }

    @Test func `a missing value fails the run`() async throws {
        try await withIntentRun { run in
            let end = try await run.perform(AddingLine())
            #expect(end == .failed("parameter 'file' is missing"))
        }
    }

    @Test func `the end contains the error that perform() threw`() async throws {
        struct Broken: Error, Equatable { var number: Int }
        struct Breaking: AppIntent {
            static let title: LocalizedStringResource = "Break"
            func perform() async throws -> some IntentResult {
                if Self.title.key != "" { throw Broken(number: 7) }
                return .result()
            }
        }
        try await withIntentRun { run in
            let end = try await run.perform(Breaking())
            #expect(end.error as? Broken == Broken(number: 7))
            #expect(!end.isDone)
        }
    }

    @Test(arguments: [
        IntentCancellationReason.userCancelled, .timeout, .serviceStopping, .clientDisconnected, .replaced,
    ])
    func `a run can be cancelled for each reason`(_ reason: IntentCancellationReason) async throws {
        let notes = Notes()
        try await withIntentRun(dependencies: [notes]) { run in
            let intent = CleaningUp()
            intent.cleanup = 1
            async let end = run.perform(intent)
            run.cancel(reason)
            run.cancel(.userCancelled)
            run.advance(by: .seconds(1))
            let cancelled = try await end
            #expect(cancelled == .cancelled(reason))
        }
        #expect(notes.all.first == "\(reason), 5.0 seconds left")
    }

    @Test func `the end of a run reads as a sentence, without internal types`() async throws {
        try await withIntentRun { run in
            let intent = Stalling()
            intent.units = 3
            async let end = run.perform(intent)
            run.advance(by: .seconds(30))
            let ended = try await end
            let text = "\(ended)"
            // Further lines name threads of the process, which other tests can have created.
            #expect(
                text.prefix { $0 != "\n" }
                    == "cancelled (timeout): made no progress (Runtime=), after 30.0 seconds at 3 of 50 units"
            )
            #expect(String(reflecting: ended) == text)
            #expect(Mirror(reflecting: ended).children.isEmpty)
        }
        #expect("\(IntentEnd<Int>.done(50))" == "done: 50")
        #expect("\(IntentEnd<Int>.cancelled(.timeout))" == "cancelled (timeout)")
    }

    @Test func `a wait for progress that a run never makes fails with its end`() async throws {
        try await withIntentRun(clock: .skipping) { run in
            let intent = Paced()
            (intent.units, intent.pause) = (2, 1)
            async let end = run.perform(intent)
            let error = await #expect(throws: IntentTestError.self) { try await run.progress(reaches: 3) }
            #expect(
                error?.description
                    == "the run ended before its progress reached 3 units: done: 2, at 2 of 2 units"
            )
            let done = try await end
            #expect(done == .done(2))
        }
    }

    @Test func `a wait that exceeds the patience fails with an error that describes the run`() async throws {
        let error = await #expect(throws: IntentTestError.self) {
            try await withIntentRun(patience: .milliseconds(200)) { run in
                let intent = Paced()
                (intent.units, intent.pause) = (2, 1)
                async let end = run.perform(intent)
                try await run.progress(reaches: 1)
                _ = try await end
            }
        }
        #expect(
            error?.description.prefix { $0 != "\n" }.hasSuffix(
                "before its progress reached 1 units: 'Paced' is at 0 of 2 units; a task sleeps on the clock. "
                    + "Let time pass with advance(by:)"
            ) == true,
            "\(error?.description ?? "")"
        )
    }

    @Test func `a test can end while a run is in progress`() async throws {
        let notes = Notes()
        try await withIntentRun(dependencies: [notes]) { run in
            let intent = CleaningUp()
            intent.cleanup = 0
            async let _ = run.perform(intent)
            run.advance(by: .seconds(1))
            try await run.idle()
            // Return without waiting for the run to end.
        }
        #expect(notes.all.count <= 2)
    }

    @Test func `a test can perform only one run at a time`() async throws {
        try await withIntentRun { run in
            let intent = Stalling()
            intent.units = 1
            async let end = run.perform(intent)
            try await run.progress(reaches: 1)
            let error = await #expect(throws: IntentTestError.self) { try await run.perform(intent) }
            #expect(error?.description.hasPrefix("cannot perform 'Stalling': another run of this test") == true)
            run.cancel()
            #expect(try await end == .cancelled(.userCancelled))
        }
    }

    @Test func `an undo performs the registered intent once`() async throws {
        try await withIntentRun(dependencies: [Notes()], clock: .skipping) { run in
            let intent = Shared()
            (intent.name, intent.rounds) = ("a", 1)
            let end = try await run.perform(intent)
            #expect(end.undo?.description == "Shared(name: \"a\", rounds: 1)")
            let undone = try await run.undo()
            #expect(undone == .done)
            #expect(undone.undoName == "Undo a")
            _ = try await run.undo()
            let intent2 = Waiting()
            intent2.seconds = 1
            #expect(try await run.perform(intent2).isDone)
            let error = await #expect(throws: IntentTestError.self) { try await run.undo() }
            #expect(error?.description.hasPrefix("cannot undo the last run: it registered no undo") == true)
        }
    }
}
