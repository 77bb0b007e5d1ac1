import IntentClient

/// `intentctl history`
struct HistoryCommand {
    private let invocation: Invocation
    /// As many as fit a screen or two; with a filter of time or in a script, all.
    private static let usualCount = 100

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        if invocation.has("prune") { return try await prune() }
        let filter = try HistoryOptions.filter(invocation, now: Moment.now)
        let count = try HistoryOptions.count(invocation)
        let connection = try await invocation.connect()
        if let format = invocation["export"] { return try await export(filter, count, as: format, over: connection) }
        let runs = try await connection.history(filter, count: count ?? usualCount(filter))
        if invocation.wantsJSON {
            let document = JSONValue.object(["runs": .array(runs.map(HistoryText.document))])
            try Console.output(document.prettyText())
        } else {
            let text = HistoryText.of(runs, now: Moment.now, showsOwner: filter.owner != .caller)
            try Pager.output(text, for: invocation)
        }
        return .done
    }

    private func usualCount(_ filter: HistoryFilter) -> Int? {
        filter.sinceMilliseconds == nil ? Self.usualCount : nil
    }

    /// One line of JSON for each run, with all that is on record of it, the newest first.
    private func export(
        _ filter: HistoryFilter,
        _ count: Int?,
        as format: String,
        over connection: IntentConnection
    ) async throws -> ExitCode {
        var before: Int64?
        var written = 0
        repeat {
            let page = try await connection.historyPage(filter, count: count.map { $0 - written }, before: before)
            for run in page.runs {
                do {
                    try Console.output(StoryDocument.of(try await connection.story(of: run.run)).text())
                } catch let error as IntentClientError where error.code == .unknownRun {
                    // Pruned in this moment.
                    continue
                }
            }
            written += page.runs.count
            before = count.map { written >= $0 } == true ? nil : page.next
        } while before != nil
        return .done
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

/// The options of `history`, checked.
package enum HistoryOptions {
    static func filter(_ invocation: Invocation, now: Int64) throws(CommandFailure) -> HistoryFilter {
        var filter = HistoryFilter()
        filter.sinceMilliseconds = try moment("since", invocation, now)
        filter.untilMilliseconds = try moment("until", invocation, now)
        if let name = invocation["app"] {
            let selection = Selection(name)
            filter.app = selection.app
            filter.intent = selection.intent
        }
        filter.state = try state(invocation)
        filter.owner = try owner(invocation) ?? filter.owner
        return filter
    }

    /// `--user=NAME`, or `--by NAME`; nil where it is not given.
    static func owner(_ invocation: Invocation) throws(CommandFailure) -> HistoryFilter.Owner? {
        switch invocation["by"] {
        case nil: return nil
        case "all"?: return .everybody
        case let name?:
            guard let number = Users.number(name) else {
                throw .usage(
                    "--user= takes a user, and there is no '\(name)'",
                    hint: "or 'all', for those of everybody."
                )
            }
            return .user(number)
        }
    }

    package static func count(_ invocation: Invocation) throws(CommandFailure) -> Int? {
        guard let text = invocation["lines"] else { return nil }
        guard let count = Int(text), count >= 0 else {
            throw .usage("-n takes a number, and '\(text)' is none", hint: "for example: -n 20")
        }
        return count
    }

    static func span(_ option: String, _ invocation: Invocation) throws(CommandFailure) -> Duration? {
        guard let text = invocation[option] else { return nil }
        guard let span = TimeSpan.parse(text) else {
            throw .usage(
                "--\(option) takes a span of time, and '\(text)' is none",
                hint: "for example: --\(option) 7d, --\(option) 12h"
            )
        }
        return span
    }

    /// The states and outcomes that there are, and what stands for several.
    package static let states =
        [
            "live", "ended", "queued", "starting", "running", "asking", "stopping", "done", "failed", "unanswered",
            "cancelled", "crashed", "exceeded", "violated", "notStarted", "busy", "lost",
        ]

    private static func state(_ invocation: Invocation) throws(CommandFailure) -> String? {
        guard let state = invocation["state"] else { return nil }
        guard states.contains(state) else {
            let near = nearestWord(to: state, among: states).map { "did you mean '\($0)'? " } ?? ""
            throw .usage("there is no state '\(state)'", hint: near + "there are \(states.joined(separator: ", ")).")
        }
        return state
    }

    private static func moment(
        _ option: String,
        _ invocation: Invocation,
        _ now: Int64
    ) throws(CommandFailure) -> Int64? {
        guard let text = invocation[option] else { return nil }
        guard let moment = Moment.parse(text, now: now) else {
            throw .usage(
                "--\(option) takes a moment, and '\(text)' is none",
                hint: "for example: --\(option) -2h, --\(option) yesterday, --\(option) '2026-11-21 09:30'"
            )
        }
        return moment
    }
}
