internal import IntentLauncherMessages

extension IntentEnd: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The end as text, such as `cancelled (timeout): made no progress (Runtime=), after 30.0 seconds at 3 of 50
    /// units`. After a limit of time, further lines name the app's functions in which threads are, with file and line, and
    /// after a crash those in which it happened.
    public var description: String {
        guard let facts else { return summary }
        var text = summary
        if let clock = facts.expiredClock { text += ": \(clock.phrase)" }
        if facts.isKilled { text += ", killed because it exceeded its grace period" }
        if case .done = outcome { return text }
        text += ", after \(facts.duration)"
        if let progress = facts.progress { text += " at \(IntentTestProgress(progress))" }
        return text + (facts.places?.text ?? "")
    }

    /// The end as text; see ``description``.
    public var debugDescription: String { description }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Removes the period at the end of a message, because the description continues.
    private static func withoutPeriod(_ message: String) -> Substring {
        message.hasSuffix(utf8: ".") ? message.dropLast(scalars: 1) : Substring(message)
    }

    private var summary: String {
        switch outcome {
        case .done(let value, let dialog):
            "done" + (value.map { ": \(WireValues.text(of: $0))" } ?? "") + (dialog.map { ", saying \"\($0)\"" } ?? "")
        case .failed(let message): "failed: \(Self.withoutPeriod(message))"
        case .unanswered(let parameter, let question):
            "unanswered: \"\(question)\"" + (parameter.map { " (parameter '\($0)')" } ?? "")
        case .cancelled(let reason): "cancelled (\(reason.name))"
        case .violated(let message): "stopped because \(message)"
        case .crashed: "crashed"
        case .exceeded(let limit): "stopped because \(limit.message)"
        case .notStarted(let message), .busy(let message), .lost(let message), .hostLost(let message): message
        case .unknown(let kind, let message): "\(kind): \(message)"
        }
    }
}
