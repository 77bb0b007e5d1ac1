/// Queries and changes history, and queries metrics.
extension IntentConnection {
    /// Returns recorded runs, the newest first. ``HistoryQuery/count`` limits their number.
    ///
    /// - Throws: ``IntentClientError`` with code `historyUnavailable` when history is currently unreadable.
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

    /// Returns one page of recorded runs. For the next page, set ``HistoryQuery/before`` to ``HistoryPage/next``.
    public func historyPage(_ query: HistoryQuery) async throws -> HistoryPage {
        try await link.answer(to: .history(query)) { if case .history(let page) = $0 { page } else { nil } }
    }

    /// Returns everything that is recorded about one run, except its output.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the run is unknown or belongs to another user.
    public func story(of run: RunID) async throws -> RunStory {
        try await link.answer(to: .story(run: run.text)) { if case .story(let story) = $0 { story } else { nil } }
    }

    /// Returns a page of a run's recorded output. For the next page, pass ``LogPage/next`` as `serial`.
    public func logs(of run: RunID, after serial: Int64 = 0) async throws -> LogPage {
        try await link.answer(to: .logs(run: run.text, after: serial)) {
            if case .logs(let page) = $0 { page } else { nil }
        }
    }

    /// Removes ended runs from history. For operators only.
    ///
    /// - Parameters:
    ///   - keep: The maximum age of a run, measured from its end. Older runs are removed.
    ///   - count: The number of newest runs to keep. If both parameters are nil, the configured retention applies.
    /// - Returns: The number of runs that were removed.
    public func prune(keep: Duration? = nil, count: Int64? = nil) async throws -> Int {
        try await link.answer(to: .prune(PruneRequest(keep: keep, keepCount: count))) {
            if case .pruned(let count) = $0 { count } else { nil }
        }
    }

    /// Imports runs that ``story(of:)`` returned from another history. The import skips runs that are already recorded,
    /// so it can be repeated. For operators only.
    ///
    /// - Parameter stories: The runs to import. They must fit into one message of 1 MiB.
    public func importRuns(_ stories: [RunStory]) async throws -> ImportReport {
        try await link.answer(to: .importRuns(stories)) { if case .imported(let report) = $0 { report } else { nil } }
    }

    /// Returns metrics in the OpenMetrics text format, such as the number and duration of runs since the daemon
    /// started. For operators only.
    public func metrics() async throws -> String {
        try await link.answer(to: .metrics) { if case .metrics(let text) = $0 { text } else { nil } }
    }
}
