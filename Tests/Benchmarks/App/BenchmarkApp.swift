import AppIntents
import Glibc

/// The app that is measured: intents with next to nothing in them, so that what is around them shows.
@main
struct BenchmarkApp: AppIntentsExtension {}

/// The trivial intent: one number in, one out.
struct Answer: AppIntent {
    static let title: LocalizedStringResource = "Add one"

    @Parameter(title: "Number") var number: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        .result(value: number + 1)
    }
}

/// Gives back a copy of a file.
struct GiveBack: AppIntent {
    static let title: LocalizedStringResource = "Copy a file"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> { .result(value: file) }
}

/// Waits, and has nothing to clean up.
struct Wait: AppIntent {
    static let title: LocalizedStringResource = "Wait"

    func perform() async throws -> some IntentResult {
        print("begun \(monotonicNanoseconds())")
        try await Task.sleep(for: .seconds(600))
        return .result()
    }
}

/// Waits, and says when its handler was told to stop.
struct WaitForCancel: CancellableIntent {
    static let title: LocalizedStringResource = "Wait, with a handler"

    func perform() async throws -> some IntentResult {
        try await withIntentCancellationHandler {
            print("begun \(monotonicNanoseconds())")
            try await Task.sleep(for: .seconds(600))
            return .result()
        } onCancel: { _ in
            let instant = monotonicNanoseconds()
            print("told \(instant)")
        }
    }
}

/// Reports progress once a second.
struct Tick: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Advance every second"

    @Parameter(title: "Seconds") var seconds: Int

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = Int64(seconds)
        print("begun \(monotonicNanoseconds())")
        for _ in 0..<seconds {
            try await Task.sleep(for: .seconds(1))
            progress.completedUnitCount += 1
        }
        return .result()
    }
}

/// CLOCK_MONOTONIC, which every process of the machine reads alike.
private func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    // Cannot fail: the clock is always there.
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
