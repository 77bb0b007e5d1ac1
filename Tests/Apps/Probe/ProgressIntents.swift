import AppIntents

struct Slow: AppIntent {
    static var title: LocalizedStringResource = "Wait, and say nothing"

    @Parameter(title: "Seconds", default: 60) var seconds: Double

    func perform() async throws -> some IntentResult {
        try await Task.sleep(for: .seconds(seconds))
        return .result()
    }
}

struct Ticking: ProgressReportingIntent {
    static var title: LocalizedStringResource = "Advance every 100 ms"

    @Parameter(title: "Seconds", default: 60) var seconds: Double

    func perform() async throws -> some IntentResult {
        let ticks = Int64(seconds * 10)
        progress.totalUnitCount = ticks
        progress.localizedDescription = "Ticking"
        for _ in 0..<ticks {
            try await Task.sleep(for: .milliseconds(100))
            progress.completedUnitCount += 1
        }
        return .result()
    }
}

struct Background: LongRunningIntent, CancellableIntent {
    static var title: LocalizedStringResource = "Advance every 100 ms as a background task"

    @Parameter(title: "Seconds", default: 60) var seconds: Double

    func perform() async throws -> some IntentResult {
        try await performBackgroundTask {
            let ticks = Int64(seconds * 10)
            progress.totalUnitCount = ticks
            for _ in 0..<ticks {
                try await Task.sleep(for: .milliseconds(100))
                progress.completedUnitCount += 1
            }
            return .result()
        } onCancel: { reason in
            print("background task cancelled: \(reason)")
        }
    }
}

struct Stuck: ProgressReportingIntent {
    static var title: LocalizedStringResource = "Report messages without advancing"

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = 100
        progress.completedUnitCount = 5
        for attempt in 1... {
            progress.localizedAdditionalDescription = "attempt \(attempt)"
            try await Task.sleep(for: .milliseconds(100))
        }
        return .result()
    }
}

struct Burst: ProgressReportingIntent {
    static var title: LocalizedStringResource = "Many changes at once"

    init() {
        progress.totalUnitCount = 1000
    }

    func perform() async throws -> some IntentResult {
        for count in 1...1000 { progress.completedUnitCount = Int64(count) }
        return .result()
    }
}

struct Children: ProgressReportingIntent {
    static var title: LocalizedStringResource = "Advance only a child's progress"

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = 100
        let child = Progress(totalUnitCount: 10)
        progress.addChild(child, withPendingUnitCount: 80)
        for _ in 0..<10 {
            try await Task.sleep(for: .milliseconds(100))
            child.completedUnitCount += 1
        }
        try await Task.sleep(for: .milliseconds(300))
        return .result()
    }
}

struct FromElsewhere: ProgressReportingIntent {
    static var title: LocalizedStringResource = "Report invalid progress from a detached task"

    func perform() async throws -> some IntentResult {
        await Task.detached {
            progress.totalUnitCount = 4; progress.completedUnitCount = 9
        }.value
        updateProgress(fractionCompleted: .nan, message: "nonsense")
        updateProgress(fractionCompleted: 0.25, message: "a quarter")
        return .result()
    }
}
