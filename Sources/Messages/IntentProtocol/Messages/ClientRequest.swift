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
    /// Ends the standing approval that the approval of a run has left, and the runs that it has approved and that have
    /// not started.
    case revoke(run: String)
    /// Issues a ticket for a run's open question. The user who received the ticket can later redeem it and answer the
    /// question.
    case ticket(TicketRequest)
    /// Redeems a ticket and returns the open question it was issued for. A ticket can be redeemed only once.
    case redeem(RedeemRequest)
    /// Passes files for the next `perform` request on this connection, when the files do not fit into one frame.
    case files(count: Int)
    /// Returns as many files from a run's result as one frame can hold, starting at the index `from`.
    case fetch(run: String, from: Int)
    /// Discards the files in a run's result, because the owner has stored them or does not need them.
    case discardFiles(run: String)
    /// Lists the runs that have not ended and that the user may see.
    case runs
    /// Stores a shortcut of the user, in place of an earlier one of its name.
    case addShortcut(OwnShortcutText)
    /// Lists the shortcuts that the user has stored.
    case shortcuts
    /// Removes a shortcut that the user has stored.
    case removeShortcut(name: String)
    /// Reports that a start of a schedule did not result in a run, because the client could not request it.
    case startFailed(StartFailure)
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
    /// The text of a shortcut (intentd.shortcut(5)) to perform, of at most 64 KiB; nil to perform an installed intent.
    /// `app` and `intent` must then be empty.
    public var plan: String?

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
        answers: AnswersInAdvance? = nil,
        plan: String? = nil
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
        self.plan = plan
    }

    private enum CodingKeys: String, CodingKey {
        case request, app, intent, values
        case fileCount = "files"
        case writable
        case limit = "limitMilliseconds"
        case ceiling = "ceilingMilliseconds"
        case onDisconnect, locale, query, key, retryOf, undoOf, entryPoint,
            traceparent, isInteractive, answers, plan
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        request = try container.decode(RequestID.self, forKey: .request)
        app = try container.decode(String.self, forKey: .app)
        intent = try container.decode(String.self, forKey: .intent)
        values = try container.decodeIfPresent([String: IntentValue].self, forKey: .values) ?? [:]
        fileCount = container.contains(.fileCount) ? try container.decode(Int.self, forKey: .fileCount) : 0
        writable = try container.decodeIfPresent([Int].self, forKey: .writable)
        _limit = try container.decode(OptionalMilliseconds.self, forKey: .limit)
        _ceiling = try container.decode(OptionalMilliseconds.self, forKey: .ceiling)
        let rule = try container.decodeIfPresent(String.self, forKey: .onDisconnect) ?? DisconnectRule.cancel.rawValue
        guard let onDisconnect = DisconnectRule(rawValue: rule) else {
            throw container.problem(.onDisconnect, "expected 'cancel' or 'continue'")
        }
        self.onDisconnect = onDisconnect
        locale = try container.decodeIfPresent(String.self, forKey: .locale)
        query = try container.decodeIfPresent(OptionsQuery.self, forKey: .query)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        retryOf = try container.decodeIfPresent(RunID.self, forKey: .retryOf)
        undoOf = try container.decodeIfPresent(RunID.self, forKey: .undoOf)
        // A newer client can send an entry point that is unknown to this release. `intentd` records `socket` for it.
        entryPoint = try container.decodeIfPresent(String.self, forKey: .entryPoint).flatMap(EntryPoint.init)
        traceparent = try container.decodeIfPresent(String.self, forKey: .traceparent)
        isInteractive = try container.decodeIfPresent(Bool.self, forKey: .isInteractive)
        answers = try container.decodeIfPresent(AnswersInAdvance.self, forKey: .answers)
        plan = try container.decodeIfPresent(String.self, forKey: .plan)
        if let (key, text) = outOfRange { throw container.problem(key, text) }
    }
}

extension PerformRequest {
    /// The maximum length of ``PerformRequest/key``, in bytes.
    public static let keyByteLimit = 200

    /// A member that is out of range, and the reason.
    private var outOfRange: (key: CodingKeys, text: String)? {
        if !(0...FileReference.countLimit).contains(fileCount) {
            return (.fileCount, "expected a number from 0 to \(FileReference.countLimit), got \(fileCount)")
        }
        if let locale, locale.utf8.count > 64 { return (.locale, "expected at most 64 bytes") }
        if !Self.isKey(key) { return (.key, "expected 1 to \(Self.keyByteLimit) bytes") }
        if let traceparent, !TraceContext.isValid(traceparent) {
            return (.traceparent, "expected a W3C Trace Context traceparent")
        }
        for (key, span) in [(CodingKeys.limit, limit), (.ceiling, ceiling)] {
            if let span, span <= .zero { return (key, "expected a number of at least 1") }
        }
        return nil
    }

    /// True if every member is in its range.
    var isInRange: Bool { outOfRange == nil }

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
    /// The time for which an approval also covers later requests (``OpenQuestion/scope``); nil for the run alone.
    @OptionalMilliseconds public var scope: Duration?

    /// Creates an answer.
    public init(run: String, question: UInt64? = nil, value: IntentValue, files: Int? = nil) {
        self.run = run
        self.question = question
        self.value = value
        self.files = files
    }

    private enum CodingKeys: String, CodingKey {
        case run, question, value, files, entryPoint
        case scope = "scopeMilliseconds"
    }
}

/// A start of a schedule that did not result in a run. `[Notify]` counts it as a failure.
public struct StartFailure: Hashable, Sendable, Codable {
    /// The app's name.
    public var app: String
    /// The intent's name.
    public var intent: String
    /// The idempotency key of the start, of the form `schedule:NAME:START`.
    public var key: String
    /// The reason, for a person.
    public var message: String
    /// The account of the schedule, if an operator reports it; nil for the user who reports it.
    public var userName: String?

    /// Creates a report.
    public init(app: String, intent: String, key: String, message: String) {
        self.app = app
        self.intent = intent
        self.key = key
        self.message = message
    }
}

/// The idempotency keys of schedules, `schedule:NAME:START`.
package enum ScheduleKey {
    private static let prefix = "schedule:"

    /// Returns the prefix of the keys of a schedule.
    package static func prefix(of name: String) -> String { "\(prefix)\(name):" }

    /// Returns the name of the schedule to which a key belongs; nil for any other key.
    package static func name(in key: String?) -> String? {
        guard let key, key.hasPrefix(utf8: prefix) else { return nil }
        let rest = key.dropFirst(scalars: prefix.scalarCount)
        guard let end = rest.utf8.lastIndex(of: UInt8(ascii: ":")), end > rest.utf8.startIndex else { return nil }
        return String(Substring(rest.utf8[..<end]))
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
    /// True to return the open question without redeeming the ticket; nil to redeem it.
    public var isPreview: Bool?

    /// Creates a redeem request.
    public init(ticket: String, digest: String, isPreview: Bool? = nil) {
        self.ticket = ticket
        self.digest = digest
        self.isPreview = isPreview
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
    package static let valueLimit = PayloadShape.untrustedValueLimit

    private enum Key: CodingKey { case id }

    public init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Key.self).decode(UInt64.self, forKey: .id)
        request = try ClientRequest(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try request.encode(to: encoder)
    }
}

extension ClientRequest: Codable {
    private enum CodingKeys: String, CaseName {
        case hello, list, describe, perform, cancel, watch, question, answer, runs, status, history, story, logs, prune,
            importRuns = "import", metrics, reload, upgrade, files, fetch, discardFiles, ticket, redeem, startFailed,
            revoke, addShortcut, shortcuts, removeShortcut
    }

    private enum WatchCodingKeys: String, CodingKey { case run, after, isReturn = "isReturn?" }
    private enum FilesCodingKeys: String, CodingKey { case count = "files" }
    private enum FetchCodingKeys: String, CodingKey { case run, from = "from=" }
    private enum LogsCodingKeys: String, CodingKey { case run, after = "after=" }
    private enum ImportRunsCodingKeys: String, CodingKey { case _0 = "stories" }
}
