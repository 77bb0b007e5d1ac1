import IntentLauncherMessages

/// The contents of a datagram to `$NOTIFY_SOCKET` (sd_notify(3)), without assignments that a run does not use, such as
/// `READY=1`.
package struct NotifyMessage: Equatable, Sendable {
    /// The progress: `X_PROGRESS=12/100` or `X_PROGRESS=12%`.
    package var progress: ProgramProgress?
    /// The status text for users: `STATUS=`.
    package var status: String?

    /// The maximum size of a datagram, in bytes.
    package static let byteLimit = 16 << 10

    package init(_ bytes: [UInt8]) {
        for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = String(foreign: line[line.index(after: equals)...])
            switch String(foreign: line[..<equals]) {
            case "STATUS": status = value
            // Ignore invalid progress, like an unknown assignment.
            case "X_PROGRESS": progress = ProgramProgress(value) ?? progress
            default: break
            }
        }
    }
}

/// The progress of a program.
package struct ProgramProgress: Equatable, Sendable {
    package var completed: Int64
    package var total: Int64

    package init(completed: Int64, total: Int64) {
        self.completed = completed
        self.total = total
    }

    /// Parses `12/100`, `12%` or `12.5%`. Returns nil for any other string.
    package init?(_ text: String) {
        let text = text.split(whereScalar: \.properties.isWhitespace).joined()
        if text.hasSuffix(utf8: "%") {
            self.init(percent: text.dropLast(scalars: 1))
            return
        }
        let numbers = text.split(scalar: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2 else { return nil }
        self.init(completed: numbers[0], total: numbers[1])
    }

    package init?(completed: some StringProtocol, total: some StringProtocol) {
        guard let completed = Int64(completed), let total = Int64(total), completed >= 0, total > 0 else { return nil }
        self.init(completed: min(completed, total), total: total)
    }

    package init?(percent: some StringProtocol) {
        // Use hundredths of a percent, because progress is counted in whole units.
        guard let percent = Double(percent), percent >= 0, percent <= 100 else { return nil }
        self.init(completed: Int64((percent * 100).rounded()), total: 10_000)
    }

    func report(title: String?) -> ProgressReport {
        ProgressReport(
            completedUnitCount: completed,
            totalUnitCount: total,
            fraction: Double(completed) / Double(total),
            title: title
        )
    }
}
