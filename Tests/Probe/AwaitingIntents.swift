import AppIntents
import Glibc

/// Waits until somebody has put a file of this name into the run's directory.
func appearance(of name: String) async throws {
    // So that the one who brings it knows where.
    close(open("\(name).awaited", O_CREAT | O_WRONLY, 0o600))
    while access(name, F_OK) != 0 { try await Task.sleep(for: .milliseconds(20)) }
}

/// Ends when it is told to, however fast the machine is.
struct AwaitFile: AppIntent {
    static let title: LocalizedStringResource = "Wait for a file"

    @Parameter(title: "File", default: "go") var file: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await appearance(of: file)
        return .result(value: "waited")
    }
}

/// The same, and advances meanwhile.
struct TickUntilFile: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Advance every 100 ms until a file is there"

    @Parameter(title: "File", default: "go") var file: String

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = 100_000
        let ticking = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                progress.completedUnitCount += 1
            }
        }
        defer { ticking.cancel() }
        try await appearance(of: file)
        return .result()
    }
}

/// Advances by one for each of the files `1`, `2` and so on.
struct StepByFile: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Advance when told to"

    @Parameter(title: "Steps") var count: Int

    func perform() async throws -> some IntentResult {
        progress.totalUnitCount = Int64(count)
        for step in 1...count {
            try await appearance(of: "\(step)")
            progress.completedUnitCount = Int64(step)
        }
        return .result()
    }
}
