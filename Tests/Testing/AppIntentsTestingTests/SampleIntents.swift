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

/// Completes some units, and then waits for a day or until it is cancelled.
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

/// Sleeps for a number of seconds on the clock of the test, and reports no progress.
struct Waiting: AppIntent {
    static let title: LocalizedStringResource = "Wait"
    @Parameter(title: "Seconds") var seconds: Int
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await clock.sleep(for: .seconds(seconds))
        return .result(value: "waited")
    }
}

/// Records the reasons and grace periods that its cancellation handler receives.
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

/// Asks the kind of question that a test requests: for a value, a file, a choice or a confirmation.
struct Asking: AppIntent {
    static let title: LocalizedStringResource = "Ask"
    @Parameter(title: "What to ask") var kind: String
    @Parameter(title: "Count") var count: Int?
    @Parameter(title: "File") var file: IntentFile?

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        switch kind {
        case "value": return .result(value: "\(try await $count.requestValue("How many?"))")
        case "file":
            return .result(value: String(decoding: try await $file.requestValue("Which file?").data, as: UTF8.self))
        case "choice":
            let options = [IntentChoiceOption(title: "Tea"), IntentChoiceOption(title: "Coffee")]
            return .result(value: try await requestChoice(between: options, dialog: "What to drink?").title.key)
        case "large choice":
            let title = String(repeating: "x", count: 250)
            let options = (0..<200).map { IntentChoiceOption(title: "\($0)\(title)") }
            return .result(value: try await requestChoice(between: options, dialog: "What to drink?").title.key)
        default:
            try await requestConfirmation(dialog: "Go on?")
            return .result(value: "confirmed")
        }
    }
}

/// Returns a copy of its file with a line added. The dialog contains the access mode of the file.
struct AddingLine: AppIntent {
    static let title: LocalizedStringResource = "Add a line"
    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Level", default: 1, inclusiveRange: (1, 9)) var level: Int

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> & ProvidesDialog {
        let mode = try file.withFileDescriptor { fcntl($0, F_GETFL) & O_ACCMODE }
        let data = file.data + Data("level \(level)\n".utf8)
        return .result(
            value: IntentFile(data: data, filename: "longer.txt"),
            dialog: mode == O_RDONLY ? "read-only" : "writable"
        )
    }
}

/// Uses all facilities that are global in a worker process, and belong to one run in a test.
struct Shared: ProgressReportingIntent, UndoableIntent {
    static let title: LocalizedStringResource = "Use what was global"
    @Parameter(title: "Name") var name: String
    @Parameter(title: "Rounds") var rounds: Int
    @Dependency var notes: Notes
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        progress.totalUnitCount = Int64(rounds)
        for round in 1...rounds {
            try await clock.sleep(for: .seconds(1))
            progress.completedUnitCount = Int64(round)
            progress.localizedDescription = name
            notes.add(name)
            try await IntentState.withLock {
                let file = URL(fileURLWithPath: IntentState.directory ?? "").appending(path: "names")
                let old = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                try (old + name).write(to: file, atomically: true, encoding: .utf8)
            }
        }
        try await donate()
        await MainActor.run {
            undoManager?.registerUndo(performing: self)
            undoManager?.setActionName("Undo \(name)")
        }
        let file = URL(fileURLWithPath: IntentState.directory ?? "").appending(path: "names")
        return .result(value: [name, progress.localizedDescription, try String(contentsOf: file, encoding: .utf8)])
    }
}

/// Sleeps on the clock in a task outside the run's tree, and returns the instants between the sleeps.
struct Ticking: AppIntent {
    static let title: LocalizedStringResource = "Tick"
    @Parameter(title: "Ticks") var ticks: Int
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        let times = try await Task { [clock, ticks] in
            var times: [String] = []
            let start = (clock as? any VirtualInstantSource)?.text ?? ""
            times.append(start)
            for _ in 0..<ticks {
                try await clock.sleep(for: .seconds(1))
                times.append((clock as? any VirtualInstantSource)?.text ?? "")
            }
            return times
        }.value
        return .result(value: times)
    }
}

/// A clock that can describe its current instant.
protocol VirtualInstantSource {
    var text: String { get }
}

/// Waits for a source that the clock does not control, for at most five seconds.
struct Fetching: AppIntent {
    static let title: LocalizedStringResource = "Fetch"
    @Dependency var clock: any Clock<Duration>
    @Dependency var source: Source

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let (source, clock) = (source, clock)
        let text = try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { await source.fetch() }
            group.addTask {
                try await clock.sleep(for: .seconds(5))
                return "too late"
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
        return .result(value: text)
    }
}

struct Source: Sendable {
    var fetch: @Sendable () async -> String
}

/// Works in steps of 29 s, optionally in a background task.
struct Lasting: LongRunningIntent {
    static let title: LocalizedStringResource = "Last"
    @Parameter(title: "In the background") var isInBackground: Bool
    @Parameter(title: "Steps") var steps: Int
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        if isInBackground { return try await performBackgroundTask { .result(value: try await work()) } }
        return .result(value: try await work())
    }

    private func work() async throws -> Int {
        for step in 1...steps {
            try await clock.sleep(for: .seconds(29))
            progress.completedUnitCount = Int64(step)
        }
        return steps
    }
}

/// Returns a value even if it is cancelled.
struct Ignoring: AppIntent {
    static let title: LocalizedStringResource = "Ignore"
    @Dependency var clock: any Clock<Duration>

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        do {
            try await clock.sleep(for: .seconds(3600))
        } catch {
            return .result(value: "too late")
        }
        return .result(value: "in time")
    }
}
