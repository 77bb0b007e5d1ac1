import IntentClient

/// `intentctl history`
struct HistoryCommand {
    private let invocation: Invocation
    /// The number of runs to list when neither a number nor a time is given.
    private static let usualCount = 100

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        if invocation.has("prune") { return try await prune() }
        var query = try HistoryOptions.query(invocation, now: Moment.now)
        let connection = try await invocation.connect()
        if invocation["export"] != nil { return try await export(query, over: connection) }
        if query.count == nil, query.since == nil { query.count = Self.usualCount }
        let runs = try await connection.history(query)
        if invocation.wantsJSON {
            let document = JSONValue.object(["runs": .array(runs.map { RunDocument.of($0) })])
            try Console.output(document.prettyText())
        } else {
            let text = HistoryText.of(runs, now: Moment.now, showsOwner: query.user != nil || query.everybody == true)
            try Pager.output(text, for: invocation)
        }
        return .done
    }

    /// Prints one line of JSON for each run, with everything that is recorded about it, newest first.
    private func export(_ query: HistoryQuery, over connection: IntentConnection) async throws -> ExitCode {
        var rest = query
        var written = 0
        while true {
            let page = try await connection.historyPage(rest)
            for run in page.runs {
                do {
                    try Console.output(RunDocument.of(try await connection.story(of: run.run)).text())
                } catch let error as IntentClientError where error.code == .unknownRun {
                    // The run was pruned after it was listed.
                    continue
                }
            }
            written += page.runs.count
            if let count = query.count {
                guard written < count else { return .done }
                rest.count = count - written
            }
            guard let next = page.next else { return .done }
            rest.before = next
        }
    }

    private func prune() async throws -> ExitCode {
        let keep = try HistoryOptions.span("keep", invocation)
        let count = try HistoryOptions.count(invocation)
        let removed = try await invocation.connect().prune(keep: keep, count: count.map(Int64.init))
        if invocation.wantsJSON {
            try Console.output(JSONValue.object(["removed": .int(Int64(removed))]).prettyText())
        } else {
            try Console.output("removed \(removed) \(removed == 1 ? "run" : "runs")")
        }
        return .done
    }
}

/// The checked options of `history`.
package enum HistoryOptions {
    /// The owners of the runs to show.
    enum Owner: Equatable {
        case user(UInt32)
        case everybody
    }

    static func query(_ invocation: Invocation, now: Timestamp) throws(CommandFailure) -> HistoryQuery {
        var query = HistoryQuery()
        query.since = try moment("since", invocation, now)
        query.until = try moment("until", invocation, now)
        if let name = invocation["app"] {
            let selection = Selection(name)
            query.app = selection.app
            query.intent = selection.intent
        }
        query.state = try state(invocation)
        query.count = try count(invocation)
        switch try owner(invocation) {
        case .user(let user)?: query.user = user
        case .everybody?: query.everybody = true
        case nil: break
        }
        return query
    }

    /// `--user=NAME` or `--by NAME`; nil when neither is given.
    static func owner(_ invocation: Invocation) throws(CommandFailure) -> Owner? {
        switch invocation["by"] {
        case nil: return nil
        case "all"?: return .everybody
        case let name?:
            guard let number = Users.number(name) else {
                throw .usage(
                    "--user=: unknown user '\(name)'",
                    hint: "'all' selects the runs of every user."
                )
            }
            return .user(number)
        }
    }

    package static func count(_ invocation: Invocation) throws(CommandFailure) -> Int? {
        guard let text = invocation["lines"] else { return nil }
        guard let count = Int(text), count >= 0 else {
            throw .usage("-n: expected a whole number, got '\(text)'", hint: "for example: -n 20")
        }
        return count
    }

    static func span(_ option: String, _ invocation: Invocation) throws(CommandFailure) -> Duration? {
        guard let text = invocation[option] else { return nil }
        guard let span = TimeSpan.parseFinite(text) else {
            throw .usage(
                "--\(option): expected a time span, got '\(text)'",
                hint: "for example: --\(option) 7d, --\(option) 12h"
            )
        }
        return span
    }

    /// Every state and outcome, and the words that stand for several of them.
    package static let states =
        [
            "live", "ended", "queued", "starting", "running", "asking", "stopping", "done", "failed", "unanswered",
            "cancelled", "crashed", "exceeded", "violated", "notStarted", "busy", "lost",
        ]

    private static func state(_ invocation: Invocation) throws(CommandFailure) -> String? {
        guard let state = invocation["state"] else { return nil }
        guard states.contains(state) else {
            let near = NearestName.of(state, among: states).map { "did you mean '\($0)'? " } ?? ""
            throw .usage("unknown state '\(state)'", hint: near + "expected one of \(states.joined(separator: ", ")).")
        }
        return state
    }

    private static func moment(
        _ option: String,
        _ invocation: Invocation,
        _ now: Timestamp
    ) throws(CommandFailure) -> Timestamp? {
        guard let text = invocation[option] else { return nil }
        guard let moment = Moment.parse(text, now: now) else {
            throw .usage(
                "--\(option): expected a point in time, got '\(text)'",
                hint: "for example: --\(option) -2h, --\(option) yesterday, --\(option) '2026-11-21 09:30'"
            )
        }
        return moment
    }
}
