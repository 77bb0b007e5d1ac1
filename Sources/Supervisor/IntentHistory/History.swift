package import IntentLauncherMessages
package import IntentLinux
import Synchronization

/// The database that records all runs. One thread writes records to the disk, and another thread answers queries.
///
/// Only ``finish(within:)`` blocks. Results are delivered as updates: ``updateCounter`` is signalled, and then
/// ``drainUpdates()`` returns the updates.
package final class History: Sendable {
    /// The newest file format that this version can read. A file with a newer format is refused.
    package static var formatVersion: Int64 { Schema.version }

    /// The settings of a history.
    package struct Options: Sendable {
        package var path: String
        package var durability: HistoryDurability
        package var retention: Retention

        /// The folder that contains the database file.
        package var folder: String {
            path.utf8.lastIndex(of: UInt8(ascii: "/"))
                .map { $0 == path.startIndex ? "/" : String(path[path.startIndex..<$0]) } ?? "."
        }

        package init(path: String, durability: HistoryDurability = .process, retention: Retention = Retention()) {
            self.path = path
            self.durability = durability
            self.retention = retention
        }
    }

    /// The updates since the last call to ``drainUpdates()``, and the current state.
    package struct Updates: Sendable {
        /// The last ticket up to which every entry is either on the disk or rejected.
        package var settled: UInt64 = 0
        package var rejections: [RecordRejection] = []
        /// The unfinished runs. They are reported once each time the file is opened; nil in all other updates.
        package var unfinished: [UnfinishedRun]?
        /// The rows of `intentd`'s own state, which are reported together with the unfinished runs.
        package var stored: [String: String] = [:]
        /// True if the unfinished runs include the entries passed to ``History/replay(_:)``.
        package var hasReplayed = false
        package var answers: [(id: UInt64, HistoryAnswer)] = []
        /// The reason why no records can be written at present; nil while records can be written.
        package var problem: HistoryProblem?
        /// The number of output bytes that were not recorded because the disk was too slow or the output was too large.
        package var leftOutByteCount: Int64 = 0
        fileprivate var isSignalled = false
    }

    struct Inbox {
        var entries: [HistoryEntry] = []
        var backlog = RecordBacklog()
        var lastTicket: UInt64 = 0
        /// The time at which a client or a worker began to wait for the disk, on CLOCK_MONOTONIC.
        var awaitedSince: Int64?
        var isAwaited = false
        var sleep = WriterSleep.none
        var prunings: [(id: UInt64, retention: Retention?)] = []
        var imports: [(id: UInt64, stories: [RunStory])] = []
        var newRule: Retention?
        var newFiles: SharedFileDescriptor?
        var newSubordinates: SubordinateIDs?
        /// The runs with result files that were stored.
        var runsWithFiles: [RunID] = []
        var replay: [HistoryEntry]?
        var isClosing = false
        var hasClosed = false
    }

    /// The sleep state of the writer's thread, which determines whether a new entry must wake the thread.
    enum WriterSleep {
        /// The thread is not sleeping. It checks the inbox before it sleeps.
        case none
        /// The thread wakes after a short time, so only an entry for which a client is waiting wakes it earlier.
        case short
        /// The thread sleeps until it is signalled, so every entry wakes it.
        case long
    }

    /// The time after which a disk that has not completed a write is considered stalled.
    private static let stallNanoseconds: Int64 = 2_000_000_000

    package let options: Options
    /// An eventfd(2) that is signalled when new updates are available.
    package let updateCounter: EventCounter
    let inbox = Mutex(Inbox())
    let writerCounter: EventCounter
    let questions: HistoryQuestions
    let requests = KnownRequests()
    private let pendingUpdates = Mutex(Updates())

    /// Starts the threads. The writer's thread opens the file, and delivers the result as an update.
    package init(_ options: Options) throws(SystemError) {
        self.options = options
        updateCounter = try EventCounter()
        writerCounter = try EventCounter()
        questions = try HistoryQuestions()
        try DetachedThread.start { HistoryWriting(self).runUntilClosed() }
        try DetachedThread.start { HistoryReading(self).runUntilClosed() }
    }

    /// Queues entries to be written in one transaction. Each entry receives the next ticket, starting at 1.
    package func record(_ entries: [HistoryEntry]) {
        let firstAwaited = entries.first(where: \.isAwaited)
        var leftOut: Int64 = 0
        let isWaking = inbox.withLock { inbox in
            inbox.lastTicket += UInt64(entries.count)
            for entry in entries {
                if !inbox.backlog.accepts(entry) {
                    leftOut += entry.printedByteCount
                    continue
                }
                inbox.entries.append(entry)
                inbox.backlog.add(entry)
                if case .accepted(let run) = entry.record.fact { requests.add(run) }
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

    /// Records the entries of an earlier process that are not on the disk yet. Call this method before anything else is
    /// recorded. The unfinished runs are then delivered as an update.
    package func replay(_ entries: [HistoryEntry]) {
        wakeWriter { $0.replay = entries }
    }

    /// Writes all queued entries to the disk now, as if a client were waiting for them.
    package func flush() {
        wakeWriter { if $0.lastTicket > 0 { $0.isAwaited = true } }
    }

    /// Returns true if the run definitely does not conflict with a recorded run, so that the run can be accepted before
    /// its record is on the disk.
    package func isNew(_ run: AcceptedRun) -> Bool {
        run.retryOf == nil && requests.lacks(run)
    }

    /// Returns the reason why no new run can be recorded, or nil if new runs can be recorded.
    ///
    /// - Parameters:
    ///   - account: The account of the new run; nil for a problem with the runs of all accounts.
    ///   - now: The current time on CLOCK_MONOTONIC.
    package func problem(of account: Account? = nil, atNanoseconds now: Int64) -> HistoryProblem? {
        if let problem = pendingUpdates.withLock({ $0.problem }) { return problem }
        return inbox.withLock { inbox in
            if let since = inbox.awaitedSince, now - since > Self.stallNanoseconds {
                return .stalled(path: options.path, seconds: (now - since) / 1_000_000_000)
            }
            let isBehind = account.map { !inbox.backlog.acceptsRuns(of: $0) } ?? inbox.backlog.isFull
            return isBehind ? .behind(path: options.path) : nil
        }
    }

    /// True while a client or a worker is waiting for an entry to be written to the disk.
    package var isAwaited: Bool { inbox.withLock { $0.awaitedSince != nil } }

    /// Queues a query about recorded runs. The answer includes all earlier records that can be written within 1 s. It
    /// is delivered as an update with this id.
    ///
    /// - Returns: False if too many queries are waiting.
    package func ask(_ question: HistoryQuestion, id: UInt64) -> Bool {
        let ticket = wakeWriter { inbox in
            // A client is waiting for the answer, so write the queued entries now.
            if inbox.lastTicket > 0 { inbox.isAwaited = true }
            return inbox.lastTicket
        }
        return questions.add(question, id: id, after: ticket)
    }

    /// Returns the updates since the last call.
    package func drainUpdates() -> Updates {
        updateCounter.reset()
        return pendingUpdates.withLock { updates in
            defer {
                updates.rejections = []
                updates.unfinished = nil
                updates.stored = [:]
                updates.answers = []
                updates.leftOutByteCount = 0
                updates.isSignalled = false
            }
            return updates
        }
    }

    /// Returns ``Updates/leftOutByteCount`` and resets it to 0.
    package func drainLeftOut() -> Int64 {
        pendingUpdates.withLock { updates in
            defer { updates.leftOutByteCount = 0 }
            return updates.leftOutByteCount
        }
    }

    /// Removes the runs and files that have expired according to a rule. The number of removed runs is delivered as an
    /// update with this id.
    ///
    /// - Parameter retention: The rule; nil for the configured rule.
    package func prune(_ retention: Retention?, id: UInt64) {
        wakeWriter { $0.prunings.append((id, retention)) }
    }

    /// Imports ended runs from another history. The report is delivered as an update with this id.
    package func importRuns(_ stories: [RunStory], id: UInt64) {
        for story in stories {
            requests.add(
                story.request,
                key: story.key,
                app: story.summary.app,
                intent: story.summary.intent,
                of: .local(user: story.summary.user, account: story.summary.userName ?? "")
            )
        }
        wakeWriter { $0.imports.append((id, stories)) }
    }

    /// Sets the rule that determines how long runs are kept.
    package func keep(_ rule: Retention) {
        wakeWriter { $0.newRule = rule }
    }

    /// Sets the folder that contains the result files. Each run has a subfolder that is named after the run's
    /// identifier. The retention rule also applies to these files.
    package func prune(filesIn folder: SharedFileDescriptor) {
        inbox.withLock { $0.newFiles = folder }
    }

    /// Sets the ids that are subordinate to accounts. Accounts share the limits of the rule, and the memory for known
    /// requests.
    package func share(by subordinates: SubordinateIDs) {
        requests.share(by: subordinates)
        inbox.withLock { $0.newSubordinates = subordinates }
    }

    /// Records that a run's result files were stored. If they exceed the rule's limit, files are removed.
    package func keptFiles(of run: RunID) {
        inbox.withLock { $0.runsWithFiles.append(run) }
    }

    /// Writes all queued entries and closes the file. Blocks for at most the given time.
    package func finish(within limit: Duration) {
        wakeWriter { $0.isClosing = true }
        questions.close()
        let end = ContinuousClock.now + limit
        while !inbox.withLock({ $0.hasClosed }), ContinuousClock.now < end { updateCounter.wait(milliseconds: 10) }
    }

    /// Changes the inbox, and wakes the writer.
    private func wakeWriter<Result: Sendable>(_ change: (inout Inbox) -> Result) -> Result {
        let result = inbox.withLock { inbox in
            inbox.sleep = .none
            return change(&inbox)
        }
        writerCounter.signal()
        return result
    }

    // MARK: Called by the threads

    var settled: UInt64 { pendingUpdates.withLock { $0.settled } }

    /// Changes the updates, and signals the counter if this is the first change since the last ``drainUpdates()``.
    func publish(_ change: (inout Updates) -> Void) {
        let isFirst = pendingUpdates.withLock { updates in
            change(&updates)
            defer { updates.isSignalled = true }
            return !updates.isSignalled
        }
        if isFirst { updateCounter.signal() }
    }
}
