import AppIntents
import AppIntentsTesting
import Foundation
import Testing

/// Tests that run in parallel share no state.
@Suite struct IsolationTests {
    @Test(arguments: Array(1...20))
    func `runs in parallel share no progress, dependency, donation, undo or state`(_ number: Int) async throws {
        let notes = Notes()
        try await withIntentRun(dependencies: [notes], clock: .skipping) { run in
            let intent = Shared()
            (intent.name, intent.rounds) = ("[\(number)]", 10)
            let end = try await run.perform(intent)
            let names = String(repeating: "[\(number)]", count: 10)
            #expect(end == .done(["[\(number)]", "[\(number)]", names]))
            #expect(end.progress.completedUnitCount == 10)
            #expect(end.donations.map(\.intent) == ["Shared"])
            #expect(try end.donations.first?.value(of: "name") == "[\(number)]")
            #expect(end.undoName == "Undo [\(number)]")
            #expect(notes.all == Array(repeating: "[\(number)]", count: 10))
        }
    }

    @Test func `outside a run, each intent has its own progress`() {
        let (one, other) = (Stalling(), Stalling())
        one.progress.completedUnitCount = 7
        #expect(other.progress.completedUnitCount == 0)
    }

    @Test func `a dependency that a test registers is not registered in another test`() async throws {
        struct Local: Sendable {}
        struct Needing: AppIntent {
            static let title: LocalizedStringResource = "Need"
            @Dependency var local: Local
            func perform() async throws -> some IntentResult { .result() }
        }
        try await withIntentRun { run in
            AppDependencyManager.shared.add(dependency: Local())
            let end = try await run.perform(Needing())
            #expect(end.isDone)
        }
        try await withIntentRun { run in
            let end = try await run.perform(Needing())
            #expect(end.message?.contains("its dependency of type Local is not registered") == true)
        }
    }

    @Test func `the folders of a test are removed when it ends`() async throws {
        let folders = try await withIntentRun { run in
            try Data("x".utf8).write(to: URL(fileURLWithPath: run.stateDirectory).appending(path: "x"))
            let intent = AddingLine()
            intent.file = IntentFile(data: Data("a\n".utf8), filename: "a.txt")
            #expect(try await run.perform(intent).isDone)
            return [run.directory, run.stateDirectory]
        }
        #expect(folders.filter { FileManager.default.fileExists(atPath: $0) } == [])
    }

    @Test func `a clock belongs to one test at a time`() async throws {
        let clock = VirtualClock()
        try await withIntentRun(clock: .virtual(clock)) { _ in
            await #expect(throws: IntentTestError.self) {
                try await withIntentRun(clock: .virtual(clock)) { _ in }
            }
        }
        try await withIntentRun(clock: .virtual(clock)) { _ in }
    }
}
