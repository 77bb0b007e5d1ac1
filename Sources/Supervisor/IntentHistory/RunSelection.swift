import IntentLauncherMessages

/// The runs that a history query selects, as SQL over the runs `r`, their ends `e` and their exits `d`.
struct RunSelection {
    /// The smallest index that contains every selected run.
    enum Candidates: Equatable {
        /// All runs, in the table itself.
        case all
        /// The runs of all accounts with this uid.
        case user(UInt32)
        /// The runs that ended with an outcome other than `done`.
        case unsuccessful
    }

    private(set) var candidates: Candidates
    private(set) var conditions: [String]
    private(set) var values: [Statement.Value] = []

    init(_ query: HistoryQuery, visibleTo viewer: Viewer) {
        candidates = .all
        // Queries for options are recorded, but they are not listed as runs.
        conditions = ["r.query IS NULL"]
        requireOwner(query, viewer)
        if let since = query.since { require("r.wall >= ?", .integer(Self.nanoseconds(since))) }
        if let until = query.until { require("r.wall < ?", .integer(Self.nanoseconds(until))) }
        if let app = query.app { require("r.app = ?", .text(app)) }
        if let intent = query.intent {
            require("(r.intent = ? OR r.intent = ? || 'Intent' OR r.intent || 'Intent' = ?)", .text(intent))
            values += [.text(intent), .text(intent)]
        }
        if query.isAnswered == true {
            conditions.append("EXISTS (SELECT 1 FROM changes c WHERE c.number = r.number AND c.kind = 'answer')")
        }
        if let shortcut = query.shortcut { requireSteps(of: shortcut) }
        requireState(query)
    }

    /// Selects the runs of a shortcut's steps, and the runs that undo them.
    private mutating func requireSteps(of shortcut: RunID) {
        let keys = StepKey.range(of: shortcut)
        conditions.append(
            """
            (r.key >= ? AND r.key < ? OR substr(r.key, 1, 15) IN (SELECT 'undo:' || s.run FROM runs s
                WHERE s.key >= 'shortcut:' AND s.key < 'shortcut;' AND s.key >= ? AND s.key < ?))
            """
        )
        values += [keys.lowerBound, keys.upperBound, keys.lowerBound, keys.upperBound].map { .text($0) }
    }

    /// The tables in the order in which SQLite reads them.
    var tables: String {
        switch candidates {
        case .all: "runs r LEFT JOIN ends e USING (number) \(RunReader.joinedExits)"
        case .user: "runs r INDEXED BY runs_by_user LEFT JOIN ends e USING (number) \(RunReader.joinedExits)"
        case .unsuccessful:
            "ends e INDEXED BY ends_unsuccessful CROSS JOIN runs r USING (number) \(RunReader.joinedExits)"
        }
    }

    /// The column with the run's number in the index of the candidates.
    var number: String { candidates == .unsuccessful ? "e.number" : "r.number" }

    /// Returns the hours in the `hours` table in which selected runs were accepted.
    static func hours(of query: HistoryQuery) -> ClosedRange<Int64>? {
        let first = query.since.map { nanoseconds($0) / Schema.nanosecondsPerHour } ?? .min
        let last = query.until.map { nanoseconds($0) / Schema.nanosecondsPerHour } ?? .max
        return first <= last ? first...last : nil
    }

    // MARK: Private

    private mutating func require(_ condition: String, _ value: Statement.Value) {
        conditions.append(condition)
        values.append(value)
    }

    /// Restricts the selection to runs that the viewer may see. Only operators may see other users' runs.
    private mutating func requireOwner(_ query: HistoryQuery, _ viewer: Viewer) {
        if viewer.seesAll, query.everybody == true { return }
        if viewer.seesAll, query.user != nil || query.account != nil {
            if let user = query.user {
                // Select the runs of all accounts that ever had this uid.
                candidates = .user(user)
                require("r.uid = ?", .number(user))
            }
            if let account = query.account { require("r.account = ?", .text(account)) }
            return
        }
        let requester = viewer.requester
        candidates = .user(requester.user.uid)
        require("r.uid = ?", .number(requester.user.uid))
        require("r.account = ?", .text(requester.user.account))
        if let agent = requester.agent { require("r.agent = ?", .number(agent)) }
    }

    private mutating func requireState(_ query: HistoryQuery) {
        var isUnsuccessful = false
        switch query.state {
        case "live": conditions.append("e.number IS NULL")
        case "ended": conditions.append("e.number IS NOT NULL")
        case let word? where RunState.allCases.contains(RunState(rawValue: word)):
            require("e.number IS NULL AND \(RunReader.state) = ?", .text(word))
        case let word?:
            isUnsuccessful = word != "done"
            require("e.kind = ?", .text(word))
        case nil: break
        }
        if query.isFailure == true {
            isUnsuccessful = true
            let reasons = RecordedRun.reasonsOfFailures.map { "'\($0.name)'" }.joined(separator: ", ")
            conditions.append("(e.kind <> '\(EndRow.cancelled.name)' OR e.reason IN (\(reasons)))")
        }
        guard isUnsuccessful else { return }
        candidates = .unsuccessful
        // SQLite uses the partial index only if the query contains the index's condition.
        conditions.append("e.kind <> 'done'")
    }

    private static func nanoseconds(_ moment: Timestamp) -> Int64 {
        let (product, overflow) = moment.millisecondsSince1970.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (moment.millisecondsSince1970 < 0 ? .min : .max) : product
    }
}
