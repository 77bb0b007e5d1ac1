import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// The launcher's cache folder. It contains the run folders, and the result files that intentd has not fetched yet.
///
/// The launcher only links result files into the cache. intentd reads and removes them.
final class RunFolders {
    /// The folder of this launcher's run folders. Its name is the launcher's process id, which stays the same when the
    /// launcher replaces its program.
    ///
    /// An earlier launcher may still be ending, because its intentd was killed. The two share no folder, so that
    /// neither removes the other's.
    let runs: String
    let resultsPath: String
    /// The folder of all launchers' run folders.
    private let allRuns: String
    private let cache: String
    private var results: SharedFileDescriptor?
    private var sharesResults = false
    private let loop: EventLoop
    private let journal: Journal
    private var sources: SourceWatch?
    private var timer: EventSource?
    /// Why the folders cannot be created again; nil while they exist.
    private(set) var problem: String?
    /// Called when the folders had been removed and exist again, because intentd needs the new folder of results, and when
    /// ``problem`` has changed.
    var changed: () -> Void = {}

    /// The number of the folders in ``SourceWatch``. Sandboxes have higher numbers.
    static let watchNumber = 0
    /// A cleaner that removes the folders has finished after this time, and a failed attempt is repeated.
    private static let pause: Int64 = 1_000_000_000

    init(at cache: String, on loop: EventLoop, journal: Journal) {
        self.cache = cache
        self.loop = loop
        self.journal = journal
        allRuns = cache + "/runs"
        runs = "\(allRuns)/\(getpid())"
        resultsPath = cache + "/results"
    }

    /// The descriptors that the launcher passes to intentd when it connects.
    var descriptors: [SharedFileDescriptor] { results.map { [$0] } ?? [] }

    /// Creates the folders, unless they exist.
    ///
    /// - Parameter sharesResults: True if intentd runs as another user, who is a member of the launcher's group.
    func make(sharesResults: Bool) throws(SystemError) {
        self.sharesResults = sharesResults
        // Workers run as other users. They must be able to open their own folders, but not to list the parent folders.
        let folders: [(String, mode_t)] = [(cache, 0o711), (allRuns, 0o711), (runs, 0o711), (resultsPath, 0o700)]
        for (folder, mode) in folders {
            try syscall("mkdir", on: folder, nilOn: EEXIST) { mkdir(folder, mode) }
        }
        let folder = SharedFileDescriptor(try File.open(resultsPath, O_RDONLY | O_DIRECTORY))
        results = folder
        // Shares the results folder with the launcher's group.
        if sharesResults { try syscall("fchmod") { fchmod(folder.rawValue, 0o770) } }
    }

    /// Watches the folders, so that they exist again, or the status names the problem, before a run needs them.
    func watch(with sources: SourceWatch) {
        self.sources = sources
        sources.add(Self.watchNumber, [HostSource(runs), HostSource(resultsPath)])
    }

    /// Handles a change of the folders that ``SourceWatch`` has found.
    func checkSoon() {
        // Without a timer, the next sandbox creates the folders.
        timer = try? loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + Self.pause) { [weak self] in
            try? self?.remake()
        }
    }

    /// Creates the folders again after a cleaner of temporary files, or an operator, has removed them. Tries again later after
    /// a failure.
    func remake() throws(SystemError) {
        let end = cache.utf8.lastIndex(of: UInt8(ascii: "/")) ?? cache.startIndex
        do throws(SystemError) {
            try File.makeFolders(String(Substring(cache.utf8[..<end])), permissions: 0o755)
            try make(sharesResults: sharesResults)
            problem = nil
            timer = nil
            if let sources { watch(with: sources) }
            journal.write(.warning, "the cache folder had been removed or replaced; made it again")
        } catch {
            checkSoon()
            guard problem != "\(error)" else { throw error }
            problem = "\(error)"
            journal.write(.error, "cannot make the cache folder again: \(error); trying again every second")
            changed()
            throw error
        }
        changed()
    }

    /// Removes the run folders that earlier launchers left.
    func removeEarlierRuns() { RunFolder.removeAll(in: allRuns) }

    /// Removes this launcher's run folders. Called when no run is in progress.
    func removeRuns() {
        RunFolder.removeAll(in: runs)
        _ = rmdir(runs)
    }

    /// Links files from the slot's run into the results folder.
    ///
    /// - Returns: The indices of files that a process may still write to.
    func keep(_ paths: [String], of slot: Slot, under names: KeptFileNames) throws -> [Int] {
        guard let results else { throw SystemError("open", on: resultsPath, code: Errno(rawValue: ENOENT)) }
        try File.makeFolder(names.run.text, in: results.rawValue, permissions: 0o700)
        let folder = try File.openFolder(names.run.text, in: results.rawValue)
        if try File.status(of: folder.rawValue).owner == getuid() {
            try File.share(folder.rawValue, as: results.rawValue)
        }
        slot.keptRun = names.run
        let files = try zip(paths, names.indices).map { path, index in
            (index: index, file: try slot.directory.keep(path, in: folder, as: "\(index)"))
        }
        // Share the files only after the last link. A file may be linked under several names, and `keep` links only
        // files that still belong to the app.
        for (_, file) in files { try File.share(file.rawValue, as: results.rawValue) }
        return files.filter { !slot.directory.freeze($0.file) }.map(\.index)
    }
}
