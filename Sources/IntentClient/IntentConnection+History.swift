public import IntentProtocol

/// History and metrics.
extension IntentConnection {
    /// Recorded runs, newest first; at most ``HistoryQuery/count`` of them, if that is set.
    ///
    /// - Throws: ``IntentClientError`` with code `historyUnavailable` when history cannot be read now.
    public func history(_ query: HistoryQuery = HistoryQuery()) async throws -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var rest = query
        while true {
            if let count = query.count {
                rest.count = count - runs.count
                if count <= runs.count { return runs }
            }
            let page = try await historyPage(rest)
            runs += page.runs
            guard let next = page.next else { return runs }
            rest.before = next
        }
    }

    /// One page of recorded runs. ``HistoryPage/next`` is the ``HistoryQuery/before`` of the next page.
    public func historyPage(_ query: HistoryQuery) async throws -> HistoryPage {
        let answer = try await link.request(.history(query)).answer
        guard case .history(let page) = answer else { throw IntentClientError.wrongAnswer }
        return page
    }

    /// Everything that is recorded about one run, except its output.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the run is unknown or the caller may not see it.
    public func story(of run: RunID) async throws -> RunStory {
        let answer = try await link.request(.story(run: run.text)).answer
        guard case .story(let story) = answer else { throw IntentClientError.wrongAnswer }
        return story
    }

    /// The part of a run's output that is kept. ``LogPage/next`` is the serial for the next page.
    public func logs(of run: RunID, after serial: Int64 = 0) async throws -> LogPage {
        let answer = try await link.request(.logs(run: run.text, after: serial)).answer
        guard case .logs(let page) = answer else { throw IntentClientError.wrongAnswer }
        return page
    }

    /// Removes ended runs from history. For operators only.
    ///
    /// - Parameters:
    ///   - keep: Remove runs that ended longer ago than this.
    ///   - count: Remove all but this many of the newest runs. If both are nil, the configuration decides.
    /// - Returns: The number of runs removed.
    public func prune(keep: Duration? = nil, count: Int64? = nil) async throws -> Int {
        let answer = try await link.request(.prune(PruneRequest(keep: keep, keepCount: count))).answer
        guard case .pruned(let count) = answer else { throw IntentClientError.wrongAnswer }
        return count
    }

    /// Adds runs from another history to the record, as ``story(of:)`` returned them. A run that history has already is
    /// left as it is, so an import can be repeated. For operators only.
    ///
    /// - Parameter stories: Runs that together fit in one message, of 1 MiB.
    public func importRuns(_ stories: [RunStory]) async throws -> ImportReport {
        let answer = try await link.request(.importRuns(stories)).answer
        guard case .imported(let report) = answer else { throw IntentClientError.wrongAnswer }
        return report
    }

    /// Counts and times of runs since the daemon started, as OpenMetrics text.
    public func metrics() async throws -> String {
        let answer = try await link.request(.metrics).answer
        guard case .metrics(let text) = answer else { throw IntentClientError.wrongAnswer }
        return text
    }
}
