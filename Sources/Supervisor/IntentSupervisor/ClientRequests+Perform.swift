import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

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
        var passed: [PassedDescriptor] = []
        if perform.fileCount > 0 {
            if let refusal = files.refusal(for: session.account, in: clients) { return session.refuse(id, refusal) }
            passed = session.removeDescriptors(perform.fileCount - gathered.count)
        }
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
        let run = RunID(randomBits: .random(in: .min ... .max))
        if perform.fileCount == 0 { return self.perform(perform, values, [], [], as: run, session, id) }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            let all = gathered + (try passed.files())
            accepted = try files.inputFile(writable: Set(perform.writable ?? []), for: session.account).accept(all)
        } catch {
            return session.refuse(id, ErrorReport(.badParameter, error.description, hint: error.hint))
        }
        copyFiles(accepted, for: run, from: session, id, by: perform.entryPoint) { session, files, described in
            self.perform(perform, values, files, described, as: run, session, id)
        }
    }

    private func perform(
        _ perform: PerformRequest,
        _ values: RunValues,
        _ accepted: [SharedFileDescriptor],
        _ described: [PassedFile],
        as run: RunID,
        _ session: ClientSession,
        _ id: UInt64
    ) {
        clients.turns.pace.beganRun(of: session.account, at: .current)
        var perform = perform
        let lookup: AppLookup
        do throws(ErrorReport) {
            lookup = try lookUp(&perform, session)
        } catch {
            return session.refuse(id, error)
        }
        if !accepted.isEmpty { files.keep(accepted, for: run, of: session.account) }
        var origin = session.origin(id)
        origin.files = described
        origin.isPresent = session.web == nil && LoginSessions.hasActiveLocalSession(user: session.user.uid)
        // Pass the recorder's refusal to the run table, because a repeated request must find its run even while the
        // history accepts no new runs.
        decisions.handle(
            .requested(
                origin,
                .perform(perform, values, newRun: run, lookup, refusal: recorder.refusal(of: origin.user))
            )
        )
    }

    /// Replaces the files of an agent by copies, which takes a moment, and then calls `body` with the copies and their
    /// descriptions. For any other sender, calls `body` at once with the files.
    private func copyFiles(
        _ passed: [SharedFileDescriptor],
        for run: RunID,
        from session: ClientSession,
        _ id: UInt64,
        by entryPoint: EntryPoint?,
        _ body: @escaping (ClientSession, [SharedFileDescriptor], [PassedFile]) -> Void
    ) {
        guard !passed.isEmpty, session.agent != nil || entryPoint == .mcp else { return body(session, passed, []) }
        let (client, account) = (session.id, session.account)
        // An agent may also pass on a file of a result, which intentd gave to it.
        let roots = apps.agentRoots.map { $0 + [results.folderPath].compactMap(\.self) }
        files.copies.copy(passed, for: run, of: account, below: roots) { [weak self] outcome in
            guard let self else { return }
            switch (outcome, clients[client]) {
            case (.success(let copies), let session?): body(session, copies.map(\.file), copies.map(\.description))
            case (.success(let copies), nil): files.copies.release(copies.map(\.description), for: run, of: account)
            case (.failure(let refusal), let session): session?.refuse(id, refusal)
            }
        }
    }

    /// Receives files for a client's next run. Clients send this request when one frame cannot contain all files.
    func receiveFiles(_ count: Int, _ session: ClientSession, _ id: UInt64) {
        func refuse(_ error: ErrorReport) {
            session.gathered = []
            session.refuse(id, error)
        }
        if let refusal = files.refusal(for: session.account, in: clients) { return refuse(refusal) }
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
            accepted = try files.inputFile(writable: [], for: session.account).accept(try passed.files())
        } catch {
            return session.refuse(id, ErrorReport(.badAnswer, error.description, hint: error.hint))
        }
        guard let run = RunID(answer.run), let open = decisions.table.openQuestion(of: run), !accepted.isEmpty else {
            return pass(.answer(answer), session, id)
        }
        // Copy nothing for a client that may not answer the question.
        if let refusal = decisions.table.refusal(of: answer, from: session.origin(id)) {
            return session.refuse(id, refusal)
        }
        copyFiles(accepted, for: run, from: session, id, by: answer.entryPoint) { session, files, copies in
            let release = { self.files.copies.release(copies, for: run, of: session.account) }
            // Another question may be open when the files have been copied.
            guard self.decisions.table.openQuestion(of: run) == open else {
                release()
                return session.refuse(id, ErrorReport(.noQuestion, "question \(open) of run \(run) is not open"))
            }
            self.files.answer(
                .requested(session.origin(id), .answer(answer)),
                files,
                copiedByteCount: copies.reduce(0) { $0 + $1.copiedByteCount },
                to: run,
                refused: release
            )
        }
    }
}
