package import IntentLinux
package import IntentWire
import Synchronization

/// The records of all runs. One thread writes them to disk, another thread answers questions about them.
///
/// Only ``finish(within:)`` waits. Results arrive as news: ``newsCounter`` is signalled, then ``takeNews()`` returns
/// them.
package final class History: Sendable {
    /// The newest format that this version reads. A file of a later format is refused.
    package static var formatVersion: Int64 { Schema.version }

    /// The parameters of a history.
    package struct Options: Sendable {
        package var path: String
        package var durability: HistoryDurability
        package var retention: Retention

        package init(path: String, durability: HistoryDurability = .process, retention: Retention = Retention()) {
            self.path = path
            self.durability = durability
            self.retention = retention
        }
    }

    /// What has happened since the last call of ``takeNews()``.
    package struct News: Sendable {
        /// The ticket up to which every entry is on disk or was rejected.
        package var settled: UInt64 = 0
        package var rejections: [RecordRejection] = []
        /// The unfinished runs, reported once after each opening of the file.
        package var unfinished: [UnfinishedRun]?
        /// True when the unfinished runs include those of ``History/replay(_:)``.
        package var hasReplayed = false
        package var answers: [(id: UInt64, HistoryAnswer)] = []
        /// Why history cannot record now; nil while it can.
        package var problem: HistoryProblem?
        /// Bytes of output that were not recorded, because the disk was too slow or the output too large.
        package var leftOutByteCount: Int64 = 0
        fileprivate var isSignalled = false
    }

    struct Inbox {
        var entries: [HistoryEntry] = []
        var byteCount = 0
        var lastTicket: UInt64 = 0
        /// The time on CLOCK_MONOTONIC since which a client or a worker has waited for the disk.
        var awaitedSince: Int64?
        var isAwaited = false
        var sleep = WriterSleep.none
        var prunings: [(id: UInt64, retention: Retention?)] = []
        var newRule: Retention?
        var newFiles: SharedFileDescriptor?
        var replay: [HistoryEntry]?
        var isClosing = false
        var hasClosed = false
    }

    /// What wakes the writer's thread.
    enum WriterSleep {
        /// The thread is working, and looks at the inbox again before it sleeps.
        case none
        /// The thread soon wakes by itself, so only an awaited entry needs a signal.
        case short
        case long
    }

    /// No new runs are accepted while more bytes than this wait for the disk.
    private static let backlogByteLimit = 32 << 20
    /// Output is left out while more bytes than this wait for the disk.
    private static let outputBacklogByteLimit = 8 << 20
    /// A disk that takes longer than this counts as failed.
    private static let stallNanoseconds: Int64 = 2_000_000_000

    package let options: Options
    /// An eventfd(2) that is signalled when there is news.
    package let newsCounter: EventCounter
    let inbox = Mutex(Inbox())
    let writerCounter: EventCounter
    let questions: HistoryQuestions
    let requests = KnownRequests()
    private let pendingNews = Mutex(News())

    /// Opens the file on the writer's thread. The result arrives as news.
    package init(_ options: Options) throws(SystemError) {
        self.options = options
        newsCounter = try EventCounter()
        writerCounter = try EventCounter()
        questions = try HistoryQuestions()
        try DetachedThread.start { HistoryWriting(self).runUntilClosed() }
        try DetachedThread.start { HistoryReading(self).runUntilClosed() }
    }

    /// Queues entries that are written together. Each entry gets a ticket, counted from 1 in order of arrival.
    package func record(_ entries: [HistoryEntry]) {
        let firstAwaited = entries.first(where: \.isAwaited)
        var leftOut: Int64 = 0
        let isWaking = inbox.withLock { inbox in
            inbox.lastTicket += UInt64(entries.count)
            for entry in entries {
                if entry.isDispensable, inbox.byteCount > Self.outputBacklogByteLimit {
                    leftOut += entry.printedByteCount
                    continue
                }
                inbox.entries.append(entry)
                inbox.byteCount += entry.byteCount
                if case .accepted(let run) = entry.record.fact { requests.add(run.request, of: run.caller.caller) }
            }
            if let firstAwaited {
                inbox.isAwaited = true
                if inbox.awaitedSince == nil { inbox.awaitedSince = firstAwaited.time.monotonic }
            }
            switch inbox.sleep {
            case .none: return false
            case .short where firstAwaited == nil: return false
            case .short, .long:
                inbox.sleep = .none
                return true
            }
        }
        if leftOut > 0 { pendingNews.withLock { $0.leftOutByteCount += leftOut } }
        if isWaking { writerCounter.signal() }
    }

    /// Records the entries of an earlier process that are not on disk yet. Nothing else may be recorded before this.
    /// The unfinished runs then arrive as news.
    package func replay(_ entries: [HistoryEntry]) {
        inbox.withLock { inbox in
            inbox.replay = entries
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Writes everything that was recorded to the disk now, as if a client waited for it.
    package func flush() {
        inbox.withLock { inbox in
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// True when no recorded run can conflict with this one. Such a run can be accepted before it is on disk.
    package func isNew(_ run: AcceptedRun) -> Bool {
        run.key == nil && run.retryOf == nil && requests.lacks(run.request, of: run.caller.caller)
    }

    /// Why no new run can be recorded at this time on CLOCK_MONOTONIC; nil when it can.
    package func problem(atNanoseconds now: Int64) -> HistoryProblem? {
        if let problem = pendingNews.withLock({ $0.problem }) { return problem }
        return inbox.withLock { inbox in
            if let since = inbox.awaitedSince, now - since > Self.stallNanoseconds {
                return .stalled(path: options.path, seconds: (now - since) / 1_000_000_000)
            }
            return inbox.byteCount > Self.backlogByteLimit ? .behind(path: options.path) : nil
        }
    }

    /// True while an entry that a client or a worker waits for is not on disk.
    package var isAwaited: Bool { inbox.withLock { $0.awaitedSince != nil } }

    /// Asks a question about the records, including everything recorded so far. The answer arrives as news with this
    /// id.
    ///
    /// - Returns: False when too many questions are open.
    package func ask(_ question: HistoryQuestion, id: UInt64) -> Bool {
        let ticket = inbox.withLock { inbox in
            // A client waits for the answer.
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            inbox.sleep = .none
            return inbox.lastTicket
        }
        writerCounter.signal()
        return questions.add(question, id: id, after: ticket)
    }

    /// Returns the news since the last call.
    package func takeNews() -> News {
        newsCounter.reset()
        return pendingNews.withLock { news in
            defer {
                news.rejections = []
                news.unfinished = nil
                news.answers = []
                news.leftOutByteCount = 0
                news.isSignalled = false
            }
            return news
        }
    }

    /// Returns ``News/leftOutByteCount`` and resets it to 0.
    package func takeLeftOut() -> Int64 {
        pendingNews.withLock { news in
            defer { news.leftOutByteCount = 0 }
            return news.leftOutByteCount
        }
    }

    /// Removes the runs that the rule does not keep; nil means the configured rule. The number of runs arrives as news
    /// with this id.
    package func prune(_ retention: Retention?, id: UInt64) {
        inbox.withLock { inbox in
            inbox.prunings.append((id, retention))
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Sets the rule by which runs are kept.
    package func keep(_ rule: Retention) {
        inbox.withLock { inbox in
            inbox.newRule = rule
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Sets the folder with the files of results. It has a folder for each run, named by the run's identifier. The rule
    /// applies to these files too.
    package func prune(filesIn folder: SharedFileDescriptor) {
        inbox.withLock { $0.newFiles = folder }
    }

    /// Writes everything that waits, then closes the file. Waits no longer than the limit.
    package func finish(within limit: Duration) {
        inbox.withLock { inbox in
            inbox.isClosing = true
            inbox.sleep = .none
        }
        writerCounter.signal()
        questions.close()
        let end = ContinuousClock.now + limit
        while !inbox.withLock({ $0.hasClosed }), ContinuousClock.now < end { newsCounter.wait(milliseconds: 10) }
    }

    // MARK: For the threads

    var settled: UInt64 { pendingNews.withLock { $0.settled } }

    func tell(_ change: (inout News) -> Void) {
        let isFirst = pendingNews.withLock { news in
            change(&news)
            defer { news.isSignalled = true }
            return !news.isSignalled
        }
        if isFirst { newsCounter.signal() }
    }
}
