import IntentCommandLine
import IntentProtocol

/// Creates the progress notifications for one request: at most ten per second, and at least one every ten seconds.
/// Their progress values strictly increase.
struct ProgressPace {
    private static let shortestPause = Duration.milliseconds(100)
    private static let firstPause = Duration.seconds(2)
    private static let longestPause = Duration.seconds(10)
    /// The increase of the progress value when a notification reports no new progress.
    private static let smallStep = 0.001

    private let token: JSONValue
    private var last: Double = 0
    private var lastTime: Duration
    private var waiting: ProgressReport?
    /// What the first notification says in addition; nil after it.
    private var announcement: String?

    init(token: JSONValue, at now: Duration) {
        self.token = token
        lastTime = now - Self.shortestPause
    }

    /// The time at which the next notification is due.
    var due: Duration {
        lastTime + (waiting != nil ? Self.shortestPause : announcement != nil ? Self.firstPause : Self.longestPause)
    }

    /// Tells the client, in the first notification, which run its call has started. Many clients give up after 5 s.
    mutating func announce(_ run: RunID) {
        announcement = "run \(run); \(RunTool.result.rawValue) returns its result"
    }

    mutating func add(_ report: ProgressReport) { waiting = report }

    /// Returns the notification to send; nil before ``due``.
    mutating func notification(at now: Duration) -> JSONValue? {
        guard now >= due else { return nil }
        lastTime = now
        var params: [String: JSONValue] = ["progressToken": token]
        let reached: Double
        var parts: [String] = []
        if let report = waiting {
            waiting = nil
            let total = Double(report.totalUnitCount)
            // Use the fraction, which includes child progress. The number of completed units does not include it.
            reached = total > 0 ? report.fraction * total : Double(report.completedUnitCount)
            if total > 0 { params["total"] = Self.number(total) }
            parts = [report.title, report.detail].compactMap(\.self).filter { !$0.isEmpty }
        } else {
            reached = last
        }
        if !parts.isEmpty || announcement != nil {
            let line = parts.joined(separator: ": ")
            let sentences = [announcement, line.isEmpty ? nil : line].compactMap(\.self)
            params["message"] = .string(ToolTable.line(sentences.joined(separator: "; ")))
            announcement = nil
        }
        last = reached > last ? reached : last + Self.smallStep
        params["progress"] = Self.number(last)
        return ["jsonrpc": "2.0", "method": "notifications/progress", "params": .object(params)]
    }

    private static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map { .int($0) } ?? .double(value)
    }
}
