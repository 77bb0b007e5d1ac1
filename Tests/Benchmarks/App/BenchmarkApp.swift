import AppIntents
import Glibc

/// The measured app. Its intents do almost nothing, so that the overhead dominates.
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

/// Returns a text.
struct Echo: AppIntent {
    static let title: LocalizedStringResource = "Repeat a text"

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: text) }
}

/// Returns a long text for a short one.
struct RepeatText: AppIntent {
    static let title: LocalizedStringResource = "Repeat a text many times"

    @Parameter(title: "Text") var text: String
    @Parameter(title: "Count") var count: Int

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: String(repeating: text, count: count))
    }
}

/// Prints lines on standard error.
struct PrintLines: AppIntent {
    static let title: LocalizedStringResource = "Print lines"

    @Parameter(title: "Line") var line: String
    @Parameter(title: "Count") var count: Int

    func perform() async throws -> some IntentResult {
        let bytes = Array((line + "\n").utf8)
        for _ in 0..<count { _ = write(STDERR_FILENO, bytes, bytes.count) }
        return .result()
    }
}

/// Returns a copy of a file.
struct CopyFile: AppIntent {
    static let title: LocalizedStringResource = "Copy a file"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> { .result(value: file) }
}

/// Waits without a cancellation handler.
struct Wait: AppIntent {
    static let title: LocalizedStringResource = "Wait"

    @Parameter(title: "Use a processor", default: false) var isBusy: Bool

    func perform() async throws -> some IntentResult {
        print("begun \(monotonicNanoseconds())")
        while isBusy, !Task.isCancelled {}
        try await Task.sleep(for: .seconds(600))
        return .result()
    }
}

/// Waits, and prints the time at which its cancellation handler is called.
struct WaitForCancel: CancellableIntent {
    static let title: LocalizedStringResource = "Wait, with a handler"

    func perform() async throws -> some IntentResult {
        try await withIntentCancellationHandler {
            print("begun \(monotonicNanoseconds())")
            try await Task.sleep(for: .seconds(600))
            return .result()
        } onCancel: { _ in
            let instant = monotonicNanoseconds()
            print("handled \(instant)")
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

/// CLOCK_MONOTONIC, which is the same for all processes of the host.
private func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    // Cannot fail for this clock.
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
