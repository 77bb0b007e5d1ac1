package import IntentProtocol

/// The call of a tool that a run makes.
package struct ToolCall: Equatable, Sendable {
    /// The name of the intent.
    package var intent: String
    /// The version of the tool in the catalogue, which was approved; nil if it is unknown.
    package var version: String?
    package var values: [String: IntentValue]
    /// The W3C Trace Context of the run.
    package var traceparent: String?

    package init(intent: String, version: String?, values: [String: IntentValue], traceparent: String? = nil) {
        self.intent = intent
        self.version = version
        self.values = values
        self.traceparent = traceparent
    }
}

/// The reason why a call has no result.
package struct ToolFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        /// The server violates the protocol, or has ended.
        case server
        /// The server refuses the call.
        case call
        /// The tool is not the one that the catalogue describes.
        case changed
        /// The values do not match the tool's schema.
        case values
        /// The tool has failed (`isError`).
        case failed

        /// The code in the details of the run.
        package var name: String {
            switch self {
            case .server: "tool.server"
            case .call: "tool.refused"
            case .changed: RunDetails.changedDeclaration
            case .values: "tool.values"
            case .failed: "tool.failed"
            }
        }
    }

    package var code: Code
    package var message: String
}

/// The progress that a server reports (`notifications/progress`).
package struct ServerProgress: Equatable, Sendable {
    package var completed: Double
    package var total: Double?
    package var message: String?

    private static let messageLimit = 400

    init(_ completed: Double, of total: Double?, _ message: String?) {
        self.completed = completed
        self.total = total
        self.message = message.map { String($0.prefix(utf8: Self.messageLimit)) }
    }

    /// The report for `intentd`, which counts whole units. With a total, progress is counted in hundredths of a percent.
    package var report: ProgressReport {
        if let total, total > 0, completed >= 0 {
            let fraction = min(completed / total, 1)
            return ProgressReport(
                completedUnitCount: Int64((fraction * 10_000).rounded()),
                totalUnitCount: 10_000,
                fraction: fraction,
                title: message
            )
        }
        let count = completed.isFinite ? Int64(max(0, min(completed, 1e15))) : 0
        return ProgressReport(completedUnitCount: count, totalUnitCount: 0, fraction: 0, title: message)
    }
}

/// Writes paths as `file:` URIs (RFC 8089).
enum FileURI {
    static func of(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("file://".utf8)
        for byte in path.utf8 {
            if CommandParameter.isLetterOrDigit(byte) || "/-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(foreign: bytes)
    }
}
