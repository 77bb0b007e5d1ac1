import Glibc
import IntentLifecycle
import IntentLinux
import IntentWire
import Synchronization

/// The files of results, until whoever asked for the run has them: a folder for each run, and in it a number for each
/// file.
///
/// Files of a run's directory get a second name here from the launcher; those in memory are copied here. All that may
/// wait for a disk is done on a thread of its own.
final class KeptResults: Sendable {
    /// What came of keeping the files of a slot; nil when it worked.
    struct Completion: Sendable {
        var slot: SlotID
        var problem: String?
    }

    private enum Job: Sendable {
        case copy(SlotID, RunID, [(index: Int, file: SharedFileDescriptor)])
        case remove(RunID)
    }

    private let folder: SharedFileDescriptor
    private let jobs = Mutex<[Job]>([])
    private let completions = Mutex<[Completion]>([])
    private let wakeUp: EventCounter
    /// Signalled when there are completions.
    let completed: EventCounter

    init(folder: SharedFileDescriptor) throws(SystemError) {
        self.folder = folder
        wakeUp = try EventCounter()
        completed = try EventCounter()
        try DetachedThread.start { [weak self] in
            while let results = self {
                results.wakeUp.wait(milliseconds: nil)
                results.wakeUp.reset()
                results.work()
            }
        }
    }

    /// Removes the folder with all that is kept in it.
    static func removeAll(in path: String) {
        for run in (try? File.names(in: path)) ?? [] {
            for file in (try? File.names(in: "\(path)/\(run)")) ?? [] { _ = unlink("\(path)/\(run)/\(file)") }
            _ = rmdir("\(path)/\(run)")
        }
        // What cannot be removed stays where temporary files are.
        _ = rmdir(path)
    }

    // MARK: From the loop

    /// Copies files out of memory; that it is done comes as a completion of that slot.
    func copy(_ files: [(index: Int, file: SharedFileDescriptor)], of run: RunID, in slot: SlotID) {
        add(.copy(slot, run, files))
    }

    /// Nobody needs a run's files any more.
    func remove(_ run: RunID) { add(.remove(run)) }

    func takeCompletions() -> [Completion] {
        completed.reset()
        return completions.withLock { completions in
            defer { completions = [] }
            return completions
        }
    }

    /// Opens files of a run, each for one reader; nil when they are not all there.
    func open(_ indices: Range<Int>, of run: RunID) -> [SharedFileDescriptor]? {
        do throws(SystemError) {
            let place = try File.openFolder(run.text, in: folder.rawValue)
            var files: [SharedFileDescriptor] = []
            for index in indices {
                // Not by openat2(2), which RestrictSUIDSGID= of intentd's unit takes away.
                files.append(SharedFileDescriptor(try File.open("\(index)", in: place.rawValue)))
            }
            return files
        } catch {
            return nil
        }
    }

    // MARK: On the thread

    private func add(_ job: Job) {
        jobs.withLock { $0.append(job) }
        wakeUp.signal()
    }

    private func work() {
        for job in jobs.withLock({ jobs in
            defer { jobs = [] }
            return jobs
        }) {
            switch job {
            case .copy(let slot, let run, let files):
                let problem = copyNow(files, of: run)
                completions.withLock { $0.append(Completion(slot: slot, problem: problem)) }
                completed.signal()
            case .remove(let run): removeNow(run.text)
            }
        }
    }

    private func copyNow(_ files: [(index: Int, file: SharedFileDescriptor)], of run: RunID) -> String? {
        do throws(SystemError) {
            try File.makeFolder(run.text, in: folder.rawValue, permissions: 0o700)
            let place = try File.openFolder(run.text, in: folder.rawValue)
            for (index, file) in files {
                try File.remove("\(index)", in: place.rawValue)
                let copy = try File.create("\(index)", in: place.rawValue, permissions: 0o600)
                try File.copyContents(of: file.rawValue, to: copy.rawValue)
            }
            return nil
        } catch {
            return "the files of the result cannot be kept: \(error.code)"
        }
    }

    private func removeNow(_ name: String) {
        // What cannot be removed is found again by its age.
        guard let place = try? File.openFolder(name, in: folder.rawValue) else { return }
        for file in (try? File.names(in: "/proc/self/fd/\(place.rawValue)")) ?? [] {
            try? File.remove(file, in: place.rawValue)
        }
        _ = unlinkat(folder.rawValue, name, AT_REMOVEDIR)
    }
}
