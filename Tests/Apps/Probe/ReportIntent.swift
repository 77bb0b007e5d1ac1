import AppIntents
import Foundation

/// Receives every value that `[Notify]` sends, with the most specific type of each. Fails if the message requests it.
struct Report: AppIntent {
    static var title: LocalizedStringResource = "Report the end of a run"

    @Parameter(title: "Event") var event: String
    @Parameter(title: "App") var app: String
    @Parameter(title: "Intent") var intent: String
    @Parameter(title: "Run") var run: String
    @Parameter(title: "User") var user: String
    @Parameter(title: "Outcome") var outcome: String
    @Parameter(title: "Message") var message: String
    @Parameter(title: "Started") var started: Date
    @Parameter(title: "Duration") var duration: Double
    @Parameter(title: "Count") var count: Int
    @Parameter(title: "Host") var host: String

    func perform() async throws -> some IntentResult {
        if message == "fail the report, too" { throw CustomFailure(message: message) }
        return .result()
    }
}
