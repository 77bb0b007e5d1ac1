import AppIntents
import Glibc

/// Waits until a file with this name appears in the run folder.
func appearance(of name: String) async throws {
    // Shows the test where to create the file.
    close(open("\(name).awaited", O_CREAT | O_WRONLY, 0o600))
    while access(name, F_OK) != 0 { try await Task.sleep(for: .milliseconds(20)) }
}

/// Ends when the test creates a file, so that its duration does not depend on the host's speed.
struct AwaitFile: AppIntent {
    static let title: LocalizedStringResource = "Wait for a file"

    @Parameter(title: "File", default: "go") var file: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await appearance(of: file)
        return .result(value: "waited")
    }
}

/// Advances until the test creates a file.
struct TickUntilFile: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Advance every 100 ms until a file appears"

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

/// Advances by one for each of the files `1`, `2` and so on that the test creates.
struct StepByFile: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Advance by one for each file"

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
