import AppIntents
import Dispatch
import Foundation
import Glibc

/// What the app's `init()` does. The variable PROBE_INIT selects one behaviour; without it, `init()` does nothing.
@MainActor enum AppCreation {
    /// The notes that the tasks of the main actor have left, in order.
    private static var notes: [String] = []
    private static var task: Task<Void, Never>?

    private nonisolated static var behaviour: String? { getenv("PROBE_INIT").map { String(cString: $0) } }

    /// Called before the run begins.
    nonisolated static func prepare() {
        guard behaviour == "queue" else { return }
        DispatchQueue.main.async { print("the main queue is served") }
    }

    /// Called by the app's `init()`.
    static func perform() {
        switch behaviour {
        case "isolation":
            MainActor.assertIsolated()
            note("isolated in \(getenv("INTENTD_RUN").map { String(cString: $0) } ?? "no run")")
        case "queue":
            dispatchPrecondition(condition: .onQueue(.main))
            note("on the main queue")
        case "task":
            task = Task {
                MainActor.assertIsolated()
                note("task")
            }
            // The time that another thread needs to execute the task too early.
            usleep(20_000)
            note("init")
        case "cancellation":
            print("creating")
            while !Task.isCancelled { usleep(1000) }
            note("cancelled")
        default: break
        }
    }

    // The library calls `init()` without static isolation, so check it at run time.
    private nonisolated static func note(_ text: String) {
        MainActor.assumeIsolated { notes.append(text) }
    }

    static func finish() async -> [String] {
        await task?.value
        return notes
    }
}

struct CreationNotes: AppIntent {
    static let title: LocalizedStringResource = "Return what init() has noted"

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        .result(value: await AppCreation.finish())
    }
}

struct ThreadCount: AppIntent {
    static let title: LocalizedStringResource = "Return the number of threads"

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        .result(value: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count)
    }
}
