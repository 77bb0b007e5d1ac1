import IntentConfiguration
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// What clients say.
extension Supervisor {
    /// A request for a run must leave room for the rest of the record that a worker gets.
    private static let performPayloadLimit = Frame.recordLimit - 4096

    /// Files of clients that are kept for runs to come; every one takes a descriptor.
    static let heldDescriptorLimit = 8192
    /// The files among them that outlive this `intentd`.
    static let keptInputLimit = 256

    func take(_ read: ReadRequest, from session: ClientSession) {
        let numbered: NumberedRequest
        switch read.request {
        case .success(let decoded): numbered = decoded
        case .failure(let error): return refuse(read.id, from: session, error)
        }
        guard session.isGreeted else { return greet(session, numbered) }
        let id = numbered.id
        switch numbered.request {
        case .hello:
            clients.end(session, id: id, "hello is the first message, and only the first")
        case .list:
            let installed = apps.appNames.compactMap(apps.app)
            request(session, id, .list(installed))
        case .describe(let app):
            request(session, id, .describe(apps.lookUp(app, for: session.user, groups: session.groups)))
        case .perform(let perform):
            let values = read.values ?? RunValues(encoding: perform.values)
            take(perform, values, id: id, byteCount: read.byteCount, from: session)
        case .cancel(let run):
            if askWhetherKnown(run, session, id, for: .cancelling) { return }
            request(session, id, .cancel(run: run))
        case .watch(let run, let serial, let isReturn):
            if askWhetherKnown(run, session, id, for: .watching) { return }
            request(session, id, .watch(run: run, after: serial, isReturn: isReturn))
        case .question(let run): request(session, id, .question(run: run))
        case .answer(let answer):
            guard read.byteCount <= Self.performPayloadLimit else {
                let error = ErrorReport(.tooLarge, "an answer may have \(Self.performPayloadLimit) bytes")
                return session.send(.answer(id: id, .refused(error)))
            }
            take(answer, id, from: session)
        case .files(let count): gather(count, id, from: session)
        case .fetch(let run, let first): fetch(run, from: first, session, id)
        case .discardFiles(let run): discardFiles(of: run, session, id)
        case .runs: request(session, id, .runs(held: heldRuns))
        case .history(let query): ask(.page(query, by: session.viewer), session, id)
        case .story(let run): ask(about: run, session, id) { .story($0, by: session.viewer) }
        case .logs(let run, let serial):
            ask(about: run, session, id) { .logs($0, after: serial, by: session.viewer) }
        case .prune(let wish): prune(wish, session, id)
        case .reload: reload(session, id)
        case .upgrade: upgrade(session, id)
        case .metrics:
            // They count what everybody does.
            guard session.isOperator else {
                let error = ErrorReport(
                    .notPermitted,
                    "only operators may see metrics: they tell of everybody's runs",
                    hint: "'intentctl history' tells of yours; root and the group intentd-operators are operators"
                )
                return session.send(.answer(id: id, .refused(error)))
            }
            if let byteCount = history?.takeLeftOut() { metrics.leftOut(outputByteCount: Int(byteCount)) }
            let gauges = RunMetrics.Gauges(
                load: runTable.load,
                spareCount: runTable.spareCount,
                clientCount: clients.count,
                canRecord: history.map { _ in historyProblem(at: .current) == nil }
            )
            session.send(.answer(id: id, .metrics(text: metrics.text(gauges))))
        case .status: request(session, id, .status(installedAppCount: apps.appNames.count))
        }
    }

    private func request(_ session: ClientSession, _ id: UInt64, _ request: RunTable.Request) {
        handle(.requested(session.asker(id), request))
    }

    private func greet(_ session: ClientSession, _ numbered: NumberedRequest) {
        guard case .hello(let hello) = numbered.request else {
            return clients.end(session, id: numbered.id, "the first message must be hello")
        }
        guard hello.protocolVersion == Hello.currentVersion else {
            return clients.end(
                session,
                id: numbered.id,
                "this intentd speaks version \(Hello.currentVersion) of the protocol, the client version "
                    + "\(hello.protocolVersion): update \(hello.protocolVersion < Hello.currentVersion ? "the client" : "intentd")"
            )
        }
        session.isGreeted = true
        // It is kept with every run.
        session.software = String(hello.software.prefix(100))
        let answer = Hello(software: "intentd \(Hello.softwareVersion)")
        session.send(.answer(id: numbered.id, .hello(answer)))
    }

    /// A payload that is no request: a number to answer to keeps the connection, anything else ends it.
    private func refuse(_ id: UInt64?, from session: ClientSession, _ error: WireError) {
        guard let id, session.isGreeted else { return clients.end(session, id: id, error.description) }
        let code: ErrorReport.Code =
            switch error {
            case .unknownMessage: .unknownRequest
            case .malformed: .badRequest
            }
        session.send(.answer(id: id, .refused(ErrorReport(code, "the request is not understood: \(error)"))))
    }

    // MARK: Perform

    func take(_ perform: PerformRequest, _ values: RunValues, id: UInt64, byteCount: Int, from session: ClientSession) {
        func refuse(_ error: ErrorReport) { session.send(.answer(id: id, .refused(error))) }
        if let undone = perform.undoOf { return undo(perform, of: undone, session, id) }
        let gathered = session.gathered
        session.gathered = []
        guard (gathered.count...(gathered.count + Frame.descriptorLimit)).contains(perform.fileCount) else {
            return refuse(
                ErrorReport(
                    .badRequest,
                    "'files' is \(perform.fileCount), and \(gathered.count) came before; at most "
                        + "\(Frame.descriptorLimit) ride with one frame",
                    hint: "hand the first of them over with 'files'"
                )
            )
        }
        if perform.fileCount > 0, let refusal = fileRefusal(for: session) { return refuse(refusal) }
        let passed = session.takeDescriptors(perform.fileCount - gathered.count)
        guard gathered.count + passed.count == perform.fileCount else {
            let count = gathered.count + passed.count
            return refuse(ErrorReport(.badRequest, "'files' is \(perform.fileCount), and \(count) descriptors came"))
        }
        guard byteCount <= Self.performPayloadLimit else {
            return refuse(
                ErrorReport(
                    .tooLarge,
                    "the values of a run may have \(Self.performPayloadLimit) bytes together, and these have more",
                    hint: "pass large values as files"
                )
            )
        }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            let files = gathered + (try passed.files())
            accepted = try inputFile(writable: Set(perform.writable ?? []), for: session.user).accept(files)
        } catch {
            return refuse(ErrorReport(.badParameter, error.description, hint: error.hint))
        }
        let run = RunID(randomBits: .random(in: .min ... .max))
        clients.beganRun(of: session.user)
        if !accepted.isEmpty { inputOwners[run] = session.user }
        hold(accepted, for: run)
        var asker = session.asker(id)
        asker.isPresent = LoginSessions.hasActiveLocalSession(user: session.user.uid)
        let lookup = apps.lookUp(perform.app, for: session.user, groups: session.groups)
        // A repeated request finds its run even while history accepts no new ones, so the run table decides.
        handle(.requested(asker, .perform(perform, values, newRun: run, lookup, refusal: historyRefusal)))
    }
}

extension ClientSession {
    /// The session's client, for a request with that number.
    func asker(_ id: UInt64) -> RunTable.Asker {
        RunTable.Asker(client: self.id, user: user, rank: rank, groups: groups, id: id, caller: caller)
    }
}
