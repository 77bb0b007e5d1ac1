import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Files of results: kept for the run's caller, passed, fetched.
extension Supervisor {
    /// The launcher has a place where files of results are kept.
    func keepResults(in folder: SharedFileDescriptor) {
        do {
            let isSynced = history?.options.durability == .power
            let results = try KeptResults(ResultsFolder(descriptor: folder, isSynced: isSynced))
            resultsSource = try loop.descriptor(results.hasNews.rawValue, .readable) { _ in self.takeResultNews() }
            self.results = results
            history?.prune(filesIn: folder)
        } catch {
            journal.write(.warning, "files of results cannot be kept (\(error)), continuing without")
        }
    }

    /// A result with files that are being kept.
    struct Collection {
        var run: RunID
        var files: [ResultFile]
        /// The launcher has yet to say that it has done its part.
        var awaitsLauncher: Bool
        /// The files are no longer wanted: what the launcher still does is undone.
        var isDiscarded = false
    }

    /// Keeps the files of a result: the launcher keeps files of the run's directory, then this process keeps files in memory.
    func collect(_ files: [ResultFile], of run: RunID, in slot: SlotID) {
        let paths = files.compactMap(\.relativePath)
        collecting[slot] = Collection(run: run, files: files, awaitsLauncher: !paths.isEmpty)
        guard !paths.isEmpty else { return opened(slot, [], writable: []) }
        let indices = files.indices.filter { files[$0] != .memory }
        let keep = results.map { _ in KeptPlace(run: run, indices: indices) }
        let command = LaunchCommand.open(slot: slot, paths: paths, keep: keep)
        guard LaunchSocket.fits(command) else { return openFailed(slot, "the paths of its files are too long") }
        launcher?.send(command)
    }

    /// The launcher has done its part.
    ///
    /// - Parameter writable: Indices of files that the run may still write to.
    func opened(_ slot: SlotID, _ descriptors: [SharedFileDescriptor], writable: [Int]) {
        guard let collection = collecting[slot] else { return }
        guard !collection.isDiscarded, let worker = workers[slot] else { return letGo(collection, slot) }
        collecting[slot]?.awaitsLauncher = false
        let (run, files) = (collection.run, collection.files)
        guard let results else {
            collecting[slot] = nil
            return share(files, of: run, in: slot, opened: descriptors, memory: worker.memoryFiles)
        }
        let indices = files.indices.filter { files[$0] == .memory }
        guard let app = runTable.app(of: run) else { return letGo(collection, slot) }
        results.store(
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

    /// The launcher cannot do its part.
    func openFailed(_ slot: SlotID, _ message: String) {
        guard let collection = collecting[slot] else { return }
        collecting[slot]?.awaitsLauncher = false
        if collection.isDiscarded { return letGo(collection, slot) }
        handle(.filesRefused(slot, message: message))
    }

    private func takeResultNews() {
        for news in results?.takeNews() ?? [] {
            switch news {
            // A slot that was released meanwhile is unknown here.
            case .advanced(let slot): if collecting[slot] != nil { handle(.filesAdvanced(slot)) }
            case .kept(let slot): if collecting.removeValue(forKey: slot) != nil { handle(.filesCollected(slot)) }
            case .refused(let slot, let message):
                if collecting[slot] != nil { handle(.filesRefused(slot, message: message)) }
            }
        }
    }

    /// The run ends without them, and nothing that was kept before stays.
    func discardFiles(of run: RunID, in slot: SlotID) {
        collecting[slot]?.isDiscarded = true
        if let collection = collecting[slot], !collection.awaitsLauncher { letGo(collection, slot) }
    }

    private func letGo(_ collection: Collection, _ slot: SlotID) {
        collecting[slot] = nil
        results?.remove(collection.run)
    }

    /// Ends the collection of a slot that is no longer used.
    func endCollecting(in slot: SlotID) {
        // The launcher may still put files into the folder, where no code would find them: wait for its report.
        if collecting[slot]?.awaitsLauncher != true { collecting[slot] = nil }
    }

    /// Where no place keeps them, they are held for those who follow the run to its end: in the order of its value.
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
            return handle(.filesRefused(slot, message: "the launcher opened fewer files than the result has"))
        }
        unkeptFiles[run] = ordered
        handle(.filesCollected(slot))
    }

    /// The end of a run with what there is of its files.
    func attachFiles(to end: RunEnd) -> (end: RunEnd, files: [SharedFileDescriptor]) {
        let count = end.outcome.files.count
        var end = end
        end.fileCount = 0
        guard count > 0 else { return (end, []) }
        let files = unkeptFiles[end.run] ?? results?.open(0..<min(count, Frame.descriptorLimit), of: end.run) ?? []
        guard files.count == count else {
            // More than one message may bring: they are fetched one part after the other.
            end.keptFileCount = files.isEmpty ? nil : count
            return (end, [])
        }
        end.fileCount = count
        return (end, files)
    }

    /// Removes the files of a run after its caller has received them.
    func handedOver(_ run: RunID) {
        results?.remove(run)
        unkeptFiles[run] = nil
    }

    /// Gives a client a part of the files of a run's result.
    func send(_ part: Range<Int>, of end: RunEnd, to session: ClientSession, _ id: UInt64) {
        let references = end.outcome.files
        guard !references.isEmpty else {
            let error = ErrorReport(
                .unknownRun,
                "run \(end.run) has no files",
                hint: "'intentctl show' tells its value"
            )
            return session.send(.answer(id: id, .refused(error)))
        }
        let part = part.clamped(to: references.indices)
        let files = unkeptFiles[end.run].map { Array($0[part]) } ?? results?.open(part, of: end.run)
        guard let files else {
            let error = ErrorReport(
                .unknownRun,
                "the files of run \(end.run) are not kept any more",
                hint: "who asked for it had them, or they were there for longer than KeepFiles= in [History] says"
            )
            return session.send(.answer(id: id, .refused(error)))
        }
        let answer = FilePart(run: end.run, references: Array(references[part]), totalCount: references.count)
        session.post(.answer(id: id, .files(answer)), descriptors: files)
        session.flush()
    }

    func fetch(_ text: String, from first: Int, _ session: ClientSession, _ id: UInt64) {
        let first = max(0, min(first, Frame.fileLimit))
        finding(text, session, id, for: .fetching(from: first)) { end in
            self.send(first..<(first + Frame.descriptorLimit), of: end, to: session, id)
        }
    }

    func discardFiles(of text: String, _ session: ClientSession, _ id: UInt64) {
        finding(text, session, id, for: .discarding) { end in self.discard(end.run, session, id) }
    }

    func discard(_ run: RunID, _ session: ClientSession, _ id: UInt64) {
        handedOver(run)
        session.send(.answer(id: id, .filesDiscarded(run: run)))
    }

    /// Finds the end of a run for a caller with the right to its files: here, or in history.
    private func finding(
        _ text: String,
        _ session: ClientSession,
        _ id: UInt64,
        for purpose: Recording.Purpose,
        _ body: (RunEnd) -> Void
    ) {
        switch runTable.end(of: text, for: session.user, session.rank) {
        case .known(let end): body(end)
        case .live:
            let error = ErrorReport(
                .busy,
                "run \(text) has not ended",
                hint: "'intentctl wait \(text)' waits for it"
            )
            session.send(.answer(id: id, .refused(error)))
        case .unknown:
            if !askWhetherKnown(text, session, id, for: purpose) {
                session.send(.answer(id: id, .refused(RunTable.unknownRun(text))))
            }
        }
    }
}

extension ResultFile {
    var relativePath: String? {
        if case .path(let path) = self { return path }
        return nil
    }
}
