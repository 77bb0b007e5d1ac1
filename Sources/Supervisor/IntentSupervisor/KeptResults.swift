package import IntentLauncherMessages
package import IntentLinux
import Synchronization

/// A store that keeps result files until the runs' callers have received them. Each run has a subfolder of the results
/// folder, in which each file's name is a number.
///
/// The launcher links files from the run folder into this subfolder. This process copies memory files. All operations
/// that may wait for a disk are performed on separate threads: one thread for each app with results to store, so that
/// no app waits for another app's files, and one thread for removals.
package final class KeptResults: Sendable {
    /// The files of a result, and the limit for their total size.
    package struct Storing: Sendable {
        var slot: SlotID
        var run: RunID
        var app: AppName
        /// The memory files, by index. The launcher has already linked the other files into the subfolder.
        var memory: [(index: Int, file: SharedFileDescriptor)]
        /// The files of the run folder that a process may still write to. They are replaced with copies.
        package var writable: [Int]
        /// `DiskMax=`: the maximum size of all files together, in bytes. A file with several names is counted once.
        var byteCountMax: Int64?

        package init(
            slot: SlotID,
            run: RunID,
            app: AppName,
            memory: [(index: Int, file: SharedFileDescriptor)],
            writable: [Int] = [],
            byteCountMax: Int64?
        ) {
            self.slot = slot
            self.run = run
            self.app = app
            self.memory = memory
            self.writable = writable
            self.byteCountMax = byteCountMax
        }
    }

    /// The progress or the result of storing a slot's files.
    package enum Update: Sendable {
        /// More bytes of the files were stored.
        case advanced(SlotID)
        /// All files were stored.
        case kept(SlotID)
        /// The files could not be stored. The string is the reason.
        case refused(SlotID, String)
    }

    private enum Job: Sendable {
        case store(Storing)
        case remove(RunID)

        func isToStore(_ run: RunID) -> Bool {
            if case .store(let storing) = self { return storing.run == run }
            return false
        }
    }

    private struct State {
        /// Each thread's pending jobs, by app. The nil key is for the thread that removes files. A thread exits when it
        /// has no more jobs.
        var jobs: [AppName?: [Job]] = [:]
        /// Runs with files that are being stored or are waiting to be stored.
        var storing: Set<RunID> = []
        /// The runs in `storing` with files that are no longer needed. The storing thread removes these files.
        var discarded: Set<RunID> = []
        /// The runs with files that the thread for removals has not removed yet.
        var removing: Set<RunID> = []
        var updates: [Update] = []
    }

    private let folder: ResultsFolder
    private let state = Mutex(State())
    /// Signalled when updates are available to ``drainUpdates()``.
    package let updateCounter: EventCounter

    package init(_ folder: ResultsFolder) throws(SystemError) {
        self.folder = folder
        updateCounter = try EventCounter()
    }

    // MARK: From the loop

    /// Starts storing a result's files. Updates with the result's slot report the progress.
    package func store(_ storing: Storing) {
        state.withLock { _ = $0.storing.insert(storing.run) }
        add(.store(storing), to: storing.app)
    }

    /// Removes a run's files, or stops storing them.
    package func remove(_ run: RunID) {
        let isStoring = state.withLock { state in
            guard state.storing.contains(run) else { return false }
            // Remove a job that has not begun. Do not leave it to the thread, which may be blocked by an earlier job,
            // for example on a disk that does not respond.
            for lane in state.jobs.keys {
                guard let index = state.jobs[lane]?.firstIndex(where: { $0.isToStore(run) }) else { continue }
                state.jobs[lane]?.remove(at: index)
                state.storing.remove(run)
                return false
            }
            state.discarded.insert(run)
            return true
        }
        // A client can repeat the request for a removal any number of times.
        if !isStoring, state.withLock({ $0.removing.insert(run).inserted }) { add(.remove(run), to: nil) }
    }

    package func drainUpdates() -> [Update] {
        updateCounter.reset()
        return state.withLock { state in
            defer { state.updates = [] }
            return state.updates
        }
    }

    /// Opens some of a run's files, each with its own file offset. Returns nil if one of the files is missing.
    package func open(_ indices: Range<Int>, of run: RunID) -> [SharedFileDescriptor]? {
        try? folder.open(indices, of: run)
    }

    // MARK: Storage threads

    private func add(_ job: Job, to lane: AppName?) {
        let hasThread = state.withLock { state in
            let hasThread = state.jobs[lane] != nil
            state.jobs[lane, default: []].append(job)
            return hasThread
        }
        guard !hasThread else { return }
        do {
            try DetachedThread.start { self.work(in: lane) }
        } catch {
            // Skip the jobs that remove files, because a later cleanup removes old files.
            while case let job? = nextJob(in: lane) {
                guard case .store(let storing) = job else {
                    if case .remove(let run) = job { state.withLock { _ = $0.removing.remove(run) } }
                    continue
                }
                conclude(storing, "the files of the result cannot be stored: \(error)")
            }
        }
    }

    private func work(in lane: AppName?) {
        while let job = nextJob(in: lane) {
            switch job {
            case .store(let storing): conclude(storing, folder.store(storing) { isWanted(storing) })
            case .remove(let run):
                state.withLock { _ = $0.removing.remove(run) }
                folder.remove(run)
            }
        }
    }

    private func nextJob(in lane: AppName?) -> Job? {
        state.withLock { state in
            guard var jobs = state.jobs[lane], !jobs.isEmpty else {
                state.jobs[lane] = nil
                return nil
            }
            let job = jobs.removeFirst()
            state.jobs[lane] = jobs
            return job
        }
    }

    private func conclude(_ storing: Storing, _ problem: String?) {
        let isDiscarded = state.withLock { state in
            state.storing.remove(storing.run)
            return state.discarded.remove(storing.run) != nil
        }
        if isDiscarded { return folder.remove(storing.run) }
        report(problem.map { .refused(storing.slot, $0) } ?? .kept(storing.slot))
    }

    /// Reports that more bytes were stored. Returns false if the files are no longer needed.
    private func isWanted(_ storing: Storing) -> Bool {
        guard state.withLock({ !$0.discarded.contains(storing.run) }) else { return false }
        report(.advanced(storing.slot))
        return true
    }

    private func report(_ update: Update) {
        state.withLock { $0.updates.append(update) }
        updateCounter.signal()
    }
}
