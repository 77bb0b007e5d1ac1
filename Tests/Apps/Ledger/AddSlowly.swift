import AppIntents

/// Adds lines, and removes them again if the run is cancelled.
struct AddSlowly: CancellableIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Add lines slowly"

    @Parameter(title: "Texts") var texts: [String]

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        progress.totalUnitCount = Int64(texts.count)
        var addedCount = 0
        do {
            return try await withIntentCancellationHandler {
                for text in texts {
                    try await LockedLines().add(text)
                    addedCount += 1
                    progress.completedUnitCount += 1
                    try await Task.sleep(for: .milliseconds(200))
                }
                return .result(value: addedCount)
            } onCancel: { reason in
                // On another thread, while the task is being cancelled.
                print("cancelled: \(reason)")
            }
        } catch {
            // The operation has ended and adds no more lines. A cancelled task cannot wait for the lock, so use a new
            // one.
            try await Task { [addedCount] in try await LockedLines().removeLast(addedCount) }.value
            throw error
        }
    }
}
