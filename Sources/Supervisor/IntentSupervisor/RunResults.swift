import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The files of results. They are collected when a run returns, and kept until a client of the
/// run's caller discards them.
///
/// Must be used only on the event loop's thread.
final class RunResults {
    /// A result with files that are being stored.
    private struct Collection {
        var run: RunID
        var files: [ResultFile]
        /// True until the launcher has opened or linked the files of the run folder.
        var awaitsLauncher: Bool
        /// True if the files are no longer needed. Files that still arrive from the launcher are then discarded.
        var isDiscarded = false
    }

    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let workers: WorkerLinks
    private let apps: AppDirectory
    /// The store for result files; nil if the launcher has provided no folder for them.
    private var kept: KeptResults?
    /// The path of the folder that stores result files; nil before it exists. Only a client that may fetch a file has it
    /// open.
    private(set) var folderPath: String?
    private var history: History?
    private var source: EventSource?
    private var collecting: [SlotID: Collection] = [:]
    /// The open result files for each run's subscribers, if no folder stores the files.
    private var unkept: [RunID: [SharedFileDescriptor]] = [:]
    /// The open result files of steps by the shortcut's run, if no folder stores the files.
    private var held: [RunID: [RunID: [SharedFileDescriptor]]] = [:]

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        workers: WorkerLinks,
        apps: AppDirectory
    ) {
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.workers = workers
        self.apps = apps
    }

    /// Stores the files of results in the folder that the launcher has passed.
    func keep(in folder: SharedFileDescriptor, for history: History?) {
        do {
            let isSynced = history?.options.durability == .power
            let results = try KeptResults(ResultsFolder(descriptor: folder, isSynced: isSynced))
            source = try loop.descriptor(results.updateCounter.rawValue, .readable) { [weak self] _ in
                self?.receiveUpdates()
            }
            kept = results
            folderPath = File.Identity(of: folder.rawValue)?.path
            self.history = history
            history?.prune(filesIn: folder)
        } catch {
            journal.write(.warning, "cannot store files of results (\(error)); continuing without them")
        }
    }

    // MARK: Shortcuts

    /// Keeps the files of a step open until its shortcut has ended, if no folder stores the files.
    func hold(_ end: RunEnd, for shortcut: RunID) {
        guard kept == nil, let files = unkept[end.run] else { return }
        held[shortcut, default: [:]][end.run] = files
    }

    /// Opens a file of a result; nil if it is no longer kept.
    func file(_ source: FileSource) -> SharedFileDescriptor? {
        if let kept { return kept.open(source.index..<source.index + 1, of: source.run)?.first }
        let files = held.values.lazy.compactMap { $0[source.run] }.first ?? unkept[source.run]
        return files.flatMap { $0.indices.contains(source.index) ? $0[source.index] : nil }
    }

    /// Returns the size of a result's files.
    func byteCount(of end: RunEnd) -> Int64 {
        end.files.indices.reduce(0) { sum, index in
            let file = file(FileSource(run: end.run, index: index))
            return sum + (file.flatMap { File.Identity(of: $0.rawValue) }.map { Int64(clamping: $0.byteCount) } ?? 0)
        }
    }

    /// Collects the result files of a shortcut, which are files of its steps.
    func collect(_ opened: [SharedFileDescriptor], ofShortcut run: RunID, in slot: SlotID) {
        let files = opened.map { _ in ResultFile.memory }
        guard let kept, let app = decisions.table.app(of: run) else {
            return share(files, of: run, in: slot, opened: [], memory: opened)
        }
        collecting[slot] = Collection(run: run, files: files, awaitsLauncher: false)
        let memory = Array(opened.enumerated()).map { (index: $0.offset, file: $0.element) }
        kept.store(KeptResults.Storing(slot: slot, run: run, app: app, memory: memory, byteCountMax: nil))
    }

    // MARK: Collecting

    /// Collects the files of a result. First the launcher collects files of the run folder, then this process
    /// collects memory files.
    func collect(_ files: [ResultFile], of run: RunID, in slot: SlotID) {
        let paths = files.compactMap(\.relativePath)
        collecting[slot] = Collection(run: run, files: files, awaitsLauncher: !paths.isEmpty)
        guard !paths.isEmpty else { return opened(slot, [], writable: []) }
        let indices = files.indices.filter { files[$0] != .memory }
        let names = kept.map { _ in KeptFileNames(run: run, indices: indices) }
        let command = LaunchCommand.open(slot: slot, paths: paths, keep: names)
        guard LaunchSocket.fits(command) else {
            return openFailed(slot, "the combined length of the result's file paths is too large")
        }
        launcher.send(command)
    }

    /// Continues a collection after the launcher has opened or linked the files of the run folder.
    ///
    /// - Parameter writable: The indices of files that the run may still write to.
    func opened(_ slot: SlotID, _ descriptors: [SharedFileDescriptor], writable: [Int]) {
        guard let collection = collecting[slot] else { return }
        guard !collection.isDiscarded, let worker = workers[slot] else { return discard(collection, slot) }
        collecting[slot]?.awaitsLauncher = false
        let (run, files) = (collection.run, collection.files)
        guard let kept else {
            collecting[slot] = nil
            return share(files, of: run, in: slot, opened: descriptors, memory: worker.memoryFiles)
        }
        let indices = files.indices.filter { files[$0] == .memory }
        guard let app = decisions.table.app(of: run) else { return discard(collection, slot) }
        kept.store(
            KeptResults.Storing(
                slot: slot,
                run: run,
                app: app,
                memory: Array(zip(indices, worker.memoryFiles)).map { (index: $0.0, file: $0.1) },
                writable: writable.filter { files.indices.contains($0) && files[$0] != .memory },
                byteCountMax: apps.diskMax(of: app)
            )
        )
    }

    /// Ends a collection after the launcher has failed to open or link the files.
    func openFailed(_ slot: SlotID, _ message: String) {
        guard let collection = collecting[slot] else { return }
        collecting[slot]?.awaitsLauncher = false
        if collection.isDiscarded { return discard(collection, slot) }
        decisions.handle(.filesRefused(slot, message: message))
    }

    private func receiveUpdates() {
        for update in kept?.drainUpdates() ?? [] {
            switch update {
            // Ignore updates for a slot that has been released: `collecting` no longer contains it.
            case .advanced(let slot): if collecting[slot] != nil { decisions.handle(.filesAdvanced(slot)) }
            case .kept(let slot):
                if let collection = collecting.removeValue(forKey: slot) {
                    history?.keptFiles(of: collection.run)
                    decisions.handle(.filesCollected(slot))
                }
            case .refused(let slot, let message):
                if collecting[slot] != nil { decisions.handle(.filesRefused(slot, message: message)) }
            }
        }
    }

    /// Stops a collection, and removes the files that were already stored.
    func discardFiles(in slot: SlotID) {
        collecting[slot]?.isDiscarded = true
        if let collection = collecting[slot], !collection.awaitsLauncher { discard(collection, slot) }
    }

    private func discard(_ collection: Collection, _ slot: SlotID) {
        collecting[slot] = nil
        kept?.remove(collection.run)
    }

    /// Ends the collection of a released slot.
    func release(_ slot: SlotID) {
        // The launcher may still store files for this slot. Wait for its report, so that these files can be removed.
        if collecting[slot]?.awaitsLauncher != true { collecting[slot] = nil }
    }

    /// Keeps the files open for the run's subscribers, if no folder stores them. The files are in the order in which
    /// the result's value refers to them.
    private func share(
        _ files: [ResultFile],
        of run: RunID,
        in slot: SlotID,
        opened: [SharedFileDescriptor],
        memory: [SharedFileDescriptor]
    ) {
        var opened = opened[...]
        var memory = memory[...]
        let ordered = files.compactMap { $0 == .memory ? memory.popFirst() : opened.popFirst() }
        guard ordered.count == files.count else {
            let message = "the launcher opened fewer files than the result contains"
            return decisions.handle(.filesRefused(slot, message: message))
        }
        unkept[run] = ordered
        decisions.handle(.filesCollected(slot))
    }

    // MARK: Handing over

    /// Attaches the files of a result to the end of its run, if one message can carry them.
    func attachFiles(to end: RunEnd) -> (end: RunEnd, files: [SharedFileDescriptor]) {
        let count = end.files.count
        var end = end
        end.fileCount = 0
        guard count > 0 else { return (end, []) }
        let files = unkept[end.run] ?? kept?.open(0..<min(count, Frame.descriptorLimit), of: end.run) ?? []
        guard files.count == count else {
            // One message cannot carry these files, so clients fetch them in parts.
            end.keptFileCount = files.isEmpty ? nil : count
            return (end, [])
        }
        end.fileCount = count
        return (end, files)
    }

    /// Returns as many of a result's files as one message can carry, starting at the given index, or an error.
    func part(from first: Int, of end: RunEnd) -> Result<(FilePart, [SharedFileDescriptor]), ErrorReport> {
        let references = end.files
        guard !references.isEmpty else {
            return .failure(
                ErrorReport(.unknownRun, "run \(end.run) has no files", hint: "'intentctl show' prints its value")
            )
        }
        let part = (first..<(first + Frame.descriptorLimit)).clamped(to: references.indices)
        guard let files = unkept[end.run].map({ Array($0[part]) }) ?? kept?.open(part, of: end.run) else {
            return .failure(
                ErrorReport(
                    .unknownRun,
                    "the files of run \(end.run) are no longer kept",
                    hint: "the run's caller has discarded them, or they were older than KeepFiles= in [History] permits"
                )
            )
        }
        return .success(
            (FilePart(run: end.run, references: Array(references[part]), totalCount: references.count), files)
        )
    }

    /// Removes the files of a run that a client no longer needs.
    func removeFiles(of run: RunID) {
        kept?.remove(run)
        unkept[run] = nil
    }

    /// Closes the files of a run after its subscribers have received its end.
    func forget(_ run: RunID) {
        unkept[run] = nil
        held[run] = nil
    }
}

extension ResultFile {
    var relativePath: String? {
        if case .path(let path) = self { return path }
        return nil
    }
}
