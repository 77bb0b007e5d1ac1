/// Formats recorded runs as a table.
package enum HistoryText {
    /// - Parameters:
    ///   - isTree: True to list the steps of shortcuts below the shortcuts' runs.
    ///   - values: The values of steps as text, by run.
    package static func of(
        _ runs: [RecordedRun],
        now: Timestamp,
        showsOwner: Bool,
        isTree: Bool = false,
        values: [RunID: String] = [:]
    ) -> String {
        var header = ["RUN", "INTENT", "OUTCOME", "STARTED", "TOOK", "CPU", "MEMORY"]
        if showsOwner { header.insert("USER", at: 2) }
        let showsCause = runs.contains { $0.denial != nil }
        if showsCause { header.append("CAUSE") }
        let lines = isTree ? RunTree(runs).lines : runs.map { (run: $0, label: "") }
        let rows = lines.map { run, label in
            var row = [
                run.run.text, "\(label)\(run.app)/\(run.intent)\(values[run.run] ?? "")", outcome(of: run),
                Moment.relative(run.accepted, now: now),
                runtime(of: run).map(TimeSpan.format) ?? "-", (run.usage?.processorTime).map(TimeSpan.format) ?? "-",
                (run.usage?.peakMemoryByteCount).map(ByteCountText.of) ?? "-",
            ]
            if showsOwner { row.insert(owner(of: run), at: 2) }
            if showsCause { row.append(run.denial?.explanation ?? "") }
            return row
        }
        return TextTable.render(header, rows)
    }

    /// Returns the name of the owner's account at the time when the run was accepted. The uid may have been assigned to
    /// another account since then.
    package static func owner(of run: RecordedRun) -> String { run.userName ?? Users.name(run.user) }

    /// Returns the name of a user who has answered or cancelled a run. The owner of the run has the recorded name, because
    /// the caller of a realm has the uid of a service.
    package static func name(of user: UInt32, in run: RecordedRun) -> String {
        user == run.user ? owner(of: run) : Users.name(user)
    }

    /// Returns the duration of a run, or nil if it is unknown. The duration of a lost run can be unknown.
    package static func runtime(of run: RecordedRun) -> Duration? {
        run.outcome == "lost" && run.runtime == .zero ? nil : run.runtime
    }

    /// Returns the outcome or the state: `done`, `cancelled: timeout`, `running`.
    package static func outcome(of run: RecordedRun) -> String {
        guard let outcome = run.outcome else { return run.state?.rawValue ?? "unknown" }
        return outcome + (run.reason.map { ": \($0.name)" } ?? "")
    }
}

/// Formats sizes in units that are powers of 1024.
package enum ByteCountText {
    package static func of(_ count: Int64) -> String {
        let units: [(Int64, String)] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        for (size, name) in units where count >= size {
            let tenths = count / (size / 10)
            return tenths >= 100 ? "\(count / size) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(count) B"
    }
}
