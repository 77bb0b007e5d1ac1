import AppIntents
import Foundation

/// Sends a notification. The parameters have the names of the values that `[Notify]` passes.
struct SendIntent: AppIntent {
    static let title: LocalizedStringResource = "Send a notification by email"
    static let description = IntentDescription("Sends an email to MAIL_TO through the mail server of this host.")

    @Parameter(title: "Event", description: "failure, recovery or success.") var event: String
    @Parameter(title: "App") var app: String
    @Parameter(title: "Intent") var intent: String
    @Parameter(title: "Run") var run: String?
    @Parameter(title: "User") var user: String?
    @Parameter(title: "Outcome") var outcome: String?
    @Parameter(title: "Message") var message: String?
    @Parameter(title: "Started") var started: String?
    @Parameter(title: "Duration", description: "Seconds.") var duration: String?
    @Parameter(title: "Count", description: "Failures in a row.") var count: Int?
    @Parameter(title: "Host") var host: String?

    func perform() async throws -> some IntentResult {
        let settings = ProcessInfo.processInfo.environment
        let mail = Mail(
            from: settings["MAIL_FROM"] ?? "intentd@localhost",
            to: settings["MAIL_TO"] ?? "root@localhost",
            subject: "\(app)/\(intent): \(event)" + (host.map { " on \($0)" } ?? ""),
            lines: lines
        )
        var server = try MailServer(port: settings["SMTP_PORT"].flatMap { UInt16($0) } ?? 25)
        try server.deliver(mail)
        return .result()
    }

    private var lines: [String] {
        let rows: [(String, String?)] = [
            ("intent", "\(app)/\(intent)"), ("event", event), ("outcome", outcome), ("message", message),
            ("failures in a row", count.map { "\($0)" }), ("run", run), ("user", user), ("started", started),
            ("seconds", duration), ("host", host),
        ]
        return rows.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : "\(name): \($0)" } }
            + (run.map { ["", "intentctl why \($0)"] } ?? [])
    }
}
