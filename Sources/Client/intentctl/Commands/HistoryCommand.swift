import IntentLinux

/// Implements `intentctl history`, which lists, exports, imports, retries or removes recorded runs.
struct HistoryCommand {
    let invocation: Invocation
    /// The number of runs to list if the command line specifies neither a number nor a time.
    private static let defaultCount = 100

    func perform() async throws -> ExitCode {
        if invocation.has("prune") { return try await prune() }
        if let path = invocation["import"] {
            return try await HistoryImport(path: path, invocation: invocation).perform()
        }
        var query = try HistoryOptions.query(invocation, now: Moment.now)
        let connection = try await invocation.connect()
        if let format = invocation["export"] { return try await export(query, as: format, over: connection) }
        if query.count == nil, query.since == nil { query.count = Self.defaultCount }
        var runs = try await connection.history(query)
        // An older intentd ignores this condition, so apply it here too.
        if query.isFailure == true { runs = runs.filter(\.isFailure) }
        if invocation.has("retry") { return try await retry(runs, over: connection) }
        let showsOwner = invocation["by"] != nil || runs.contains { $0.user != Users.own }
        let isTree = invocation.has("tree")
        let values = isTree ? try await StepTree.values(of: runs.filter { $0.step != nil }, over: connection) : [:]
        try Pager.output(
            json: .object(["runs": .array(runs.map { RunDocument.of($0) })]),
            text: HistoryText.of(
                runs,
                now: Moment.now,
                showsOwner: showsOwner,
                isTree: isTree,
                values: values
            ),
            for: invocation
        )
        return .done
    }

    /// Retries each run once, oldest first. Asks for confirmation first, unless `--yes` is set.
    private func retry(_ runs: [RecordedRun], over connection: IntentConnection) async throws -> ExitCode {
        guard !runs.isEmpty else {
            Console.note("no run to retry")
            return .done
        }
        if !invocation.has("yes") {
            guard QuestionPrompt.isPossible else {
                throw CommandFailure.usage(
                    """
                    --retry would start \(runs.count == 1 ? "1 run" : "\(runs.count) runs"), and confirmation needs a \
                    terminal
                    """,
                    hint: "list them without --retry, then add --yes"
                )
            }
            Console.note(HistoryText.of(runs, now: Moment.now, showsOwner: false))
            Console.draw("Retry \(runs.count == 1 ? "this run" : "these \(runs.count) runs")? [y/N] ")
            guard let answer = Console.line(), ["y", "yes"].contains(answer.lowercased()) else {
                Console.note("nothing was retried")
                return .done
            }
        }
        return try await Retries(wantsJSON: invocation.wantsJSON, startsOnce: true)
            .start(runs.reversed().map(\.run), over: connection)
    }

    /// Prints one line of JSON for each run, newest first, with the whole record of the run.
    private func export(_ query: HistoryQuery, as format: String, over connection: IntentConnection) async throws
        -> ExitCode
    {
        var rest = query
        var written = 0
        while true {
            let page = try await connection.historyPage(rest)
            for run in page.runs {
                do {
                    let story = try await connection.story(of: run.run)
                    try Console.output((format == "records" ? JSONValue(story) : RunDocument.of(story)).text())
                } catch let error as IntentClientError where error.code == .unknownRun {
                    // Skip the run, because history has pruned it since the query.
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
        let keep = try invocation.span("keep", examples: ["7d", "12h"])
        let count = try HistoryOptions.count(invocation)
        let removed = try await invocation.connect().prune(keep: keep, count: count.map(Int64.init))
        try invocation.output(
            json: .object(["removed": .int(Int64(removed))]),
            text: "removed \(removed) \(removed == 1 ? "run" : "runs")"
        )
        return .done
    }
}

/// The validated options of `history`.
package enum HistoryOptions {
    /// The owners of the runs to list.
    enum Owner: Equatable {
        case user(UInt32)
        /// A caller without an account: `NAME@REALM`.
        case name(String)
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
        if invocation.has("failed") {
            guard query.state == nil else {
                throw .usage("--failed and --state cannot be combined", hint: "remove one of them")
            }
            query.isFailure = true
        }
        try check("retry", needs: "failed", in: invocation)
        try check("yes", needs: "retry", in: invocation)
        query.count = try count(invocation)
        switch try owner(invocation) {
        case .user(let user)?: query.user = user
        case .name(let name)?: query.account = name
        // Do not check whether the caller is an operator. If not, the daemon returns only the caller's own runs.
        case .everybody?: query.everybody = true
        // Select the caller's own runs, because callers can retry only their own runs.
        case nil: if invocation.has("retry") { query.user = Users.own } else { query.everybody = true }
        }
        return query
    }

    private static func check(_ option: String, needs other: String, in invocation: Invocation) throws(CommandFailure) {
        if invocation.has(option), !invocation.has(other) {
            throw .usage("--\(option) needs --\(other)", hint: "for example: intentctl history --failed --retry")
        }
    }

    /// Returns the owner in `--user=NAME` or `--by NAME`, or nil without these options.
    static func owner(_ invocation: Invocation) throws(CommandFailure) -> Owner? {
        switch invocation["by"] {
        case nil: return nil
        case "all"?: return .everybody
        case let name?:
            guard let number = Accounts.user(name) else {
                if name.utf8.contains(UInt8(ascii: "@")) { return .name(name) }
                throw .usage(
                    "--user=: unknown user '\(name)'",
                    hint: "'all' selects the runs of every user"
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

    /// The values of `--state`: all states and outcomes, and the groups `live` and `ended`.
    package static let states =
        ["live", "ended"] + RunState.allCases.map(\.rawValue) + EndRow.all.map(\.name)

    private static func state(_ invocation: Invocation) throws(CommandFailure) -> String? {
        guard let state = invocation["state"] else { return nil }
        guard states.contains(state) else {
            let near = NearestName.opening(for: state, among: states)
            throw .usage("unknown state '\(state)'", hint: near + "expected one of \(states.joined(separator: ", "))")
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
