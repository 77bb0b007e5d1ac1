/// A request that a client sends to `intentd`.
public enum ClientRequest: Hashable, Sendable {
    /// Exchanges versions. This request must be the first, and must not be repeated.
    case hello(Hello)
    /// Lists the installed apps, with their catalogues.
    case list
    /// Describes one app.
    case describe(app: String)
    /// Performs an intent.
    case perform(PerformRequest)
    /// Cancels a run. The answer is sent after all processes of the run have exited.
    ///
    /// Only a fleet's service sends a reason: it passes on the reason for a cancellation on another host. `intentd`
    /// ignores a reason from any other client.
    case cancel(run: String, reason: CancellationReason? = nil)
    /// Subscribes to the future events of a run, even if another connection requested the run. Closing this connection
    /// does not cancel the run.
    ///
    /// If `after` is set, the newest state and progress after the event with that serial are sent first. If `isReturn`
    /// is true, the owner has reconnected and regains its previous subscription.
    case watch(run: String, after: UInt64?, isReturn: Bool = false)
    /// Returns a run's open question.
    case question(run: String)
    /// Answers a run's open question.
    case answer(AnswerRequest)
    /// Issues a ticket for a run's open question. The user who received the ticket can later redeem it and answer the
    /// question.
    case ticket(TicketRequest)
    /// Redeems a ticket and returns the open question it was issued for. A ticket can be redeemed only once.
    case redeem(RedeemRequest)
    /// Passes files for the next `perform` request on this connection, when the files do not fit into one frame.
    case files(count: Int)
    /// Returns as many files from a run's result as one frame can hold, starting at the index `from`.
    case fetch(run: String, from: Int)
    /// Discards the files in a run's result, because the owner has received them or does not need them.
    case discardFiles(run: String)
    /// Lists the runs that have not ended and that the user may see.
    case runs
    /// Returns the daemon's counters and problems.
    case status
    /// Lists recorded runs.
    case history(HistoryQuery)
    /// Returns everything that is recorded about one run.
    case story(run: String)
    /// Returns the output of a run, starting after the piece with the serial `after`.
    case logs(run: String, after: Int64)
    /// Removes runs from history. For operators only.
    case prune(PruneRequest)
    /// Imports runs from another history database. For operators only.
    case importRuns([RunStory])
    /// Returns the number and duration of all runs since the daemon started, in the OpenMetrics text format. For
    /// operators only.
    case metrics
    /// Reloads the operator's files. For operators only. Current runs keep their previous rules.
    case reload
    /// Replaces the daemon with the newly installed program. For operators only. Current runs continue.
    case upgrade
}

/// A request to perform an intent. The files in its values are sent with the frame.
public struct PerformRequest: Hashable, Sendable, Codable {
    /// The request's identifier. Repeated requests with the same identifier refer to one run.
    public var request: RequestID
    /// The app's name.
    public var app: String
    /// The intent's name, with or without the suffix `Intent`.
    public var intent: String
    /// The values by parameter name.
    public var values: [String: IntentValue]
    /// The number of files in this frame and in the `files` requests before it.
    public var fileCount: Int
    /// The indices of files that the run may also write to; nil when all files are read-only.
    public var writable: [Int]?
    /// The requested time limit, at least 1 ms; nil for the intent's own limit. The operator's maximum still applies.
    @OptionalMilliseconds public var limit: Duration?
    /// The requested ceiling, at least 1 ms; nil for the intent's own ceiling. The operator's maximum still applies.
    @OptionalMilliseconds public var ceiling: Duration?
    /// Whether the run is cancelled or continues when this connection closes.
    public var onDisconnect: DisconnectRule
    /// The caller's locale, in the form of `LANG`: `de_AT.UTF-8`. At most 64 bytes.
    public var locale: String?
    /// A query for the options of a parameter. If it is set, the intent is not performed, and the options are the run's
    /// value.
    public var query: OptionsQuery?
    /// An idempotency key of 1 to 200 bytes. While the run is on record, requests with the same key refer to this run.
    public var key: String?
    /// The run to retry. The new run starts after all processes of the earlier run have exited.
    public var retryOf: RunID?
    /// The run to undo, which can be undone only once. The new run performs the intent that the earlier run registered
    /// as its undo. `app`, `intent`, `values` and `key` must be empty.
    public var undoOf: RunID?
    /// The entry point of the request; nil for ``EntryPoint/socket``.
    public var entryPoint: EntryPoint?
    /// The request's W3C Trace Context, which is passed to the worker and recorded in history.
    public var traceparent: String?
    /// True when a person is waiting for the run. It then precedes the caller's other runs of equal priority in the
    /// backlog.
    public var isInteractive: Bool?
    /// The answers in advance to questions that the run may ask; nil if there are no answers in advance.
    public var answers: AnswersInAdvance?

    /// Creates a `perform` request with a new identifier.
    public init(
        request: RequestID = RequestID(),
        app: String,
        intent: String,
        values: [String: IntentValue] = [:],
        fileCount: Int = 0,
        writable: [Int]? = nil,
        limit: Duration? = nil,
        ceiling: Duration? = nil,
        onDisconnect: DisconnectRule = .cancel,
        locale: String? = nil,
        query: OptionsQuery? = nil,
        key: String? = nil,
        retryOf: RunID? = nil,
        undoOf: RunID? = nil,
        entryPoint: EntryPoint? = nil,
        traceparent: String? = nil,
        isInteractive: Bool? = nil,
        answers: AnswersInAdvance? = nil
    ) {
        self.request = request
        self.app = app
        self.intent = intent
        self.values = values
        self.fileCount = fileCount
        self.writable = writable
        self.limit = limit
        self.ceiling = ceiling
        self.onDisconnect = onDisconnect
        self.locale = locale
        self.query = query
        self.key = key
        self.retryOf = retryOf
        self.undoOf = undoOf
        self.entryPoint = entryPoint
        self.traceparent = traceparent
        self.isInteractive = isInteractive
        self.answers = answers
    }

    private enum CodingKeys: String, CodingKey {
        case request, app, intent, values
        case fileCount = "files"
        case writable
        case limit = "limitMilliseconds"
        case ceiling = "ceilingMilliseconds"
        case onDisconnect, locale, query, key, retryOf, undoOf, entryPoint,
            traceparent, isInteractive, answers
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        request = try container.decode(RequestID.self, forKey: .request)
        app = try container.decode(String.self, forKey: .app)
        intent = try container.decode(String.self, forKey: .intent)
        values = try container.decodeIfPresent([String: IntentValue].self, forKey: .values) ?? [:]
        fileCount = container.contains(.fileCount) ? try container.decodeDescriptorCount(forKey: .fileCount) : 0
        writable = try container.decodeIfPresent([Int].self, forKey: .writable)
        limit = try container.decodeIfPresent(Int64.self, forKey: .limit).map { .milliseconds($0) }
        ceiling = try container.decodeIfPresent(Int64.self, forKey: .ceiling).map { .milliseconds($0) }
        let rule = try container.decodeIfPresent(String.self, forKey: .onDisconnect) ?? DisconnectRule.cancel.rawValue
        guard let onDisconnect = DisconnectRule(rawValue: rule) else {
            throw container.problem(.onDisconnect, "expected 'cancel' or 'continue'")
        }
        self.onDisconnect = onDisconnect
        locale = try container.decodeIfPresent(String.self, forKey: .locale)
        if let locale, locale.utf8.count > 64 {
            throw container.problem(.locale, "expected at most 64 bytes")
        }
        query = try container.decodeIfPresent(OptionsQuery.self, forKey: .query)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        retryOf = try container.decodeIfPresent(RunID.self, forKey: .retryOf)
        undoOf = try container.decodeIfPresent(RunID.self, forKey: .undoOf)
        // A newer client can send an entry point that is unknown to this release. `intentd` records `socket` for it.
        entryPoint = try container.decodeIfPresent(String.self, forKey: .entryPoint).flatMap(EntryPoint.init)
        traceparent = try container.decodeIfPresent(String.self, forKey: .traceparent)
        isInteractive = try container.decodeIfPresent(Bool.self, forKey: .isInteractive)
        answers = try container.decodeIfPresent(AnswersInAdvance.self, forKey: .answers)
        if !Self.isKey(key) {
            throw container.problem(.key, "expected 1 to \(Self.keyByteLimit) bytes")
        }
        if let traceparent, !TraceContext.isValid(traceparent) {
            throw container.problem(.traceparent, "expected a W3C Trace Context traceparent")
        }
        for (key, span) in [(CodingKeys.limit, limit), (.ceiling, ceiling)] {
            if let span, span <= .zero {
                throw container.problem(key, "expected a number of at least 1")
            }
        }
    }
}

extension PerformRequest {
    /// The maximum length of ``PerformRequest/key``, in bytes.
    public static let keyByteLimit = 200

    static func isKey(_ key: String?) -> Bool { key.map { (1...keyByteLimit).contains($0.utf8.count) } ?? true }
}

/// An answer to a run's open question.
public struct AnswerRequest: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: String
    /// The question's number; nil to answer the question that is open. Required for a confirmation.
    public var question: UInt64?
    /// The answer, a value of the question's type.
    public var value: IntentValue
    /// The number of descriptors that are sent with this frame; nil if no descriptor is sent.
    public var files: Int?
    /// The entry point of the answer; nil if unspecified.
    public var entryPoint: EntryPoint?

    /// Creates an answer.
    public init(run: String, question: UInt64? = nil, value: IntentValue, files: Int? = nil) {
        self.run = run
        self.question = question
        self.value = value
        self.files = files
    }
}

/// A request for a ticket that permits answering a run's open question.
public struct TicketRequest: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: String
    /// The question's number.
    public var question: UInt64
    /// A string of 1 to 200 bytes that identifies the call that the question interrupted. ``RedeemRequest`` must
    /// contain the same string.
    public var digest: String

    /// Creates a ticket request.
    public init(run: String, question: UInt64, digest: String) {
        self.run = run
        self.question = question
        self.digest = digest
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        run = try container.decode(String.self, forKey: .run)
        question = try container.decode(UInt64.self, forKey: .question)
        digest = try container.decode(String.self, forKey: .digest)
        guard PerformRequest.isKey(digest) else { throw container.problem(.digest, "expected 1 to 200 bytes") }
    }
}

/// A request to redeem a ticket.
public struct RedeemRequest: Hashable, Sendable, Codable {
    /// The ticket.
    public var ticket: String
    /// The string that identifies the interrupted call, equal to ``TicketRequest/digest``.
    public var digest: String

    /// Creates a redeem request.
    public init(ticket: String, digest: String) {
        self.ticket = ticket
        self.digest = digest
    }
}

/// What happens to a run when the client that requested it disconnects.
public enum DisconnectRule: String, Hashable, Sendable, Codable {
    /// The run is cancelled. After a restart of `intentd`, the run is cancelled unless the client reconnects within 30
    /// s.
    case cancel
    /// The run continues.
    case `continue`
}

/// A request with the number by which the answer refers to it.
public struct NumberedRequest: Hashable, Sendable {
    /// The request's number, chosen by the client. The number is unique among the client's open requests.
    public var id: UInt64
    /// The request.
    public var request: ClientRequest

    /// Creates a numbered request.
    public init(id: UInt64, _ request: ClientRequest) {
        self.id = id
        self.request = request
    }

    /// Returns the request number from a payload that is not a valid request, so that the error can name the request.
    public static func id(in payload: [UInt8]) -> UInt64? {
        PayloadShape.number(named: "id", in: payload)
    }
}

extension NumberedRequest: Codable {
    public init(from decoder: any Decoder) throws {
        id = try decoder.field(.id)
        request = try ClientRequest(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encodeFields((.id, id))
        try request.encode(to: encoder)
    }
}

extension ClientRequest: Codable {
    private enum Kind: String {
        case hello, list, describe, perform, cancel, watch, question, answer, runs, status, history, story, logs, prune,
            importRuns = "import", metrics, reload, upgrade, files, fetch, discardFiles, ticket, redeem
    }

    public init(from decoder: any Decoder) throws {
        switch try decoder.messageKind(Kind.self) {
        case .hello: self = .hello(try Hello(from: decoder))
        case .list: self = .list
        case .describe: self = .describe(app: try decoder.field(.app))
        case .perform: self = .perform(try PerformRequest(from: decoder))
        case .cancel:
            self = .cancel(run: try decoder.field(.run), reason: try decoder.optionalField(.reason))
        case .watch:
            self = .watch(
                run: try decoder.field(.run),
                after: try decoder.optionalField(.after),
                isReturn: try decoder.optionalField(.isReturn) ?? false
            )
        case .question: self = .question(run: try decoder.field(.run))
        case .answer: self = .answer(try AnswerRequest(from: decoder))
        case .ticket: self = .ticket(try TicketRequest(from: decoder))
        case .redeem: self = .redeem(try RedeemRequest(from: decoder))
        case .files: self = .files(count: try decoder.field(.files))
        case .fetch:
            self = .fetch(run: try decoder.field(.run), from: try decoder.optionalField(.from) ?? 0)
        case .discardFiles: self = .discardFiles(run: try decoder.field(.run))
        case .runs: self = .runs
        case .status: self = .status
        case .history: self = .history(try HistoryQuery(from: decoder))
        case .story: self = .story(run: try decoder.field(.run))
        case .logs:
            self = .logs(run: try decoder.field(.run), after: try decoder.optionalField(.after) ?? 0)
        case .prune: self = .prune(try PruneRequest(from: decoder))
        case .importRuns: self = .importRuns(try decoder.field(.stories))
        case .metrics: self = .metrics
        case .reload: self = .reload
        case .upgrade: self = .upgrade
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello): try encoder.encodeMessage(Kind.hello, hello)
        case .list: try encoder.encodeMessage(Kind.list)
        case .describe(let app): try encoder.encodeMessage(Kind.describe, (.app, app))
        case .perform(let request): try encoder.encodeMessage(Kind.perform, request)
        case .cancel(let run, let reason): try encoder.encodeMessage(Kind.cancel, (.run, run), (.reason, reason))
        case .watch(let run, let after, let isReturn):
            try encoder.encodeMessage(Kind.watch, (.run, run), (.after, after), (.isReturn, isReturn ? true : nil))
        case .question(let run): try encoder.encodeMessage(Kind.question, (.run, run))
        case .answer(let answer): try encoder.encodeMessage(Kind.answer, answer)
        case .ticket(let request): try encoder.encodeMessage(Kind.ticket, request)
        case .redeem(let request): try encoder.encodeMessage(Kind.redeem, request)
        case .files(let count): try encoder.encodeMessage(Kind.files, (.files, count))
        case .fetch(let run, let from): try encoder.encodeMessage(Kind.fetch, (.run, run), (.from, from))
        case .discardFiles(let run): try encoder.encodeMessage(Kind.discardFiles, (.run, run))
        case .runs: try encoder.encodeMessage(Kind.runs)
        case .status: try encoder.encodeMessage(Kind.status)
        case .history(let query): try encoder.encodeMessage(Kind.history, query)
        case .story(let run): try encoder.encodeMessage(Kind.story, (.run, run))
        case .logs(let run, let serial): try encoder.encodeMessage(Kind.logs, (.run, run), (.after, serial))
        case .prune(let request): try encoder.encodeMessage(Kind.prune, request)
        case .importRuns(let stories): try encoder.encodeMessage(Kind.importRuns, (.stories, stories))
        case .metrics: try encoder.encodeMessage(Kind.metrics)
        case .reload: try encoder.encodeMessage(Kind.reload)
        case .upgrade: try encoder.encodeMessage(Kind.upgrade)
        }
    }
}
