package import IntentLinux
package import IntentWire
import Synchronization

/// The records of all runs. One thread writes them to disk, another thread answers questions about them.
///
/// Only ``finish(within:)`` waits. Results arrive as updates: ``updateCounter`` is signalled, then ``drainUpdates()`` returns
/// them.
package final class History: Sendable {
    /// The newest format that this version reads. A file with a later format is refused.
    package static var formatVersion: Int64 { Schema.version }

    /// The parameters of a history.
    package struct Options: Sendable {
        package var path: String
        package var durability: HistoryDurability
        package var retention: Retention

        /// The folder of the database.
        package var folder: String {
            path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        }

        package init(path: String, durability: HistoryDurability = .process, retention: Retention = Retention()) {
            self.path = path
            self.durability = durability
            self.retention = retention
        }
    }

    /// What has happened since the last call of ``drainUpdates()``.
    package struct Updates: Sendable {
        /// The ticket up to which every entry is on disk or was rejected.
        package var settled: UInt64 = 0
        package var rejections: [RecordRejection] = []
        /// The unfinished runs, reported once after each opening of the file.
        package var unfinished: [UnfinishedRun]?
        /// True when the unfinished runs include the entries of ``History/replay(_:)``.
        package var hasReplayed = false
        package var answers: [(id: UInt64, HistoryAnswer)] = []
        /// Why history cannot record now; nil when it can.
        package var problem: HistoryProblem?
        /// The number of output bytes that were not recorded, because the disk was too slow or the output too large.
        package var leftOutByteCount: Int64 = 0
        fileprivate var isSignalled = false
    }

    struct Inbox {
        var entries: [HistoryEntry] = []
        var byteCount = 0
        var lastTicket: UInt64 = 0
        /// Since when a client or a worker has waited for the disk, on CLOCK_MONOTONIC.
        var awaitedSince: Int64?
        var isAwaited = false
        var sleep = WriterSleep.none
        var prunings: [(id: UInt64, retention: Retention?)] = []
        var imports: [(id: UInt64, stories: [RunStory])] = []
        var newRule: Retention?
        var newFiles: SharedFileDescriptor?
        var replay: [HistoryEntry]?
        var isClosing = false
        var hasClosed = false
    }

    /// How the writer's thread can be woken.
    enum WriterSleep {
        /// The thread is working and checks the inbox before it sleeps.
        case none
        /// The thread soon wakes by itself, so only an awaited entry signals it.
        case short
        case long
    }

    /// No new runs are accepted while more bytes than this wait for the disk.
    private static let backlogByteLimit = 32 << 20
    /// Output is not recorded while more bytes than this wait for the disk.
    private static let outputBacklogByteLimit = 8 << 20
    /// A disk that takes longer than this counts as stalled.
    private static let stallNanoseconds: Int64 = 2_000_000_000

    package let options: Options
    /// An eventfd(2) that is signalled when there are updates.
    package let updateCounter: EventCounter
    let inbox = Mutex(Inbox())
    let writerCounter: EventCounter
    let questions: HistoryQuestions
    let requests = KnownRequests()
    private let pendingUpdates = Mutex(Updates())

    /// Opens the file on the writer's thread. The result arrives as an update.
    package init(_ options: Options) throws(SystemError) {
        self.options = options
        updateCounter = try EventCounter()
        writerCounter = try EventCounter()
        questions = try HistoryQuestions()
        try DetachedThread.start { HistoryWriting(self).runUntilClosed() }
        try DetachedThread.start { HistoryReading(self).runUntilClosed() }
    }

    /// Queues entries to be written together. Tickets count entries from 1, in the order of their arrival.
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
        if leftOut > 0 { pendingUpdates.withLock { $0.leftOutByteCount += leftOut } }
        if isWaking { writerCounter.signal() }
    }

    /// Records the entries of an earlier process that are not on disk yet. Call it before anything else is recorded.
    /// The unfinished runs then arrive as an update.
    package func replay(_ entries: [HistoryEntry]) {
        inbox.withLock { inbox in
            inbox.replay = entries
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Writes all queued entries to the disk now, as if a client waited for them.
    package func flush() {
        inbox.withLock { inbox in
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// True if no recorded run can conflict with this one, so that it can be accepted before it is on disk.
    package func isNew(_ run: AcceptedRun) -> Bool {
        run.key == nil && run.retryOf == nil && requests.lacks(run.request, of: run.caller.caller)
    }

    /// Why no new run can be recorded at this time on CLOCK_MONOTONIC; nil if one can be.
    package func problem(atNanoseconds now: Int64) -> HistoryProblem? {
        if let problem = pendingUpdates.withLock({ $0.problem }) { return problem }
        return inbox.withLock { inbox in
            if let since = inbox.awaitedSince, now - since > Self.stallNanoseconds {
                return .stalled(path: options.path, seconds: (now - since) / 1_000_000_000)
            }
            return inbox.byteCount > Self.backlogByteLimit ? .behind(path: options.path) : nil
        }
    }

    /// True while an entry that a client or a worker waits for is not on disk.
    package var isAwaited: Bool { inbox.withLock { $0.awaitedSince != nil } }

    /// Asks a question about the records, including everything recorded so far. The answer arrives as an update with this
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

    /// Returns what has happened since the last call.
    package func drainUpdates() -> Updates {
        updateCounter.reset()
        return pendingUpdates.withLock { updates in
            defer {
                updates.rejections = []
                updates.unfinished = nil
                updates.answers = []
                updates.leftOutByteCount = 0
                updates.isSignalled = false
            }
            return updates
        }
    }

    /// Returns ``Updates/leftOutByteCount`` and resets it to 0.
    package func takeLeftOut() -> Int64 {
        pendingUpdates.withLock { updates in
            defer { updates.leftOutByteCount = 0 }
            return updates.leftOutByteCount
        }
    }

    /// Removes the runs that the rule does not keep; nil means the configured rule. The number of runs arrives as an update
    /// with this id.
    package func prune(_ retention: Retention?, id: UInt64) {
        inbox.withLock { inbox in
            inbox.prunings.append((id, retention))
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Adds ended runs of another history. The report arrives as an update with this id.
    package func importRuns(_ stories: [RunStory], id: UInt64) {
        for story in stories {
            let caller = Caller.local(user: story.summary.user, account: story.summary.userName ?? "")
            requests.add(story.request, of: caller)
        }
        inbox.withLock { inbox in
            inbox.imports.append((id, stories))
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Sets the rule for how long runs are kept.
    package func keep(_ rule: Retention) {
        inbox.withLock { inbox in
            inbox.newRule = rule
            inbox.sleep = .none
        }
        writerCounter.signal()
    }

    /// Sets the folder with the files of results. Each run has a subfolder, named by its identifier. The rule also
    /// applies to these files.
    package func prune(filesIn folder: SharedFileDescriptor) {
        inbox.withLock { $0.newFiles = folder }
    }

    /// Writes all queued entries, then closes the file. Waits at most for the limit.
    package func finish(within limit: Duration) {
        inbox.withLock { inbox in
            inbox.isClosing = true
            inbox.sleep = .none
        }
        writerCounter.signal()
        questions.close()
        let end = ContinuousClock.now + limit
        while !inbox.withLock({ $0.hasClosed }), ContinuousClock.now < end { updateCounter.wait(milliseconds: 10) }
    }

    // MARK: For the threads

    var settled: UInt64 { pendingUpdates.withLock { $0.settled } }

    func tell(_ change: (inout Updates) -> Void) {
        let isFirst = pendingUpdates.withLock { updates in
            change(&updates)
            defer { updates.isSignalled = true }
            return !updates.isSignalled
        }
        if isFirst { updateCounter.signal() }
    }
}
