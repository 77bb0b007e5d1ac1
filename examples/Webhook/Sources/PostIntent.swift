import AppIntents
import Foundation
import FoundationNetworking

/// Posts a notification. The parameters have the names of the values that `[Notify]` passes.
struct PostIntent: AppIntent {
    static let title: LocalizedStringResource = "Post a notification"
    static let description = IntentDescription("Posts JSON to the URL in the credential 'url'.")

    @Parameter(title: "Event", description: "failure, recovery or success.") var event: String
    @Parameter(title: "App") var app: String
    @Parameter(title: "Intent") var intent: String
    @Parameter(title: "Run") var run: String?
    @Parameter(title: "User") var user: String?
    @Parameter(title: "Outcome") var outcome: String?
    @Parameter(title: "Message") var message: String?
    @Parameter(title: "Started") var started: Date?
    @Parameter(title: "Duration", description: "Seconds.") var duration: Double?
    @Parameter(title: "Count", description: "Failures in a row.") var count: Int?
    @Parameter(title: "Host") var host: String?

    func perform() async throws -> some IntentResult {
        var request = URLRequest(url: try Self.url())
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        request.httpBody = try encoder.encode(
            Event(
                event: event,
                app: app,
                intent: intent,
                run: run,
                user: user,
                outcome: outcome,
                message: message,
                started: started,
                duration: duration,
                count: count,
                host: host,
                // Chat servers show this text.
                text: "\(app)/\(intent): \(event)" + (message.map { $0.isEmpty ? "" : ": \($0)" } ?? "")
            )
        )
        let (_, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw WebhookError(message: "the server returned status \(status)") }
        return .result()
    }

    private struct Event: Encodable {
        var event, app, intent: String
        var run, user, outcome, message: String?
        var started: Date?
        var duration: Double?
        var count: Int?
        var host: String?
        var text: String
    }

    /// Returns the URL from the credential. It is a secret, because everyone who has it can post.
    private static func url() throws -> URL {
        let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] ?? "."
        let text = try String(contentsOfFile: "\(folder)/url", encoding: .utf8)
        guard let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw WebhookError(message: "the credential 'url' is not a URL")
        }
        return url
    }
}

struct WebhookError: LocalizedError {
    var message: String
    var errorDescription: String? { message }
}
