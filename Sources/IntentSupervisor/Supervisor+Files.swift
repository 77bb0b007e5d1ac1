import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Files of runs: those that they were given, and those of their results.
extension Supervisor {
    /// The launcher has a place where files of results are kept.
    func keepResults(in folder: SharedFileDescriptor) {
        do {
            let results = try KeptResults(folder: folder)
            resultsSource = try loop.descriptor(results.completed.rawValue, .readable) { _ in self.takeCompletions() }
            self.results = results
            history?.prune(filesIn: folder)
        } catch {
            journal.write(.warning, "files of results cannot be kept (\(error)), continuing without")
        }
    }

    // MARK: Results

    /// Keeps the files of a result: those of the run's directory by the launcher, those in memory after them.
    func collect(_ files: [ResultFile], of run: RunID, in slot: SlotID) {
        collecting[slot] = (run, files)
        let paths = files.compactMap(\.relativePath)
        guard !paths.isEmpty else { return opened(slot, []) }
        let indices = files.indices.filter { files[$0] != .memory }
        let keep = results.map { _ in KeptPlace(run: run, indices: indices) }
        let command = LaunchCommand.open(slot: slot, paths: paths, keep: keep)
        guard LauncherLink.fits(command) else { return refuseFiles(of: slot, "the paths of its files are too long") }
        launcher?.send(command)
    }

    /// The launcher has done its part.
    func opened(_ slot: SlotID, _ descriptors: [SharedFileDescriptor]) {
        guard let worker = workers[slot], let (run, files) = collecting[slot] else { return }
        guard let results else {
            collecting[slot] = nil
            return share(files, of: run, in: slot, opened: descriptors, memory: worker.memoryFiles)
        }
        let indices = files.indices.filter { files[$0] == .memory }
        guard !indices.isEmpty else { return collected(slot) }
        results.copy(Array(zip(indices, worker.memoryFiles)).map { (index: $0.0, file: $0.1) }, of: run, in: slot)
    }

    private func takeCompletions() {
        for completion in results?.takeCompletions() ?? [] {
            // Its slot may have been released meanwhile.
            guard collecting[completion.slot] != nil else { continue }
            if let problem = completion.problem {
                refuseFiles(of: completion.slot, problem)
            } else {
                collected(completion.slot)
            }
        }
    }

    /// The run ends without them, and nothing that was kept before stays.
    func refuseFiles(of slot: SlotID, _ message: String) {
        if let run = collecting.removeValue(forKey: slot)?.run { results?.remove(run) }
        handle(.filesRefused(slot, message: message))
    }

    private func collected(_ slot: SlotID) {
        collecting[slot] = nil
        handle(.filesCollected(slot))
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

    /// Who asked for a run has its files.
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

    /// Finds the end of a run for whoever may have its files: here, or on record.
    private func finding(
        _ text: String,
        _ session: ClientSession,
        _ id: UInt64,
        for purpose: Recording.Purpose,
        _ body: (RunEnd) -> Void
    ) {
        switch fleet.end(of: text, for: session.user) {
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
                session.send(.answer(id: id, .refused(Fleet.unknownRun(text))))
            }
        }
    }

    // MARK: Inputs

    /// A client's files, of which more come with its next run than ride with one frame.
    func gather(_ count: Int, _ id: UInt64, from session: ClientSession) {
        func refuse(_ error: ErrorReport) {
            session.gathered = []
            session.send(.answer(id: id, .refused(error)))
        }
        if let refusal = fileRefusal(for: session) { return refuse(refusal) }
        let files = session.takeDescriptors(max(0, min(count, Frame.descriptorLimit)))
        guard files.count == count, count > 0 else {
            return refuse(ErrorReport(.badRequest, "'files' is \(count), and \(files.count) descriptors came"))
        }
        guard session.gathered.count + count <= Frame.fileLimit else {
            return refuse(
                ErrorReport(
                    .tooLarge,
                    "a run may be given \(Frame.fileLimit) files, and these are more",
                    hint: "pack them into one (tar)"
                )
            )
        }
        session.gathered += files
        session.send(.answer(id: id, .filesTaken(count: session.gathered.count)))
    }

    /// Why no more files can be taken now; nil when they can.
    func fileRefusal(for session: ClientSession) -> ErrorReport? {
        let held = inputs.values.reduce(0) { $0 + $1.count } + sessions.values.reduce(0) { $0 + $1.heldDescriptorCount }
        let own = sessions.values.reduce(0) { $0 + ($1.user == session.user ? $1.heldDescriptorCount : 0) }
        // As much as is free besides: whoever comes finds room, however many have filled their share.
        guard held >= Self.heldDescriptorLimit || own >= Self.heldDescriptorLimit - held else { return nil }
        return ErrorReport(.busy, "too many files wait for their runs", hint: "try again in a moment")
    }

    /// An answer, whose files wait until the run hears it.
    func take(_ answer: AnswerRequest, _ id: UInt64, from session: ClientSession) {
        func refuse(_ error: ErrorReport) { session.send(.answer(id: id, .refused(error))) }
        let count = answer.files ?? 0
        guard (0...Frame.descriptorLimit).contains(count) else {
            return refuse(ErrorReport(.badRequest, "'files' must be 0 to \(Frame.descriptorLimit)"))
        }
        let files = session.takeDescriptors(count)
        guard files.count == count else {
            return refuse(ErrorReport(.badRequest, "'files' is \(count), and \(files.count) descriptors came"))
        }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            accepted = try InputFile.accept(files, writable: [], closer: closing.closer)
        } catch {
            return refuse(ErrorReport(.badAnswer, error.description, hint: error.hint))
        }
        let request = Fleet.Event.requested(
            session.id,
            session.user,
            id: id,
            .answer(answer, groups: session.groups),
            by: session.caller
        )
        guard count > 0, let run = RunID(answer.run), let question = fleet.openQuestion(of: run) else {
            return handle(request)
        }
        answerFiles[run] = accepted
        handle(request)
        // It was not taken, and the question is open still.
        if fleet.openQuestion(of: run) == question { answerFiles[run] = nil }
    }

    /// Holds the files of a run until it begins; also where another `intentd` finds them.
    func hold(_ files: [SharedFileDescriptor], for run: RunID) {
        inputs[run] = files
        guard !files.isEmpty, launcherStays, history != nil else { return }
        // The kernel counts what is on its way for a user against the limit of each of his processes that sends
        // (unix(7), ETOOMANYREFS), and workers send too: a few outlive intentd.
        let keptCount = fleet.keptInputs.reduce(0) { $0 + (inputs[$1]?.count ?? 0) }
        guard keptCount + files.count <= Self.keptInputLimit else { return }
        // In the queue of a socket: so the launcher holds them without ever having them open.
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.sequencedPacket).take()
            var rest = files[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(Frame.descriptorLimit))
                guard try UnixSocket.send([1], descriptors: part, on: ends.first.rawValue, waiting: .never) != nil
                else { return }
                rest = rest.dropFirst(part.count)
            }
            launcher?.send(.keepInputs(run: run), descriptors: [ends.second])
            fleet.keptInputs.insert(run)
        } catch {
            journal.write(.warning, "files of run \(run) would not outlive intentd: \(error)")
        }
    }

    /// Files that an earlier `intentd` had kept for a run.
    func inheritInputs(of run: RunID, from socket: SharedFileDescriptor) {
        var files: [SharedFileDescriptor] = []
        while true {
            let received = try? UnixSocket.receive(
                from: socket.rawValue,
                upTo: 1,
                descriptorLimit: Frame.descriptorLimit,
                closer: closing.closer,
                waiting: .never
            )
            guard case .message(_, let part)? = received else { break }
            files += part
        }
        // For the next one: what was taken out of the queue is not in it any more.
        hold(files, for: run)
    }

    func takeInputs(of run: RunID) -> [SharedFileDescriptor] {
        defer { dropInputs(of: run) }
        return inputs[run] ?? []
    }

    func dropInputs(of run: RunID) {
        inputs[run] = nil
        if fleet.keptInputs.remove(run) != nil { launcher?.send(.dropInputs(run: run)) }
    }
}

extension ResultFile {
    var relativePath: String? {
        if case .path(let path) = self { return path }
        return nil
    }
}
