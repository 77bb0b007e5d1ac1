import IntentLauncherMessages

/// The statements that look up recorded runs.
final class KnownRuns {
    private let byName: Statement
    private let byNameForAll: Statement
    private let byRequest: Statement
    private let byKey: Statement
    private let byUndo: Statement
    private let bySteps: Statement
    private let row: Statement
    private let end: Statement
    private let signals: Statement
    private let database: Database

    init(_ database: Database) throws(DatabaseError) {
        self.database = database
        // Select by owner as well, so that neither the answer nor its timing distinguishes another user's run from a
        // run that does not exist.
        byName = try database.prepare(
            "SELECT number FROM runs WHERE run = ?1 AND uid = ?2 AND account = ?3 AND (?4 IS NULL OR agent = ?4)"
        )
        byNameForAll = try database.prepare("SELECT number FROM runs WHERE run = ?1")
        byRequest = try database.prepare("SELECT number FROM runs WHERE uid = ? AND account = ? AND request = ?")
        byKey = try database.prepare(
            """
            SELECT number, parameters, file_count, run FROM runs
            WHERE uid = ? AND account = ? AND app = ? AND intent = ? AND key = ? AND key IS NOT NULL
            """
        )
        byUndo = try database.prepare(
            """
            SELECT number, key FROM runs
            WHERE uid = ? AND account = ? AND app = ? AND key >= ? AND key < ? ORDER BY number DESC
            """
        )
        bySteps = try database.prepare(
            """
            SELECT number, key FROM runs
            WHERE key >= 'shortcut:' AND key < 'shortcut;' AND key >= ?1 AND key < ?2 AND uid = ?3 AND account = ?4
            ORDER BY number
            """
        )
        row = try database.prepare("SELECT run, app, intent, uid, account, agent FROM runs WHERE number = ?")
        end = try database.prepare(
            """
            SELECT e.outcome, e.runtime_ms, e.grade, e.serial, d.exit_code, d.exit_signal, d.leftovers, d.late_result,
                e.details
            FROM ends e LEFT JOIN departures d USING (number) WHERE e.number = ?
            """
        )
        signals = try database.prepare("SELECT word FROM changes WHERE number = ? AND kind = 'signal' ORDER BY serial")
    }

    func has(_ run: RunID, of requester: Requester) throws(DatabaseError) -> Bool {
        try byName.start([.text(run.text)] + requester.columns)
        defer { byName.end() }
        return try byName.step()
    }

    /// Returns a run that the viewer may see, or nil if the run does not exist or the viewer may not see it.
    func run(_ run: RunID, of viewer: Viewer) throws(DatabaseError) -> KnownRun? {
        let byName = viewer.seesAll ? byNameForAll : byName
        try byName.start([.text(run.text)] + (viewer.seesAll ? [] : viewer.requester.columns))
        defer { byName.end() }
        guard try byName.step(), let number = byName.integer(0) else { return nil }
        return try knownRun(number)
    }

    /// Returns the reason why a run conflicts with the recorded runs.
    ///
    /// A user and their agents share request keys, but an agent cannot access runs that the user or another agent
    /// requested. The reason therefore contains a recorded run only if the requester may access it.
    func conflict(with run: AcceptedRun) throws(DatabaseError) -> RecordRejection.Cause {
        let caller = run.caller.caller.columns
        try byRequest.start(caller + [.text(run.request.text)])
        defer { byRequest.end() }
        if try byRequest.step(), let number = byRequest.integer(0), let known = try knownRun(number) {
            return run.caller.requester.owns(runOf: known.requester) ? .known(known) : .keyUnavailable
        }
        if let key = run.key {
            try byKey.start(caller + [.text(run.app.text), .text(run.intent), .text(key)])
            defer { byKey.end() }
            if try byKey.step(), let number = byKey.integer(0), let known = try knownRun(number) {
                guard run.caller.requester.owns(runOf: known.requester) else { return .keyUnavailable }
                let before = byKey.decoded([String: IntentValue].self, 1) ?? [:]
                var differences = Self.differences(between: before, and: run.values.byName, besides: run.secretNames)
                if let count = byKey.integer(2), count != Int64(run.fileCount) {
                    differences.append("the number of files was \(count) and is now \(run.fileCount)")
                }
                return differences.isEmpty ? .known(known) : .keyTaken(by: known.run, differences: differences)
            }
        }
        // Neither the request nor the key is known, so the run's random identifier must already belong to another run.
        return .unavailable(.failed(path: database.path, message: "the run's identifier is already in use; try again"))
    }

    /// Returns the newest attempt to undo a run.
    func lastUndo(of run: KnownRun) throws(DatabaseError) -> UndoAttempt? {
        let keys = UndoKey.range(of: run.run)
        try byUndo.start(run.requester.user.columns + [.text(run.app), .text(keys.lowerBound), .text(keys.upperBound)])
        defer { byUndo.end() }
        while try byUndo.step() {
            // Skip keys that a caller has chosen and that only look like an undo key.
            guard let key = byUndo.text(1).flatMap(UndoKey.init), key.run == run.run,
                let number = byUndo.integer(0), let attempt = try knownRun(number)
            else { continue }
            return UndoAttempt(key: key, run: attempt.run, end: attempt.end)
        }
        return nil
    }

    /// Returns the runs of a shortcut's steps, each followed by the newest attempt to undo it.
    func steps(of run: RunID, _ user: Caller) throws(DatabaseError) -> [RecordedStep] {
        let keys = StepKey.range(of: run)
        var numbers: [(number: Int64, key: String)] = []
        try bySteps.start([.text(keys.lowerBound), .text(keys.upperBound)] + user.columns)
        while try bySteps.step() {
            guard let number = bySteps.integer(0), let key = bySteps.text(1), StepKey(key) != nil else { continue }
            numbers.append((number, key))
        }
        bySteps.end()
        var steps: [RecordedStep] = []
        for (number, key) in numbers {
            guard let known = try knownRun(number) else { continue }
            steps.append(RecordedStep(key: key, run: known))
            guard let undo = try lastUndo(of: known) else { continue }
            let undoing = KnownRun(
                run: undo.run,
                app: known.app,
                intent: "",
                requester: known.requester,
                end: undo.end,
                lastSerial: 0
            )
            steps.append(RecordedStep(key: undo.key.text, run: undoing))
        }
        return steps
    }

    // MARK: Private

    func knownRun(_ number: Int64) throws(DatabaseError) -> KnownRun? {
        try row.start([.integer(number)])
        defer { row.end() }
        guard try row.step(), let run = row.text(0).flatMap(RunID.init) else { return nil }
        var known = KnownRun(
            run: run,
            app: row.text(1) ?? "",
            intent: row.text(2) ?? "",
            requester: row.owner(from: 3),
            end: nil,
            lastSerial: 0
        )
        try end.start([.integer(number)])
        defer { end.end() }
        guard try end.step(), let outcome = end.decoded(RunOutcome.self, 0) else { return known }
        var account = RunAccount(runtime: .milliseconds(end.integer(1) ?? 0))
        account.isolation = end.text(2).flatMap(IsolationGrade.init)
        account.processEnd = ProcessEnd(exitCode: end.integer(4), exitSignal: end.integer(5))
        account.leftoverProcessCount = Int(end.integer(6) ?? 0)
        account.hadLateResult = end.integer(7) == 1
        account.details = end.decoded(RunDetails.self, 8)
        if let donations = account.details?.donations {
            let remaining = try Withdrawals.remaining(of: donations, number, in: database)
            account.details?.donations = remaining.isEmpty ? nil : remaining
        }
        known.lastSerial = UInt64(clamping: end.integer(3) ?? 0)
        try signals.start([.integer(number)])
        defer { signals.end() }
        while try signals.step() { account.signals.append(signals.text(0) ?? "") }
        known.end = RunEnd(run: run, outcome: outcome, account: account)
        return known
    }

    /// Describes the parameters that have different values in a recorded request and a new request.
    static func differences(
        between before: [String: IntentValue],
        and now: [String: IntentValue],
        besides secretNames: [String]
    ) -> [String] {
        let names = Set(before.keys).union(now.keys).subtracting(secretNames)
        return names.sorted().compactMap { name in
            // Compare decoded values, because encoding changes some values: 2.0 is encoded as 2.
            let now = now[name].map { value in
                (try? WireCoding.decode([String: IntentValue].self, from: WireCoding.encode(["": value])))?[""] ?? value
            }
            guard before[name] != now else { return nil }
            return "\(name) was \(phrase(before[name])) and is now \(phrase(now))"
        }
    }

    private static func phrase(_ value: IntentValue?) -> String {
        guard let value else { return "not given" }
        let text = String(foreign: WireCoding.encode(["": value]).dropFirst(4).dropLast(1))
        return text.scalarCount > 80 ? "\(text.prefix(scalars: 79))…" : text
    }
}

extension ProcessEnd {
    init?(exitCode: Int64?, exitSignal: Int64?) {
        if let exitCode {
            self = .exited(code: Int32(truncatingIfNeeded: exitCode))
        } else if let exitSignal {
            self = .signaled(signal: Int32(truncatingIfNeeded: exitSignal))
        } else {
            return nil
        }
    }
}
