import IntentCommands

/// A line of a program's output that reports progress (`ProgressPattern=`).
package struct ProgressLine: Equatable, Sendable {
    package var progress: ProgramProgress?
    /// The status text: the group `status`.
    package var status: String?

    /// The maximum length of a line to match, in bytes. Longer lines are ordinary output.
    package static let byteLimit = 4096

    /// Returns nil if the expression matches no part of the line, or if the match contains neither valid progress nor a
    /// status.
    package init?(_ line: String, _ expression: Regex<AnyRegexOutput>) {
        guard line.utf8.count <= Self.byteLimit, let match = try? expression.firstMatch(in: line) else { return nil }
        func group(_ name: String) -> Substring? { match.output.first { $0.name == name }?.substring }
        if let percent = group("percent") {
            progress = ProgramProgress(percent: percent)
        } else if let done = group("done"), let total = group("total") {
            progress = ProgramProgress(completed: done, total: total)
        }
        status = group("status").map(String.init)
        if progress == nil, status == nil { return nil }
    }
}
