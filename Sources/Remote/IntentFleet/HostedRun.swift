package import IntentProtocol

/// A fleet run that this host performs. Decides which messages to send on the run's connection to intentd, and performs
/// no I/O.
///
/// Each attempt has a key. A request that is repeated after intentd or this process has crashed therefore finds the run
/// that the first request created.
package struct HostedRun: Sendable {
    package enum Event: Sendable {
        /// All files that the run receives are on this host.
        case fetched
        /// A file that the run receives cannot be obtained.
        case notFetched(message: String)
        /// The run has a connection on which intentd has accepted ``HostedRun/user``.
        case connected
        /// intentd has refused ``HostedRun/user``.
        case refused(ErrorReport)
        case disconnected
        case received(ClientMessage)
        case stopRequested(NodeLoop.StopReason)
        /// The database has an answer to a question, as JSON.
        case answered(String)
    }

    package enum Action: Sendable, Equatable {
        /// Obtains the files that the run receives.
        case fetch([FleetInput])
        case connect(after: Duration)
        case send(NumberedRequest)
        /// Releases the connection for the owner's next run. All requests on it have been answered.
        case release
        /// Closes the connection. The close is not reported as ``Event/disconnected``.
        case close
        case report(ProgressReport)
        /// Opens a question in the database. With nil, closes the open question.
        case ask(OpenQuestion?)
        case end(FleetRunEnd)
    }

    private enum State: Sendable {
        /// Waits for the files that the run receives.
        case fetching
        case disconnected
        case requesting
        /// intentd performs the run.
        case performing(RunID)
        case ended
    }

    /// The stored form of an answer in the database: the number of its question, and a value.
    private struct StoredAnswer: Decodable {
        var question: UInt64
        var answer: IntentValue
    }

    private let run: FleetRun
    private let request: PerformRequest?
    /// The files that the run receives.
    package let inputs: [FleetInput]
    private var state = State.disconnected
    private var failures = 0
    private var stopReason: NodeLoop.StopReason?
    package private(set) var openQuestion: OpenQuestion?
    /// The question for which an answer was sent to intentd.
    private var answeredQuestion: UInt64?
    /// False when the answer to a request may arrive after the end of the run.
    private var isReleasable = true

    /// The owner's name in requests to intentd. If the owner is a database login role, its name has no `@`, and the
    /// realm DATABASE is appended. DATABASE cannot be the name of a host.
    package var user: String { Self.user(of: run.owner) }

    package static func user(of owner: String) -> String { owner.contains(utf8: "@") ? owner : "\(owner)@DATABASE" }

    /// intentd's identifier for the run; nil until intentd has accepted the run.
    package var local: RunID? { if case .performing(let id) = state { id } else { nil } }

    /// The numbers of the requests on the connection, after the greeting.
    private enum Number {
        static let perform: UInt64 = 2
        static let cancel: UInt64 = 3
        static let answer: UInt64 = 4
    }

    package init(_ run: FleetRun) {
        self.run = run
        let arguments = FleetArguments(json: run.arguments)
        request = arguments?.request(for: run)
        inputs = arguments?.files ?? []
    }

    /// Returns the first actions.
    package mutating func start() -> [Action] {
        guard request != nil else { return end(.notStarted(message: "the run's arguments cannot be read")) }
        guard inputs.isEmpty else {
            state = .fetching
            return [.fetch(inputs)]
        }
        return [.connect(after: .zero)]
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ended, _): return []
        case (.fetching, .fetched):
            state = .disconnected
            return [.connect(after: .zero)]
        case (.fetching, .notFetched(let message)), (.requesting, .notFetched(let message)):
            return end(.notStarted(message: message))
        case (.fetching, .stopRequested(.cancelled(let reason))):
            return end(.cancelled(CancellationReason(name: reason)))
        case (.fetching, .stopRequested):
            return end(.notStarted(message: "the host stopped the run before it had received its files"))
        case (_, .fetched), (_, .notFetched): return []
        case (_, .connected): return perform()
        case (_, .refused(let error)): return refused(error)
        case (_, .disconnected): return disconnected()
        case (_, .received(.answer(let id, let answer))): return answered(id, answer)
        case (.performing(let id), .received(.event(let event))) where event.run == id: return reported(event.event)
        case (_, .received(.event)): return []
        case (_, .stopRequested(let reason)):
            stopReason = stopReason ?? reason
            guard case .performing(let id) = state else { return [] }
            return [cancel(id)]
        case (.performing(let id), .answered(let json)): return pass(json, to: id)
        case (_, .answered): return []
        }
    }

    // MARK: Connection

    private mutating func disconnected() -> [Action] {
        state = .disconnected
        answeredQuestion = nil
        failures += 1
        // A restart of intentd takes milliseconds. A longer outage indicates a problem on the host, so the delay grows.
        return [.connect(after: min(.seconds(5), .milliseconds(50 << min(failures, 10))))]
    }

    // MARK: Messages

    private mutating func answered(_ id: UInt64?, _ answer: ClientAnswer) -> [Action] {
        switch (id, answer) {
        case (Number.perform, .accepted(let run)):
            state = .performing(run)
            failures = 0
            return stopReason == nil ? [] : [cancel(run)]
        case (Number.perform, .refused(let error)): return refused(error)
        case (Number.cancel, .ended(let end)): return finished(end)
        // intentd refused the answer, so the question is opened again.
        case (Number.answer, .refused):
            answeredQuestion = nil
            return openQuestion.map { [.ask(nil), .ask($0)] } ?? []
        // intentd refused the connection. It also closes the connection, so a later attempt follows.
        case (_, .refused): return []
        case (_, .hello), (_, .accepted), (_, .ended), (_, .apps), (_, .app), (_, .watching), (_, .asking),
            (_, .answerAccepted), (_, .revoked), (_, .ticket), (_, .filesReceived), (_, .files), (_, .filesDiscarded),
            (_, .runs),
            (_, .status), (_, .history), (_, .story), (_, .logs), (_, .pruned), (_, .imported), (_, .metrics),
            (_, .reloaded), (_, .upgrading), (_, .startFailureNoted), (_, .shortcutAdded), (_, .shortcuts),
            (_, .shortcutRemoved):
            return []
        }
    }

    private mutating func perform() -> [Action] {
        guard let request else { preconditionFailure("a run without a request has no connection") }
        state = .requesting
        return [.send(NumberedRequest(id: Number.perform, .perform(request)))]
    }

    private mutating func refused(_ error: ErrorReport) -> [Action] {
        switch error.code {
        case .busy, .stopping, .historyUnavailable:
            if case .cancelled(let reason)? = stopReason { return end(.cancelled(CancellationReason(name: reason))) }
            if stopReason != nil { return end(.notStarted(message: error.message)) }
            state = .disconnected
            let pause = max(.milliseconds(100), min(error.retryAfter ?? .seconds(1), .seconds(10)))
            return [.close, .connect(after: pause)]
        default: return end(.notStarted(message: error.message))
        }
    }

    private mutating func reported(_ event: RunEvent) -> [Action] {
        switch event {
        case .progress(let progress): return [.report(progress)]
        case .question(var question):
            let snippet = Self.fitting(question.question.snippet, of: question)
            question.question.snippet = snippet
            openQuestion = question
            return [.ask(question)]
        case .answered, .state:
            guard openQuestion != nil else { return [] }
            if case .state(.asking, _) = event { return [] }
            openQuestion = nil
            return [.ask(nil)]
        case .output: return []
        case .finished(let end): return finished(end)
        }
    }

    private mutating func pass(_ json: String, to id: RunID) -> [Action] {
        guard let stored = WireCoding.value(StoredAnswer.self, in: json),
            stored.question == openQuestion?.question.number, stored.question != answeredQuestion
        else { return [] }
        answeredQuestion = stored.question
        isReleasable = false
        let answer = AnswerRequest(run: id.text, question: stored.question, value: stored.answer)
        return [.send(NumberedRequest(id: Number.answer, .answer(answer)))]
    }

    // MARK: End

    private mutating func finished(_ given: RunEnd) -> [Action] {
        let isReleased = local != nil && isReleasable
        state = .ended
        var end = given
        let fileCount = max(given.fileCount, given.keptFileCount ?? 0)
        // The files remain on this host, and clients fetch them from here.
        (end.fileCount, end.keptFileCount) = (0, fileCount > 0 ? fileCount : nil)
        let snippet = Self.fitting(end.account.details?.snippet, of: end)
        end.account.details?.snippet = snippet
        if WireCoding.encode(end).count > FleetRunEnd.resultLimit {
            end.account.details = nil
            end.outcome = .failed(
                message:
                    "the run was performed, but its result exceeds \(FleetRunEnd.resultLimit) bytes, the limit of a fleet"
            )
        }
        return [isReleased ? .release : .close, .end(FleetRunEnd(run: run.id, attempt: run.attempt, end))]
    }

    /// Returns the snippet of a question or an end. If it is too large for the database, returns a snippet that says
    /// so.
    private static func fitting(_ snippet: Snippet?, of value: some Encodable) -> Snippet? {
        guard let snippet else { return nil }
        // The database adds a space after each comma and each colon.
        let byteCount = WireCoding.encode(value).reduce(0) { count, byte in
            count + (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") ? 2 : 1)
        }
        guard byteCount > FleetRunEnd.resultLimit else { return snippet }
        let text = "The view exceeds \(FleetRunEnd.resultLimit) bytes, the limit of a fleet."
        return Snippet(root: SnippetElement(.text(text)), source: snippet.source)
    }

    private mutating func end(_ outcome: RunOutcome) -> [Action] {
        finished(RunEnd(run: RunID(fleet: run.id), outcome: outcome, account: RunAccount()))
    }

    private mutating func cancel(_ id: RunID) -> Action {
        isReleasable = false
        let reason: CancellationReason? =
            switch stopReason {
            case .cancelled(let name): CancellationReason(name: name)
            case .swept, .leaseEnds, nil: nil
            }
        return .send(NumberedRequest(id: Number.cancel, .cancel(run: id.text, reason: reason)))
    }
}

extension FleetRun {
    /// The service's name and version, which it sends in its `hello`.
    package static let software = "intentd-fleet \(Hello.softwareVersion)"
}

extension FleetRunEnd {
    /// Creates the end of an attempt. The end that intentd reported becomes the result.
    init(run: Int64, attempt: Int, _ end: RunEnd) {
        let message = end.outcome.message ?? end.outcome.kindName
        let (state, reason): (State, String?) =
            switch end.outcome {
            case .done: (.done, nil)
            case .cancelled(let reason): (.cancelled, reason.name)
            case .lost: (.lost, message)
            case .failed, .unanswered, .crashed, .exceeded, .violated, .notStarted, .busy, .hostLost, .unknown:
                (.failed, message)
            }
        self.init(
            run: run,
            attempt: attempt,
            state: state,
            // The end contains intentd's identifier for the run, with which an operator finds the record and the
            // output.
            result: WireCoding.text(end),
            reason: reason
        )
    }
}

extension RunID {
    /// Creates a fleet run's identifier from the run's number in the database.
    package init(fleet number: Int64) { self.init(randomBits: UInt64(bitPattern: number)) }

    /// A fleet run's number in the database.
    package var fleetNumber: Int64 {
        var number: UInt64 = 0
        for (index, character) in text.utf8.enumerated() {
            number |= UInt64(Self.digits.firstIndex(of: character) ?? 0) << (5 * UInt64(index))
        }
        return Int64(bitPattern: number)
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
