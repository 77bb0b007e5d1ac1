import IntentDaemon
import IntentFleet
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Serves one request from a local user.
struct FrontRequests {
    let front: FleetFront
    let number: UInt64
    let owner: String
    let user: UInt32
    /// The account that pays for the user.
    let account: Account
    private let id: UInt64

    private static let historyCount = 100
    private static let historyLimit = 1000

    init(_ front: FleetFront, _ session: FrontSession, _ id: UInt64) {
        self.front = front
        number = session.id
        owner = session.owner
        user = session.user
        account = session.account
        self.id = id
    }

    func serve(_ request: ClientRequest) {
        switch request {
        case .hello:
            if let session = front.session(number) { front.end(session, "only the first message may be hello") }
        case .list: apps(nil) { .apps($0) }
        case .describe(let name):
            apps(name) { $0.first.map(ClientAnswer.app) ?? .refused(Self.unknownApp(name)) }
        case .perform(let request): perform(request)
        case .cancel(let run, _): cancel(run)
        case .watch(let run, _, _): watch(run)
        case .question(let run):
            find(run) { record in
                guard let question = record.openQuestion else { return refuse(Self.noQuestion(run)) }
                let asking = AskingRun(
                    run: record.run,
                    app: record.app,
                    intent: record.intent,
                    user: user,
                    title: nil,
                    question: question
                )
                answer(.asking(asking))
            }
        case .answer(let request): pass(request)
        case .revoke: refuse(Self.noStandingApprovals)
        case .runs: select(.live(owner: owner)) { answer(.runs($0.compactMap { FleetRecord($0)?.live })) }
        case .history(let query): history(query)
        case .story(let run): find(run) { answer(.story($0.story(user: user))) }
        case .logs(let run, let serial): ask(.logs, serial, about: run)
        case .fetch(let run, let first): ask(.file, Int64(max(0, first)), about: run)
        case .discardFiles(let run): ask(.discard, 0, about: run)
        case .files: refuse(Self.tooManyFiles)
        case .metrics: select(.health) { answer(.metrics(text: FleetHealth($0).metrics)) }
        case .status:
            front.database.ask(.health) { health in
                front.database.ask(.hosts) { hosts in
                    if let rows = accept(health) { answer(status(rows, hosts: (try? hosts.get()) ?? [])) }
                }
            }
        case .addShortcut, .shortcuts, .removeShortcut, .startFailed, .ticket, .redeem, .prune, .importRuns, .reload,
            .upgrade:
            refuse(
                .unknownRequest,
                "the service of a fleet does not support this request",
                hint: "send it to intentd, without --fleet"
            )
        }
    }

    // MARK: Answers

    func answer(_ answer: ClientAnswer, files: [SharedFileDescriptor] = []) {
        front.session(number)?.answer(id, answer, files: files)
    }
    func refuse(_ error: ErrorReport) { answer(.refused(error)) }
    func refuse(_ code: ErrorReport.Code, _ message: String, hint: String? = nil) {
        refuse(ErrorReport(code, message, hint: hint))
    }

    /// Returns the value of a result. For a failure, refuses the request and returns nil.
    func accept<Value>(_ result: Result<Value, ErrorReport>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            refuse(error)
            return nil
        }
    }

    /// Sends a statement, and calls `body` with the rows unless the database has refused it.
    private func select(_ statement: ClientStatement, _ body: @escaping ([[String?]]) -> Void) {
        front.database.ask(statement) { result in if let rows = accept(result) { body(rows) } }
    }

    private func status(_ rows: [[String?]], hosts: [[String?]]) -> ClientAnswer {
        let health = FleetHealth(rows)
        var status = DaemonStatus(
            software: FleetRun.software
                + ", a fleet of \(health.hostCount) hosts, of which \(health.livingHostCount) are alive",
            uptime: .nanoseconds(ClockReading.monotonicNanoseconds() - front.startedAt),
            runningCount: health.runningCount,
            queuedCount: health.queuedCount,
            endedCount: 0,
            appCount: 0,
            isolation: nil,
            problems: health.problems(
                at: ClockReading.realtimeNanoseconds() / 1_000_000,
                certificates: front.certificates
            )
        )
        status.hosts = hosts.compactMap { FleetHost($0) }
        return .status(status)
    }

    /// Finds one of this user's runs. Other users' runs are reported as not found.
    private func find(_ text: String, _ body: @escaping (FleetRecord) -> Void) {
        guard let run = RunID(text) else { return refuse(Self.unknownRun(text)) }
        select(.runs([run.fleetNumber])) { rows in
            guard let record = rows.first.flatMap({ FleetRecord($0) }), record.owner == owner else {
                return refuse(Self.unknownRun(text))
            }
            body(record)
        }
    }

    private func apps(_ name: String?, _ make: @escaping ([AppDescription]) -> ClientAnswer) {
        select(.apps(named: name)) { rows in answer(make(OfferedApps.descriptions(rows))) }
    }

    // MARK: Requests

    private func cancel(_ text: String) {
        find(text) { record in
            if let end = record.end { return answer(.ended(end)) }
            front.database.cancel(record.id, .userCancelled) { result in
                guard accept(result) != nil, let session = front.session(number) else { return }
                front.awaitEnd(of: record.id, for: session, id)
            }
        }
    }

    private func watch(_ text: String) {
        find(text) { record in
            guard let session = front.session(number) else { return }
            answer(.watching(WatchedRun(run: record.run, app: record.app, intent: record.intent, live: record.live)))
            guard session.watchCount < FrontSession.watchLimit else {
                return front.end(session, "a connection can subscribe to \(FrontSession.watchLimit) runs")
            }
            front.watch(record.id, by: session)
        }
    }

    private func pass(_ request: AnswerRequest) {
        guard request.files ?? 0 == 0 else {
            _ = front.session(number)?.stream.takeFiles()
            return refuse(Self.noFiles)
        }
        guard request.scope == nil else { return refuse(Self.noStandingApprovals) }
        find(request.run) { record in
            guard let question = record.openQuestion?.question, request.question ?? question.number == question.number,
                request.question != nil || question.kind != .confirmation
            else { return refuse(Self.noQuestion(request.run)) }
            select(.answer(run: record.id, question: question.number, request.value)) { rows in
                guard rows.first?.first == "accepted" else { return refuse(Self.noQuestion(request.run)) }
                if let host = record.node { front.database.hint(host: host) }
                answer(.answerAccepted(run: record.run, question: question.number))
            }
        }
    }

    /// Forwards a request to the host that performed the run, and sends the host's answer to the client.
    private func ask(_ kind: Errand.Kind, _ serial: Int64, about text: String) {
        find(text) { record in
            front.ask(kind, serial, about: record.id) { result in
                switch accept(result) {
                case (.logs(let page), _)?: answer(.logs(page))
                case (.filesDiscarded, _)?: answer(.filesDiscarded(run: record.run))
                // The host sends one file at a time.
                case (.files(let part), let file?)?:
                    let first = Array(part.references.prefix(1))
                    answer(
                        .files(FilePart(run: record.run, references: first, totalCount: part.totalCount)),
                        files: first.isEmpty ? [] : [file.descriptor]
                    )
                case (.refused(let error), _)?: refuse(error)
                case .some: refuse(.historyUnavailable, "the host's answer does not match the request")
                case nil: break
                }
            }
        }
    }

    /// Undoes a run on the host that performed it.
    func undo(_ run: RunID, _ rule: DisconnectRule) {
        find(run.text) { record in
            select(.undo(run: record.id)) { rows in
                guard let made = rows.first?.first.flatMap({ $0 }).flatMap({ Int64($0) }) else {
                    return refuse(Self.unknownRun(run.text))
                }
                front.database.hint()
                guard let session = attach(made, rule) else { return }
                answer(.accepted(run: RunID(fleet: made)))
                front.watch(made, by: session)
            }
        }
    }

    private func history(_ query: HistoryQuery) {
        // As in intentd, `everybody` selects the runs that the user may see. In a fleet, these are the user's own runs.
        guard query.user ?? user == user else {
            return refuse(
                .notPermitted,
                "this service shows users only their own runs",
                hint: "an operator of the fleet sees all runs: intentctl fleet runs"
            )
        }
        guard query.isAnswered == nil else {
            return refuse(.badRequest, "the fleet does not record the answers of users")
        }
        let count = min(max(1, query.count ?? Self.historyCount), Self.historyLimit)
        select(.history(owner: owner, query, count: count)) { rows in
            let records = rows.compactMap { FleetRecord($0) }
            let next = records.count == count ? records.last?.id : nil
            var runs = records.map { $0.summary(user: user) }
            if query.isFailure == true { runs = runs.filter(\.isFailure) }
            answer(.history(HistoryPage(runs: runs, next: next)))
        }
    }

    // MARK: Errors

    private static let noFiles = ErrorReport(
        .badParameter,
        "a fleet cannot transfer the files of an answer",
        hint: "run the intent without --fleet, or pass the files with the request"
    )

    private static let noStandingApprovals = ErrorReport(
        .badAnswer,
        "in a fleet, an approval covers one run",
        hint: "answer without --for"
    )

    static let tooManyFiles = ErrorReport(
        .tooLarge,
        "too many files: a run of a fleet accepts at most \(FleetInput.countLimit)",
        hint: "pack the files into one archive, for example with tar"
    )

    static func unknownApp(_ name: String) -> ErrorReport {
        ErrorReport(
            .unknownApp,
            "no host of the fleet offers an intent of '\(WireCoding.excerpt(name))'",
            hint: "'intentctl list --fleet' lists the intents; Fleet= in the file of an app permits them"
        )
    }

    private static func unknownRun(_ text: String) -> ErrorReport {
        ErrorReport(
            .unknownRun,
            "unknown run '\(WireCoding.excerpt(text))'",
            hint: "'intentctl history --fleet' lists your runs of the fleet"
        )
    }

    private static func noQuestion(_ run: String) -> ErrorReport {
        ErrorReport(.noQuestion, "run \(run) has no open question, or the question has been answered")
    }
}
