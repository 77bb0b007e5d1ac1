import Glibc
import IntentLinux
import IntentWire
import Synchronization

/// The thread that writes to history. It writes all waiting entries in one transaction and reports failures.
final class HistoryWriting {
    private let history: History
    private let reserve: SpaceReserve
    private let bootID: String
    private var writer: HistoryWriter?
    /// Entries from the inbox that are not on disk yet.
    private var pending: [HistoryEntry] = []
    private var pendingTicket: UInt64 = 0
    /// Entries of an earlier process; nil until the supervisor has passed them.
    private var replay: [HistoryEntry]?
    private var isReplayDue = false
    /// True once the index of recent requests is loaded.
    private var hasLearned = false
    private var isAwaited = false
    private var state = HistoryWritingState.working
    /// True after a pause in which no entry arrived.
    private var isQuiet = true
    /// True if the last pause was not interrupted, so that entries without a waiting client are due.
    private var hasPaused = false
    private var pruning: Pruning
    /// Runs of another history that an operator adds, by the number of the request.
    private var imports: [(id: UInt64, stories: [RunStory])] = []

    /// How long an entry may stay in memory if no client waits for it.
    private static let lazyMilliseconds: Int32 = 100
    /// From `logPageLimit` pages on, the reader's thread copies the write-ahead log into the file. From `logPageMax`
    /// pages on, this thread copies it before it continues.
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
            let isClosing = receiveInbox()
            if isReplayDue { reopen() }
            if problem != nil, hasPaused { recover() }
            if !pending.isEmpty, isAwaited || hasPaused || isClosing { write() }
            importRuns()
            prune()
            if isClosing, pending.isEmpty || problem != nil { return close() }
            sleep()
        }
    }

    // MARK: Waiting

    /// Moves everything out of the inbox.
    ///
    /// - Returns: True if the thread must end.
    private func receiveInbox() -> Bool {
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
            for request in inbox.prunings { pruning.request(request.retention, id: request.id) }
            inbox.prunings = []
            imports += inbox.imports
            inbox.imports = []
            return inbox.isClosing
        }
    }

    private var problem: HistoryProblem? { state.problem }

    private func sleep() {
        // While another program holds the lock, new entries cannot be written, so they do not keep this thread awake.
        let isHeldUp = if case .locked = state { true } else { false }
        let pause: Int32?
        if let retry = state.retryMilliseconds {
            pause = retry
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
            // No entry arrived during a whole pause. From now on, the first entry wakes this thread.
            if hasPaused, pending.isEmpty, inbox.entries.isEmpty, problem == nil { isQuiet = true }
        }
    }

    private func close() {
        writer = nil
        history.inbox.withLock { $0.hasClosed = true }
        history.tell { _ in }
    }

    // MARK: Writing

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
            // The reader opens its connection now, so that the first query and the first checkpoint are faster.
            history.questions.wantCheckpoint()
            let hasReplayed = replay != nil
            replay = hasReplayed ? [] : nil
            history.tell { updates in
                updates.unfinished = unfinished
                updates.hasReplayed = hasReplayed
            }
            learn()
            change { $0 = reserve.allocate() ? .working : .failing(.full(path: path)) }
        } catch {
            change { $0 = .failing(error) }
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
            // The reserved disk space is for these records, which belong to accepted runs.
            guard case .full = HistoryProblem(error, path: history.options.path), reserve.release() else { throw error }
            try writer.replay(entries)
        }
    }

    private func write() {
        open()
        // An operator may have moved the file. No program would then find the records that are written to it.
        if let writer, !writer.file.isInPlace { reopen() }
        guard let writer else { return rejectNewRuns() }
        // On a full disk, new runs are refused, but recorded runs are recorded until they end.
        if case .full? = problem { rejectNewRuns() }
        do throws(DatabaseError) {
            try record(to: writer)
            change { $0.written() }
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
        reportSettled(rejections)
        learn()
        shortenLog(of: writer)
    }

    /// Tests whether writing works again.
    private func recover() {
        // If the file was never opened, only opening it can help.
        if let problem, writer == nil || problem.needsReopening { reopen() }
        guard let writer else { return }
        // Allocate the reserve first. Otherwise the probe below would use the space that is reserved for the ends of
        // runs. A disk without room for both the reserve and new runs is still full.
        let hasReserve = reserve.allocate()
        if case .full? = problem, !hasReserve || !reserve.leavesRoom() { return }
        do throws(DatabaseError) {
            try writer.probe()
            change { state in
                if hasReserve { state.recovered() } else { state = .failing(.full(path: history.options.path)) }
            }
        } catch {
            change { $0 = .failing(HistoryProblem(error, path: history.options.path)) }
        }
    }

    private func reopen() {
        history.questions.withoutConnection {
            if let writer, !writer.file.isInPlace {
                // Copies the log into the file, even if both were moved.
                try? writer.file.database.checkpoint(.truncating)
            }
            writer = nil
            open()
        }
    }

    private func failed(_ problem: HistoryProblem, of writer: HistoryWriter) {
        var mustReport = false
        change { mustReport = $0.failed(problem, atNanoseconds: ClockReading.monotonicNanoseconds()) }
        guard mustReport else { return }
        rejectNewRuns()
        if case .full = problem, reserve.release() {
            // The reserve is for the ends of recorded runs. If recording fails again, the ends stay in memory.
            do throws(DatabaseError) { try record(to: writer) } catch { return }
        }
        if problem.needsReopening { self.writer = nil }
    }

    /// Rejects the runs that no client knows of yet, and keeps all other entries.
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
            history.tell { updates in
                updates.rejections += rejected.map { RecordRejection(run: $0, cause: .unavailable(problem)) }
            }
        }
        if pending.isEmpty {
            isAwaited = false
            reportSettled([])
        }
    }

    private func reportSettled(_ rejections: [RecordRejection]) {
        let ticket = pendingTicket
        history.inbox.withLock { inbox in
            inbox.byteCount = inbox.entries.reduce(0) { $0 + $1.byteCount }
            inbox.awaitedSince = inbox.entries.first(where: \.isAwaited)?.time.monotonic
        }
        history.tell { updates in
            updates.settled = ticket
            updates.rejections += rejections
        }
        history.questions.somethingSettled()
    }

    /// Changes the state, and reports a new problem or its end.
    private func change(_ body: (inout HistoryWritingState) -> Void) {
        let before = state.problem
        body(&state)
        let problem = state.problem
        if problem != before { history.tell { $0.problem = problem } }
    }

    private func shortenLog(of writer: HistoryWriter) {
        let count = writer.file.database.logPageCount
        if count > Self.logPageMax {
            // A reader may prevent the checkpoint. It is tried again after the next commit.
            try? writer.file.database.checkpoint(.truncating)
        } else if count > Self.logPageLimit {
            history.questions.wantCheckpoint()
        }
    }

    /// Imports runs once everything else is written. Fails with the history's problem.
    private func importRuns() {
        guard !imports.isEmpty, problem != nil || pending.isEmpty else { return }
        for (id, stories) in imports {
            var answer = problem.map { HistoryAnswer.failed($0) }
            if answer == nil, let writer {
                do throws(DatabaseError) {
                    answer = .imported(try writer.importRuns(stories))
                } catch {
                    answer = .failed(HistoryProblem(error, path: history.options.path))
                }
            }
            guard let answer else { return }
            history.tell { $0.answers.append((id, answer)) }
        }
        imports = []
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
