import AppIntents
import Glibc

/// Follows Apple's sample: the handler starts a task, and `perform()` throws immediately.
struct Cleanup: CancellableIntent {
    static var title: LocalizedStringResource = "Clean up in a task of the handler"

    @Parameter(title: "Milliseconds", default: 300) var milliseconds: Int

    func perform() async throws -> some IntentResult {
        let milliseconds = milliseconds
        return try await withIntentCancellationHandler {
            try await Task.sleep(for: .seconds(600))
            return .result()
        } onCancel: { reason in
            let grace = reason.graceRemaining.map { "\($0 > .zero)" } ?? "-"
            Task {
                try await Task.sleep(for: .milliseconds(milliseconds))
                switch reason {
                case .timeout: print("cleaned up: timeout, grace \(grace)")
                case .userCancelled: print("cleaned up: userCancelled, grace \(grace)")
                default: print("cleaned up: \(reason), grace \(grace)")
                }
            }
        }
    }
}

struct Spin: CancellableIntent {
    static var title: LocalizedStringResource = "Ignore everything"

    @Parameter(title: "Blocking", default: false) var isBlocking: Bool

    func perform() async throws -> some IntentResult {
        signal(SIGTERM, SIG_IGN)
        await withIntentCancellationHandler {
            while true { if isBlocking { sleep(60) } }
        } onCancel: { reason in
            print("told: \(reason)")
        }
        return .result()
    }
}

struct BothHandlers: LongRunningIntent, CancellableIntent {
    static var title: LocalizedStringResource = "One handler replaces the other"

    func perform() async throws -> some IntentResult {
        try await withIntentCancellationHandler {
            try await performBackgroundTask {
                progress.totalUnitCount = 1
                try await Task.sleep(for: .seconds(600))
            } onCancel: { reason in
                print("background handler: \(reason)")
            }
            return .result()
        } onCancel: { reason in
            print("intent handler: \(reason)")
        }
    }
}

struct LateHandler: CancellableIntent {
    static var title: LocalizedStringResource = "A handler registered after the cancellation"

    func perform() async throws -> some IntentResult {
        while !Task.isCancelled { await Task.yield() }
        return await withIntentCancellationHandler {
            .result()
        } onCancel: { reason in
            Task {
                try await Task.sleep(for: .milliseconds(200))
                print("late handler: \(reason)")
            }
        }
    }
}

struct OwnCancel: CancellableIntent {
    static var title: LocalizedStringResource = "Cancels a task of its own"

    func perform() async throws -> some IntentResult & ReturnsValue<Bool> {
        let task = Task {
            try await withIntentCancellationHandler {
                try await Task.sleep(for: .seconds(600))
            } onCancel: { reason in
                print("handler called by mistake: \(reason)")
            }
        }
        task.cancel()
        _ = await task.result
        return .result(value: true)
    }
}

struct ReturnsAnyway: AppIntent {
    static var title: LocalizedStringResource = "Returns although it was cancelled"

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try? await Task.sleep(for: .seconds(600))
        return .result(value: "anyway")
    }
}
