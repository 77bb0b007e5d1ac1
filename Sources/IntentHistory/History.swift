package import IntentLinux
package import IntentWire
import Synchronization

/// Every run on record: what is said goes to disk on a thread of its own, what is asked is read on another.
///
/// Nothing here waits but ``finish(within:)``. What comes of it is told by ``news``, after ``newsCounter`` has been
/// signalled.
package final class History: Sendable {
    /// The format of the file: one of a later format is not understood.
    package static var formatVersion: Int64 { Schema.version }

    /// What to make it with.
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

    /// What happened since it was asked last.
    package struct News: Sendable {
        /// Every entry up to this one is on disk, or was rejected.
        package var settled: UInt64 = 0
        package var rejections: [RecordRejection] = []
        /// Once after each opening.
        package var unfinished: [UnfinishedRun]?
        /// With what was handed to ``History/replay(_:)``.
        package var hasReplayed = false
        package var answers: [(id: UInt64, HistoryAnswer)] = []
        /// Why it cannot record now; nil while it can.
        package var problem: HistoryProblem?
        /// Of what runs printed and is not on record after all, because the disk was too slow or there was too much.
        package var leftOutByteCount: Int64 = 0
        fileprivate var isSignalled = false
    }

    struct Inbox {
        var entries: [HistoryEntry] = []
        var byteCount = 0
        var lastTicket: UInt64 = 0
        /// Since when somebody waits, on CLOCK_MONOTONIC.
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

    /// What wakes the writer.
    enum WriterSleep {
        /// It is at work, and looks again before it sleeps.
        case none
        /// It wakes by itself in a moment: only what is awaited is worth a signal.
        case short
        case long
    }

    /// While so much waits for the disk, no new runs are taken.
    private static let backlogByteLimit = 32 << 20
    /// Above this, what runs print is left out.
    private static let outputBacklogByteLimit = 8 << 20
    /// A disk that takes longer than this does not work, as far as people can tell.
    private static let stallNanoseconds: Int64 = 2_000_000_000

    package let options: Options
    /// Signalled when there is news (eventfd(2)).
    package let newsCounter: EventCounter
    let inbox = Mutex(Inbox())
    let writerCounter: EventCounter
    let questions: HistoryQuestions
    let requests = KnownRequests()
    private let pendingNews = Mutex(News())

    /// Opens the file on its own thread: whether that works is news.
    package init(_ options: Options) throws(SystemError) {
        self.options = options
        newsCounter = try EventCounter()
        writerCounter = try EventCounter()
        questions = try HistoryQuestions()
        try DetachedThread.start { HistoryWriting(self).runUntilClosed() }
        try DetachedThread.start { HistoryReading(self).runUntilClosed() }
    }

    /// Puts these on their way to the disk, in one piece. Each has a ticket, counted from 1 in the order of coming.
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

    /// Puts records of an earlier process on record that may not have come to the disk, but for those that did. Before
    /// that, nothing else is to be recorded; the runs that are unfinished then are news.
    package func replay(_ entries: [HistoryEntry]) {
        inbox.withLock { inbox in
            inbox.replay = entries
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Brings all that was recorded to the disk now, as if somebody waited for it.
    package func flush() {
        inbox.withLock { inbox in
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// True when no record there is can stand against this one: it need not be on disk to be known as accepted.
    package func isNew(_ run: AcceptedRun) -> Bool {
        run.key == nil && run.retryOf == nil && requests.lacks(run.request, of: run.caller.caller)
    }

    /// Why nothing new can be taken on record at this moment of CLOCK_MONOTONIC; nil when it can.
    package func problem(atNanoseconds now: Int64) -> HistoryProblem? {
        if let problem = pendingNews.withLock({ $0.problem }) { return problem }
        return inbox.withLock { inbox in
            if let since = inbox.awaitedSince, now - since > Self.stallNanoseconds {
                return .stalled(path: options.path, seconds: (now - since) / 1_000_000_000)
            }
            return inbox.byteCount > Self.backlogByteLimit ? .behind(path: options.path) : nil
        }
    }

    /// True while something is on its way to the disk for which somebody waits.
    package var isAwaited: Bool { inbox.withLock { $0.awaitedSince != nil } }

    /// Asks about what is on record, all that was recorded before included; the answer is news with this number.
    ///
    /// - Returns: False when too many ask already.
    package func ask(_ question: HistoryQuestion, id: UInt64) -> Bool {
        let ticket = inbox.withLock { inbox in
            // Whoever asks waits.
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            inbox.sleep = .none
            return inbox.lastTicket
        }
        writerCounter.signal()
        return questions.add(question, id: id, after: ticket)
    }

    /// What came since the last call.
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

    /// The same of ``News/leftOutByteCount`` alone, for whoever counts now.
    package func takeLeftOut() -> Int64 {
        pendingNews.withLock { news in
            defer { news.leftOutByteCount = 0 }
            return news.leftOutByteCount
        }
    }

    /// Removes now what ``Retention`` does not keep; how many runs that were is news with this number.
    package func prune(_ retention: Retention?, id: UInt64) {
        inbox.withLock { inbox in
            inbox.prunings.append((id, retention))
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Keeps runs by this rule from now on.
    package func keep(_ rule: Retention) {
        inbox.withLock { inbox in
            inbox.newRule = rule
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Where files of results are kept, a folder for each run by its identifier: from now on they go by the rule.
    package func prune(filesIn folder: SharedFileDescriptor) {
        inbox.withLock { $0.newFiles = folder }
    }

    /// Writes all that is on its way, and ends. Waits for that so long.
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

    // MARK: For its threads

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
