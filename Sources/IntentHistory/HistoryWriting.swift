import Glibc
import IntentLinux
import IntentWire
import Synchronization

/// The thread that writes: all that waits becomes one transaction, and what cannot be written is told of.
final class HistoryWriting {
    private let history: History
    private let reserve: SpaceReserve
    private let bootID: String
    private var writer: HistoryWriter?
    /// Taken from the inbox, not on disk yet.
    private var pending: [HistoryEntry] = []
    private var pendingTicket: UInt64 = 0
    /// What an earlier process left; nil when nobody spoke of that yet.
    private var replay: [HistoryEntry]?
    private var isReplayDue = false
    /// The wishes on record are known, as far as they are worth it.
    private var hasLearned = false
    private var isAwaited = false
    private var problem: HistoryProblem?
    /// Since when another program holds the file.
    private var lockedSince: Int64?
    /// Nothing has come for a while.
    private var isQuiet = true
    /// The last pause was a whole one: what nobody waits for is due.
    private var hasPaused = false
    private var pruning: Pruning

    /// How long what nobody waits for may stay in memory.
    private static let lazyMilliseconds: Int32 = 100
    /// How long a program that holds the file for a moment is waited for.
    private static let lockPatienceNanoseconds: Int64 = 1_500_000_000
    private static let lockPauseMilliseconds: Int32 = 10
    /// Between tries to get on with what does not work.
    private static let retryMilliseconds: Int32 = 1000
    /// The log is copied into the file from so many pages on, beside the work; from so many, before it goes on.
    private static let logPageLimit = 1000
    private static let logPageMax = 16_384

    init(_ history: History) {
        self.history = history
        reserve = SpaceReserve(besides: history.options.path)
        pruning = Pruning(history.options.retention)
        let text = (try? File.text(at: "/proc/sys/kernel/random/boot_id")) ?? ""
        bootID = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "unknown"
    }

    func runUntilClosed() {
        open()
        while true {
            let isClosing = take()
            if isReplayDue { reopen() }
            if problem != nil, hasPaused { recover() }
            if !pending.isEmpty, isAwaited || hasPaused || isClosing { write() }
            prune()
            if isClosing, pending.isEmpty || problem != nil { return close() }
            sleep()
        }
    }

    // MARK: Its rhythm

    /// Takes what has come in.
    ///
    /// - Returns: True when it shall end.
    private func take() -> Bool {
        history.inbox.withLock { inbox in
            if pending.isEmpty {
                swap(&pending, &inbox.entries)
            } else {
                pending += inbox.entries
                inbox.entries = []
            }
            if !pending.isEmpty { isQuiet = false }
            pendingTicket = inbox.lastTicket
            isAwaited = isAwaited || inbox.isAwaited
            inbox.isAwaited = false
            if let entries = inbox.replay {
                inbox.replay = nil
                replay = entries
                isReplayDue = true
            }
            if let rule = inbox.newRule {
                inbox.newRule = nil
                pruning.retention = rule
            }
            if let folder = inbox.newFiles {
                inbox.newFiles = nil
                pruning.files = KeptFiles(in: folder)
            }
            for wish in inbox.prunings { pruning.request(wish.retention, id: wish.id) }
            inbox.prunings = []
            return inbox.isClosing
        }
    }

    private func sleep() {
        // With somebody else's lock on the file, nothing that comes in changes anything.
        let isHeldUp = lockedSince != nil && problem == nil
        let pause: Int32?
        if isHeldUp {
            pause = Self.lockPauseMilliseconds
        } else if problem != nil {
            pause = Self.retryMilliseconds
        } else if pruning.isUnderWay {
            pause = Pruning.pauseMilliseconds
        } else if isQuiet {
            pause = pruning.millisecondsToNextLook
        } else {
            pause = Self.lazyMilliseconds
        }
        let mayWait = history.inbox.withLock { inbox in
            guard !inbox.isClosing, isHeldUp || !inbox.isAwaited, !isQuiet || inbox.entries.isEmpty else {
                return false
            }
            inbox.sleep = isQuiet ? .long : .short
            return true
        }
        hasPaused = mayWait && !history.writerCounter.wait(milliseconds: pause)
        history.writerCounter.reset()
        history.inbox.withLock { inbox in
            inbox.sleep = .none
            // Nothing came in a whole pause: from now on the first word is worth a signal.
            if hasPaused, pending.isEmpty, inbox.entries.isEmpty, problem == nil { isQuiet = true }
        }
    }

    private func close() {
        writer = nil
        history.inbox.withLock { $0.hasClosed = true }
        history.tell { _ in }
    }

    // MARK: Its work

    private func open() {
        guard writer == nil else { return }
        isReplayDue = false
        let path = history.options.path
        history.requests.forget()
        hasLearned = false
        do throws(HistoryProblem) {
            let file = try HistoryFile(path: path, durability: history.options.durability)
            let unfinished: [UnfinishedRun]
            do throws(DatabaseError) {
                let writer = try HistoryWriter(file, bootID: bootID)
                if let replay, !replay.isEmpty { try self.replay(replay, to: writer) }
                unfinished = try writer.unfinishedRuns()
                self.writer = writer
            } catch {
                throw HistoryProblem(error, path: path)
            }
            // The reader opens its connection now: the first question and the first copy of the log come sooner.
            history.questions.wantCheckpoint()
            let hasReplayed = replay != nil
            replay = hasReplayed ? [] : nil
            history.tell { news in
                news.unfinished = unfinished
                news.hasReplayed = hasReplayed
            }
            learn()
            if reserve.take() { works() } else { fails(.full(path: path)) }
        } catch {
            fails(error)
        }
    }

    private func learn() {
        guard !hasLearned, let writer else { return }
        hasLearned = history.requests.learn(from: writer.file.database)
    }

    private func replay(_ entries: [HistoryEntry], to writer: HistoryWriter) throws(DatabaseError) {
        do throws(DatabaseError) {
            try writer.replay(entries)
        } catch {
            // What is kept free is for records like these.
            guard case .full = HistoryProblem(error, path: history.options.path), reserve.release() else { throw error }
            try writer.replay(entries)
        }
    }

    private func write() {
        open()
        // Somebody may have moved it away: what we wrote would be found by nobody.
        if let writer, !writer.file.isInPlace { reopen() }
        guard let writer else { return rejectNewRuns() }
        // A full disk takes what belongs to runs that it has, and no new ones until it has room again.
        if case .full? = problem { rejectNewRuns() }
        do throws(DatabaseError) {
            try record(to: writer)
            if case .full? = problem { return }
            works()
        } catch {
            failed(HistoryProblem(error, path: history.options.path), of: writer)
        }
    }

    private func record(to writer: HistoryWriter) throws(DatabaseError) {
        guard !pending.isEmpty else { return }
        let before = writer.droppedByteCount
        let rejections = try writer.record(pending)
        let dropped = writer.droppedByteCount - before
        if dropped > 0 { history.tell { $0.leftOutByteCount += dropped } }
        pending = []
        isAwaited = false
        lockedSince = nil
        settle(rejections)
        learn()
        shortenLog(of: writer)
    }

    /// Looks whether it works again.
    private func recover() {
        // One that was never opened is not mended by waiting.
        if let problem, writer == nil || problem.needsReopening { reopen() }
        guard let writer else { return }
        // The reserve comes first, or the probe below would use what is kept free for the ends of runs. A disk without
        // room for the reserve and for new runs is still full.
        let hasReserve = reserve.take()
        if case .full? = problem, !hasReserve || !reserve.leavesRoom() { return }
        do throws(DatabaseError) {
            try writer.probe()
            lockedSince = nil
            if hasReserve { works() } else { fails(.full(path: history.options.path)) }
        } catch {
            fails(HistoryProblem(error, path: history.options.path))
        }
    }

    private func reopen() {
        history.questions.withoutConnection {
            if let writer, !writer.file.isInPlace {
                // All that is in the log goes into the file, wherever each of them is now.
                try? writer.file.database.checkpoint(.truncating)
            }
            writer = nil
            open()
        }
    }

    private func failed(_ problem: HistoryProblem, of writer: HistoryWriter) {
        if case .locked = problem {
            let now = ClockReading.monotonicNanoseconds()
            let since = lockedSince ?? now
            lockedSince = since
            // Most programs hold it for a moment only.
            guard now - since > Self.lockPatienceNanoseconds || self.problem != nil else { return }
        }
        fails(problem)
        rejectNewRuns()
        if case .full = problem, reserve.release() {
            // What was kept for this: the ends of runs that are on record. When even that fails, they wait.
            do throws(DatabaseError) { try record(to: writer) } catch { return }
        }
        if problem.needsReopening { self.writer = nil }
    }

    /// Takes back the runs that nobody was told of yet, and keeps the rest for later.
    private func rejectNewRuns() {
        guard let problem else { return }
        var rejected: [RunID] = []
        for entry in pending {
            if !entry.isKept, case .accepted = entry.record.fact { rejected.append(entry.record.run) }
        }
        let runs = Set(rejected)
        let leftOut = pending.reduce(0) { $0 + $1.printedByteCount }
        if leftOut > 0 { history.tell { $0.leftOutByteCount += leftOut } }
        pending.removeAll { runs.contains($0.record.run) || $0.isDispensable }
        if !rejected.isEmpty {
            history.tell { news in
                news.rejections += rejected.map { RecordRejection(run: $0, cause: .unavailable(problem)) }
            }
        }
        if pending.isEmpty {
            isAwaited = false
            settle([])
        }
    }

    private func settle(_ rejections: [RecordRejection]) {
        let ticket = pendingTicket
        history.inbox.withLock { inbox in
            inbox.byteCount = inbox.entries.reduce(0) { $0 + $1.byteCount }
            inbox.awaitedSince = inbox.entries.first(where: \.isAwaited)?.time.monotonic
        }
        history.tell { news in
            news.settled = ticket
            news.rejections += rejections
        }
        history.questions.somethingSettled()
    }

    private func works() {
        guard problem != nil else { return }
        problem = nil
        history.tell { $0.problem = nil }
    }

    private func fails(_ problem: HistoryProblem) {
        guard problem != self.problem else { return }
        self.problem = problem
        history.tell { $0.problem = problem }
    }

    private func shortenLog(of writer: HistoryWriter) {
        let count = writer.file.database.logPageCount
        if count > Self.logPageMax {
            // Readers are in its way: then it is tried again with the next commit.
            try? writer.file.database.checkpoint(.truncating)
        } else if count > Self.logPageLimit {
            history.questions.wantCheckpoint()
        }
    }

    private func prune() {
        if let problem, pruning.isUnderWay { return giveUpPruning(problem) }
        guard problem == nil, pending.isEmpty, let writer else { return }
        do throws(DatabaseError) {
            if let (id, count) = try pruning.step(on: writer.file.database) {
                history.tell { $0.answers.append((id, .pruned(runCount: count))) }
            }
        } catch {
            giveUpPruning(HistoryProblem(error, path: history.options.path))
        }
    }

    private func giveUpPruning(_ problem: HistoryProblem) {
        let waiting = pruning.postpone()
        if !waiting.isEmpty { history.tell { $0.answers += waiting.map { ($0, .failed(problem)) } } }
    }
}
