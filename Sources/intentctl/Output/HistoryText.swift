package import IntentClient

/// Runs on record as rows for people.
package enum HistoryText {
    package static func of(_ runs: [RecordedRun], now: Int64, showsOwner: Bool) -> String {
        var header = ["RUN", "INTENT", "OUTCOME", "STARTED", "TOOK", "CPU", "MEMORY"]
        if showsOwner { header.insert("USER", at: 2) }
        let rows = runs.map { run in
            var row = [
                run.run, "\(run.app)/\(run.intent)", outcome(of: run),
                Moment.relative(run.acceptedMilliseconds, now: now),
                run.runtime.map(TimeSpan.format) ?? "-", run.processorTime.map(TimeSpan.format) ?? "-",
                run.peakMemoryByteCount.map(ByteText.of) ?? "-",
            ]
            if showsOwner { row.insert(owner(of: run), at: 2) }
            return row
        }
        return TextTable.render(header, rows)
    }

    /// The name that the owner had when the run was accepted: its uid may be another account's by now.
    package static func owner(of run: RecordedRun) -> String { run.userName ?? Users.name(run.user) }

    /// `done`, `cancelled: timeout`, `running`.
    package static func outcome(of run: RecordedRun) -> String {
        guard let outcome = run.outcome else { return run.phase?.rawValue ?? "unknown" }
        return outcome + (run.reason.map { ": \($0.name)" } ?? "")
    }

    package static func document(_ run: RecordedRun) -> JSONValue {
        .members([
            "number": .int(run.number),
            "run": .string(run.run),
            "app": .string(run.app),
            "intent": .string(run.intent),
            "user": .int(Int64(run.user)),
            "userName": run.userName.map(JSONValue.string),
            "door": .string(run.door),
            "state": .string(run.phase?.rawValue ?? "ended"),
            "outcome": run.outcome.map(JSONValue.string),
            "reason": run.reason.map { .string($0.name) },
            "message": run.message.map(JSONValue.string),
            "acceptedMilliseconds": .int(run.acceptedMilliseconds),
            "endedMilliseconds": run.endedMilliseconds.map(JSONValue.int),
            "queuedMilliseconds": run.queued.map(JSONValue.milliseconds),
            "runtimeMilliseconds": run.runtime.map(JSONValue.milliseconds),
            "processEnd": run.processEnd.map(RunDocument.document),
            "processorMilliseconds": run.processorTime.map(JSONValue.milliseconds),
            "peakMemoryBytes": run.peakMemoryByteCount.map(JSONValue.int),
            "isolation": (run.isolation?.rawValue).map(JSONValue.string),
        ])
    }
}

/// Sizes for people, base 1024.
package enum ByteText {
    package static func of(_ count: Int64) -> String {
        let units: [(Int64, String)] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        for (size, name) in units where count >= size {
            let tenths = count / (size / 10)
            return tenths >= 100 ? "\(count / size) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(count) B"
    }
}
