internal import IntentWire

/// The past: what the daemon has on record.
extension IntentConnection {
    /// Runs on record, the newest first.
    ///
    /// - Parameter count: At most so many; nil: all that fit the filter.
    /// - Throws: ``IntentClientError`` with code `historyUnavailable` when the record cannot be read now.
    public func history(_ filter: HistoryFilter = HistoryFilter(), count: Int? = nil) async throws -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var before: Int64?
        repeat {
            let rest = count.map { $0 - runs.count }
            if let rest, rest <= 0 { break }
            let page = try await historyPage(filter, count: rest, before: before)
            runs += page.runs
            before = page.next
        } while before != nil
        return runs
    }

    /// The same, some at a time; `next` says where the rest begins.
    public func historyPage(
        _ filter: HistoryFilter,
        count: Int?,
        before: Int64?
    ) async throws -> (runs: [RecordedRun], next: Int64?) {
        let answer = try await link.request(.history(filter.query(count: count, before: before))).answer
        guard case .history(let page) = answer else { throw IntentClientError.wrongAnswer }
        return (page.runs.map(RecordedRun.init), page.next)
    }

    /// All that is on record of one run.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when there is none for the caller's eyes.
    public func story(of run: String) async throws -> RunStory {
        let answer = try await link.request(.story(run: run)).answer
        guard case .story(let story) = answer else { throw IntentClientError.wrongAnswer }
        return RunStory(story)
    }

    /// What a run printed, as far as it is kept, some at a time; `next` is nil when this is all that there is now.
    public func logs(of run: String, after serial: Int64 = 0) async throws -> (pieces: [LoggedText], next: Int64?) {
        let answer = try await link.request(.logs(run: run, after: serial)).answer
        guard case .logs(let page) = answer else { throw IntentClientError.wrongAnswer }
        return (page.pieces.map(LoggedText.init), page.next)
    }

    /// Removes ended runs from the record: for the operator alone.
    ///
    /// - Parameters:
    ///   - keep: Those that ended longer ago go.
    ///   - count: All but so many go. With neither, what the configuration does not keep goes.
    /// - Returns: How many went.
    public func prune(keep: Duration? = nil, count: Int64? = nil) async throws -> Int {
        let wish = PruneRequest(keep: keep, keepCount: count)
        let answer = try await link.request(.prune(wish)).answer
        guard case .pruned(let count) = answer else { throw IntentClientError.wrongAnswer }
        return count
    }

    /// Counts and times of runs since the daemon's start, as OpenMetrics text.
    public func metrics() async throws -> String {
        let answer = try await link.request(.metrics).answer
        guard case .metrics(let text) = answer else { throw IntentClientError.wrongAnswer }
        return text
    }
}

/// A piece of what a run printed: whole lines, as far as it made lines.
public struct LoggedText: Hashable, Sendable {
    /// Rises within a run.
    public var serial: Int64
    /// In milliseconds since 1970.
    public var wallMilliseconds: Int64
    public var stream: Stream
    /// An app's text: clean it before a terminal sees it.
    public var text: String
    /// Something is missing before it: the run printed more than is kept.
    public var followsGap: Bool
    /// How many bytes that are; nil where nobody counted.
    public var leftOutByteCount: Int64?

    /// Which of its two outputs.
    public enum Stream: String, Hashable, Sendable {
        case stdout
        case stderr
    }

    init(_ piece: LogPiece) {
        serial = piece.serial
        wallMilliseconds = piece.time.millisecondsSince1970
        stream = piece.stream == .stdout ? .stdout : .stderr
        text = piece.text
        followsGap = piece.followsGap
        leftOutByteCount = piece.leftOutByteCount
    }
}
