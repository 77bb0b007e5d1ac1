import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Requests for new runs, and the files and answers that clients pass to runs.
extension ClientRequests {
    func perform(
        _ perform: PerformRequest,
        _ values: RunValues,
        byteCount: Int,
        _ session: ClientSession,
        _ id: UInt64
    ) {
        if let undone = perform.undoOf {
            // Ask the history first, because only the history contains the intent that undoes the run.
            let question = HistoryQuestion.undoable(undone, by: session.viewer)
            return questions.ask(question, about: undone.text, for: .undoing(perform), session, id)
        }
        let gathered = session.gathered
        session.gathered = []
        guard (gathered.count...(gathered.count + Frame.descriptorLimit)).contains(perform.fileCount) else {
            return session.refuse(
                id,
                ErrorReport(
                    .badRequest,
                    "'files': expected a number from \(gathered.count) to \(gathered.count + Frame.descriptorLimit), "
                        + "got \(perform.fileCount)",
                    hint: "pass more than \(Frame.descriptorLimit) files in 'files' requests before 'perform'"
                )
            )
        }
        if perform.fileCount > 0, let refusal = files.refusal(for: session.user, in: clients) {
            return session.refuse(id, refusal)
        }
        let passed = session.removeDescriptors(perform.fileCount - gathered.count)
        guard gathered.count + passed.count == perform.fileCount else {
            let count = gathered.count + passed.count
            let message = "'files': expected \(perform.fileCount) descriptors, received \(count)"
            return session.refuse(id, ErrorReport(.badRequest, message))
        }
        guard byteCount <= Self.performPayloadLimit else {
            return session.refuse(
                id,
                ErrorReport(
                    .tooLarge,
                    "the values of the run have \(byteCount) bytes in total; the limit is \(Self.performPayloadLimit) bytes",
                    hint: "pass large values as files"
                )
            )
        }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            let all = gathered + (try passed.files())
            accepted = try files.inputFile(writable: Set(perform.writable ?? []), for: session.user).accept(all)
        } catch {
            return session.refuse(id, ErrorReport(.badParameter, error.description, hint: error.hint))
        }
        let described: [PassedFile]
        switch describe(accepted, from: session, by: perform.entryPoint) {
        case .success(let files): described = files
        case .failure(let refusal): return session.refuse(id, refusal)
        }
        let run = RunID(randomBits: .random(in: .min ... .max))
        clients.turns.beganRun(of: session.user)
        if !accepted.isEmpty { files.keep(accepted, for: run, of: session.user) }
        var origin = session.origin(id)
        origin.files = described
        origin.isPresent = LoginSessions.hasActiveLocalSession(user: session.user.uid)
        let lookup = apps.lookUp(perform.app, for: session.owner, groups: session.groups)
        // Pass the recorder's refusal to the run table, because a repeated request must find its run even while the
        // history accepts no new runs.
        decisions.handle(
            .requested(origin, .perform(perform, values, newRun: run, lookup, refusal: recorder.refusal))
        )
    }

    /// Describes the files of a request or an answer that an agent sent. For any other sender, the list is empty.
    /// Returns the reason why an agent may not pass the files: it could write into a pipe after the approval, or the file
    /// is not below a permitted folder (`AllowRoots=`).
    private func describe(
        _ files: [SharedFileDescriptor],
        from session: ClientSession,
        by entryPoint: EntryPoint?
    ) -> Result<[PassedFile], ErrorReport> {
        guard session.agent != nil || entryPoint == .mcp else { return .success([]) }
        guard files.allSatisfy({ File.kindWithoutWaiting(of: $0.rawValue) == .regular }) else {
            return .failure(
                ErrorReport(
                    .notPermitted,
                    "agents may pass only regular files",
                    hint: "write the data to a file, and pass the file"
                )
            )
        }
        let described = files.map(PassedFile.init)
        guard let roots = apps.agentRoots, let file = described.first(where: { !$0.isBelow(roots) }) else {
            return .success(described)
        }
        return .failure(
            ErrorReport(
                .notPermitted,
                "agents may not pass \(file.path.map { "'\($0)'" } ?? "a file without a path")",
                hint: "permitted folders (AllowRoots=): \(roots.joined(separator: ", "))"
            )
        )
    }

    /// Receives files for a client's next run. Clients send this request when one frame cannot contain all files.
    func receiveFiles(_ count: Int, _ session: ClientSession, _ id: UInt64) {
        func refuse(_ error: ErrorReport) {
            session.gathered = []
            session.refuse(id, error)
        }
        if let refusal = files.refusal(for: session.user, in: clients) { return refuse(refusal) }
        let passed = session.removeDescriptors(max(0, min(count, Frame.descriptorLimit)))
        guard passed.count == count, count > 0 else {
            let message = "'files': expected \(count) descriptors, received \(passed.count)"
            return refuse(ErrorReport(.badRequest, message))
        }
        guard session.gathered.count + count <= Frame.fileLimit else {
            return refuse(
                ErrorReport(
                    .tooLarge,
                    "too many files: a run accepts at most \(Frame.fileLimit)",
                    hint: "pack the files into one archive, for example with tar"
                )
            )
        }
        do throws(InputFileError) {
            session.gathered += try passed.files()
        } catch {
            return refuse(ErrorReport(.badParameter, error.description, hint: error.hint))
        }
        session.send(.answer(id: id, .filesReceived(count: session.gathered.count)))
    }

    /// Passes an answer to a run's question to the run table. The files of the answer are kept until the run receives
    /// them.
    func answer(_ answer: AnswerRequest, byteCount: Int, _ session: ClientSession, _ id: UInt64) {
        guard byteCount <= Self.performPayloadLimit else {
            let message = "the answer has \(byteCount) bytes; the limit is \(Self.performPayloadLimit) bytes"
            return session.refuse(id, ErrorReport(.tooLarge, message))
        }
        let count = answer.files ?? 0
        guard (0...Frame.descriptorLimit).contains(count) else {
            let message = "'files': expected a number from 0 to \(Frame.descriptorLimit), got \(count)"
            return session.refuse(id, ErrorReport(.badRequest, message))
        }
        let passed = session.removeDescriptors(count)
        guard passed.count == count else {
            let message = "'files': expected \(count) descriptors, received \(passed.count)"
            return session.refuse(id, ErrorReport(.badRequest, message))
        }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            accepted = try files.inputFile(writable: [], for: session.user).accept(try passed.files())
        } catch {
            return session.refuse(id, ErrorReport(.badAnswer, error.description, hint: error.hint))
        }
        if case .failure(let refusal) = describe(accepted, from: session, by: answer.entryPoint) {
            return session.refuse(id, refusal)
        }
        var origin = session.origin(id)
        let run = RunID(answer.run)
        if let run, decisions.table.isAwaitingApproval(run) { origin.files = files.ofRun(run).map(PassedFile.init) }
        files.answer(.requested(origin, .answer(answer)), accepted, to: run)
    }
}

extension PassedFile {
    init(_ file: SharedFileDescriptor) {
        let identity = File.Identity(of: file.rawValue)
        self.init(
            path: identity?.path,
            device: identity?.device ?? 0,
            inode: identity?.inode ?? 0,
            byteCount: identity?.byteCount ?? 0,
            modifiedNanoseconds: identity?.modifiedNanoseconds ?? 0,
            isWritable: File.access(of: file.rawValue) == .both
        )
    }

    /// Returns true if the file is below one of these folders.
    func isBelow(_ roots: [String]) -> Bool {
        guard let path else { return false }
        return roots.contains { root in
            let folder = root.hasSuffix(utf8: "/") ? root : root + "/"
            return path.hasPrefix(utf8: folder)
        }
    }
}
