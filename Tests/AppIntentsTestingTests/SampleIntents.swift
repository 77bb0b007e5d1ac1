import AppIntents
import Foundation
import Synchronization

/// Completes units with a pause before each, on the clock of the test.
struct Paced: ProgressReportingIntent, CancellableIntent {
    static let title: LocalizedStringResource = "Count with pauses"
    @Parameter(title: "Units") var units: Int
    @Parameter(title: "Pause in seconds") var pause: Int
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        progress.totalUnitCount = Int64(units)
        for unit in 1...units {
            try await clock.sleep(for: .seconds(pause))
            progress.completedUnitCount = Int64(unit)
        }
        return .result(value: units)
    }
}

/// Completes some units and then waits for ever, unless it is cancelled.
struct Stalling: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Stall"
    @Parameter(title: "Units") var units: Int

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = 50
        progress.completedUnitCount = Int64(units)
        try await Task.sleep(for: .seconds(86_400))
        return .result()
    }
}

/// Waits for a time on the clock of the test, and reports no progress.
struct Waiting: AppIntent {
    static let title: LocalizedStringResource = "Wait"
    @Parameter(title: "Seconds") var seconds: Int
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await clock.sleep(for: .seconds(seconds))
        return .result(value: "waited")
    }
}

/// Notes what its cancellation handler receives.
struct CleaningUp: CancellableIntent {
    static let title: LocalizedStringResource = "Clean up"
    @Parameter(title: "Seconds that the clean-up takes") var cleanup: Int
    @Dependency var clock: any Clock<Duration>
    @Dependency var notes: Notes

    func perform() async throws -> some IntentResult {
        try await withIntentCancellationHandler {
            try await Task.sleep(for: .seconds(86_400))
            return .result()
        } onCancel: { [notes, clock, cleanup] reason in
            notes.add("\(reason), \(reason.graceRemaining ?? .zero) left")
            Task {
                try? await clock.sleep(for: .seconds(cleanup))
                notes.add("cleaned, \(reason.graceRemaining ?? .zero) left")
            }
        }
    }
}

final class Notes: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
