import Glibc
import IntentLauncherMessages
import IntentLinux
import Synchronization

/// The thread that writes to the history. It writes all queued entries in one transaction, and reports failures.
final class HistoryWriting {
    private let history: History
    private let reserve: SpaceReserve
    private let bootID: String
    private var writer: HistoryWriter?
    /// The entries from the inbox that are not on the disk yet.
    private var pending: [HistoryEntry] = []
    private var pendingTicket: UInt64 = 0
    /// The entries of an earlier process; nil until the supervisor has passed them.
    private var replay: [HistoryEntry]?
    private var isReplayDue = false
    /// True once the hashes of recorded requests are loaded.
    private var hasLoadedRequests = false
    private var isAwaited = false
    private var state = HistoryWritingState.working
    /// True if no entry arrived during the last pause.
    private var isQuiet = true
    /// True if the last pause was not interrupted. Entries for which no client is waiting are then written.
    private var hasPaused = false
    private var pruning: Pruning
    /// The runs with stored files that ``pruning`` has not measured yet.
    private var runsWithFiles: [RunID] = []
    /// The runs that operators import from other histories, with the ids of the requests.
    private var imports: [(id: UInt64, stories: [RunStory])] = []

    /// The maximum time that an entry remains in memory if no client is waiting for it.
    private static let lazyMilliseconds: Int32 = 100
    /// The maximum size of the write-ahead log, in pages, before the reader's thread copies it to the file.
    private static let logPageLimit = 1000
    /// The maximum size of the write-ahead log, in pages, before this thread itself copies it to the file.
    private static let logPageMax = 16_384

    init(_ history: History) {
        self.history = history
        reserve = SpaceReserve(besides: history.options.path)
        pruning = Pruning(history.options.retention)
        let text = (try? File.text(at: "/proc/sys/kernel/random/boot_id")) ?? ""
        bootID = text.split(whereScalar: \.properties.isWhitespace).first.map { String($0) } ?? "unknown"
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

    /// Moves the entries and requests from the inbox to this thread.
    ///
    /// - Returns: True if the thread must exit.
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
            if let subordinates = inbox.newSubordinates {
                inbox.newSubordinates = nil
                pruning.subordinates = subordinates
            }
            runsWithFiles += inbox.runsWithFiles
            inbox.runsWithFiles = []
            for request in inbox.prunings { pruning.request(request.retention, id: request.id) }
            inbox.prunings = []
            imports += inbox.imports
            inbox.imports = []
            return inbox.isClosing
        }
    }

    private var problem: HistoryProblem? { state.problem }

    private func sleep() {
        // While another program has locked the file, sleep even if entries are waiting, because they cannot be written.
        let isLocked = if case .locked = state { true } else { false }
        let pause: Int32?
        if let retry = state.retryMilliseconds {
            pause = retry
        } else if pruning.isInProgress {
            pause = Pruning.pauseMilliseconds
        } else if isQuiet {
            pause = pruning.millisecondsToNextPass
        } else {
            pause = Self.lazyMilliseconds
        }
        let mayWait = history.inbox.withLock { inbox in
            guard !inbox.isClosing, isLocked || !inbox.isAwaited, !isQuiet || inbox.entries.isEmpty else {
                return false
            }
            inbox.sleep = isQuiet ? .long : .short
            return true
        }
        hasPaused = mayWait && !history.writerCounter.wait(milliseconds: pause)
        history.writerCounter.reset()
        history.inbox.withLock { inbox in
            inbox.sleep = .none
            // No entry arrived during a complete pause, so let the next entry wake this thread immediately.
            if hasPaused, pending.isEmpty, inbox.entries.isEmpty, problem == nil { isQuiet = true }
        }
    }

    private func close() {
        writer = nil
        history.inbox.withLock { $0.hasClosed = true }
        history.publish { _ in }
    }

    // MARK: Writing

    private func open() {
        guard writer == nil else { return }
        isReplayDue = false
        let path = history.options.path
        history.requests.unload()
        hasLoadedRequests = false
        do throws(HistoryProblem) {
            let file = try HistoryFile(path: path, durability: history.options.durability)
            let unfinished: [UnfinishedRun]
            let stored: [String: String]
            do throws(DatabaseError) {
                let writer = try HistoryWriter(file, bootID: bootID)
                if let replay, !replay.isEmpty { try self.replay(replay, to: writer) }
                unfinished = try writer.unfinishedRuns()
                stored = try writer.storedRows()
                self.writer = writer
            } catch {
                throw HistoryProblem(error, path: path)
            }
            // Make the reader open its connection now, so that the first query and the first checkpoint are faster.
            history.questions.wantCheckpoint()
            let hasReplayed = replay != nil
            replay = hasReplayed ? [] : nil
            history.publish { updates in
                updates.unfinished = unfinished
                updates.stored = stored
                updates.hasReplayed = hasReplayed
            }
            loadRequests()
            change { $0 = reserve.allocate() ? .working : .failing(.full(path: path)) }
        } catch {
            change { $0 = .failing(error) }
        }
    }

    private func loadRequests() {
        guard !hasLoadedRequests, let writer else { return }
        hasLoadedRequests = history.requests.load(from: writer.file.database)
    }

    private func replay(_ entries: [HistoryEntry], to writer: HistoryWriter) throws(DatabaseError) {
        do throws(DatabaseError) {
            try writer.replay(entries)
        } catch {
            // Release the reserved disk space, because these records belong to accepted runs.
            guard case .full = HistoryProblem(error, path: history.options.path), reserve.release() else { throw error }
            try writer.replay(entries)
        }
    }

    private func write() {
        open()
        // Open the file again if an operator has moved it, because records written to the moved file would not be found
        // later.
        if let writer, !writer.file.isInPlace { reopen() }
        guard let writer else { return rejectNewRuns() }
        // On a full disk, reject new runs, but continue to record the runs that were already accepted.
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
        if dropped > 0 { history.publish { $0.leftOutByteCount += dropped } }
        pruning.kept(byteCount: pending.reduce(0) { $0 + Int64($1.byteCount) })
        pending = []
        isAwaited = false
        reportSettled(rejections)
        loadRequests()
        shortenLog(of: writer)
    }

    /// Tests whether records can be written again. Opens the file again if necessary.
    private func recover() {
        // Open the file again if it is not open or the problem requires it.
        if let problem, writer == nil || problem.needsReopening { reopen() }
        guard let writer else { return }
        // Allocate the reserve first, so that the probe below cannot use the space that is reserved for the ends of
        // runs. The disk is still considered full if it has no room for new runs in addition to the reserve.
        let hasReserve = reserve.allocate()
        if case .full? = problem, !hasReserve || !reserve.hasRoomBesides() { return }
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
                // Copy the log to the moved file, so that the file is complete.
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
            // Use the reserved space for the ends of recorded runs. If recording fails again, the entries stay in
            // memory.
            do throws(DatabaseError) { try record(to: writer) } catch { return }
        }
        if problem.needsReopening { self.writer = nil }
    }

    /// Rejects the runs that have not been confirmed to a client yet, and drops dispensable entries. All other entries
    /// are kept.
    private func rejectNewRuns() {
        guard let problem else { return }
        var rejected: [RunID] = []
        for entry in pending {
            if !entry.isKept, case .accepted = entry.record.fact { rejected.append(entry.record.run) }
        }
        let runs = Set(rejected)
        let leftOut = pending.reduce(0) { $0 + $1.printedByteCount }
        if leftOut > 0 { history.publish { $0.leftOutByteCount += leftOut } }
        pending.removeAll { runs.contains($0.record.run) || $0.isDispensable }
        if !rejected.isEmpty {
            history.publish { updates in
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
            inbox.backlog = RecordBacklog(inbox.entries)
            inbox.awaitedSince = inbox.entries.first(where: \.isAwaited)?.time.monotonic
        }
        history.publish { updates in
            updates.settled = ticket
            updates.rejections += rejections
        }
        history.questions.recordsSettled()
    }

    /// Changes the state, and publishes the problem if it has changed.
    private func change(_ body: (inout HistoryWritingState) -> Void) {
        let before = state.problem
        body(&state)
        let problem = state.problem
        if problem != before { history.publish { $0.problem = problem } }
    }

    private func shortenLog(of writer: HistoryWriter) {
        let count = writer.file.database.logPageCount
        if count > Self.logPageMax {
            // Ignore a failure, which a concurrent read can cause. The checkpoint is repeated after the next commit.
            try? writer.file.database.checkpoint(.truncating)
        } else if count > Self.logPageLimit {
            history.questions.wantCheckpoint()
        }
    }

    /// Imports runs once all other entries have been written. If there is a problem with the history, reports it in the
    /// answers.
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
            history.publish { $0.answers.append((id, answer)) }
        }
        imports = []
    }

    private func prune() {
        for run in runsWithFiles { pruning.kept(byteCount: pruning.files?.byteCount(of: run.text) ?? 0) }
        runsWithFiles = []
        if let problem, pruning.isInProgress { return giveUpPruning(problem) }
        guard problem == nil, pending.isEmpty, let writer else { return }
        do throws(DatabaseError) {
            if let (id, count) = try pruning.step(on: writer.file.database) {
                history.publish { $0.answers.append((id, .pruned(runCount: count))) }
            }
        } catch {
            giveUpPruning(HistoryProblem(error, path: history.options.path))
        }
    }

    private func giveUpPruning(_ problem: HistoryProblem) {
        let waiting = pruning.postpone()
        if !waiting.isEmpty { history.publish { $0.answers += waiting.map { ($0, .failed(problem)) } } }
    }
}
