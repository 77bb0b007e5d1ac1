package import IntentLinux
package import IntentWire
import Synchronization

/// The files of results, until the run's caller has received them: a folder for each run, and in it a number for each
/// file.
///
/// The launcher links files of a run's directory into that folder; files in memory are copied. Everything that can
/// wait for a disk runs on threads: one for each app with results to keep, so that no app waits for the
/// files of another, and one for removals.
package final class KeptResults: Sendable {
    /// The files of a result, and the limit for their size.
    package struct Storing: Sendable {
        var slot: SlotID
        var run: RunID
        var app: AppName
        /// Its files in memory, by their places; the launcher has put the others into the run's folder.
        var memory: [(index: Int, file: SharedFileDescriptor)]
        /// Files of the run's directory that a process may still write to: each is kept as a copy.
        package var writable: [Int]
        /// `DiskMax=`, in bytes, for all its files together. A file with several names counts once.
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

    /// The outcome of keeping the files of a slot.
    package enum News: Sendable {
        /// More of their bytes are kept.
        case advanced(SlotID)
        case kept(SlotID)
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
        /// Each thread's work, by app; nil: the thread that removes. A thread ends when it has no work.
        var jobs: [AppName?: [Job]] = [:]
        /// Runs with files that are being stored, or wait for it.
        var storing: Set<RunID> = []
        /// The runs among them with files that are no longer wanted. Their thread removes the files.
        var discarded: Set<RunID> = []
        var news: [News] = []
    }

    private let folder: ResultsFolder
    private let state = Mutex(State())
    /// Signalled when there are news.
    package let hasNews: EventCounter

    package init(_ folder: ResultsFolder) throws(SystemError) {
        self.folder = folder
        hasNews = try EventCounter()
    }

    // MARK: From the loop

    /// Keeps the files of a result. News of its slot report the outcome.
    package func store(_ storing: Storing) {
        state.withLock { _ = $0.storing.insert(storing.run) }
        add(.store(storing), to: storing.app)
    }

    /// Removes a run's files, and stops keeping them.
    package func remove(_ run: RunID) {
        let isStoring = state.withLock { state in
            guard state.storing.contains(run) else { return false }
            // If the files are still queued behind another run's, for example on a disk that hangs, release them at
            // once.
            for lane in state.jobs.keys {
                guard let index = state.jobs[lane]?.firstIndex(where: { $0.isToStore(run) }) else { continue }
                state.jobs[lane]?.remove(at: index)
                state.storing.remove(run)
                return false
            }
            state.discarded.insert(run)
            return true
        }
        if !isStoring { add(.remove(run), to: nil) }
    }

    package func takeNews() -> [News] {
        hasNews.reset()
        return state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Opens files of a run, each for one reader; nil when one of them is missing.
    package func open(_ indices: Range<Int>, of run: RunID) -> [SharedFileDescriptor]? {
        try? folder.open(indices, of: run)
    }

    // MARK: On the threads

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
            // What could not be removed is found later by its age.
            while case let job? = nextJob(in: lane) {
                guard case .store(let storing) = job else { continue }
                conclude(storing, "the files of the result cannot be kept: \(error)")
            }
        }
    }

    private func work(in lane: AppName?) {
        while let job = nextJob(in: lane) {
            switch job {
            case .store(let storing): conclude(storing, folder.store(storing) { isWanted(storing) })
            case .remove(let run): folder.remove(run)
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
        tell(problem.map { .refused(storing.slot, $0) } ?? .kept(storing.slot))
    }

    /// Reports that more bytes are kept; false when the files are no longer wanted.
    private func isWanted(_ storing: Storing) -> Bool {
        guard state.withLock({ !$0.discarded.contains(storing.run) }) else { return false }
        tell(.advanced(storing.slot))
        return true
    }

    private func tell(_ news: News) {
        state.withLock { $0.news.append(news) }
        hasNews.signal()
    }
}
