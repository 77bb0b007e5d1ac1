/// What a client may ask of `intentd`.
public enum ClientRequest: Hashable, Sendable {
    /// Must be the first message, and only the first.
    case hello(Hello)
    /// The apps that are installed, with their catalogues.
    case list
    /// One app's catalogue.
    case describe(app: String)
    /// Run an intent.
    case perform(PerformRequest)
    /// Stop a run; answered when nothing of it is left.
    case cancel(run: String)
    /// Follow a run from now on, of whatever connection; nothing becomes of it when this one ends.
    ///
    /// With a serial, what is known of the run after that event is told first.
    /// One who comes back to his own run is to it what he was before.
    case watch(run: String, after: UInt64?, isReturn: Bool = false)
    /// The question that a run waits with.
    case question(run: String)
    /// What somebody says to a run's question.
    case answer(AnswerRequest)
    /// Files for the next `perform` of this connection, which has more than ride with one frame.
    case files(count: Int)
    /// The files of a run's result, from that one on: as many as ride with one frame.
    case fetch(run: String, from: Int)
    /// Who asked for a run has its files, or wants none of them.
    case discardFiles(run: String)
    /// The caller's runs that have not ended.
    case runs
    /// The daemon at a glance.
    case status
    /// Runs on record.
    case history(HistoryQuery)
    /// All that is on record of one run.
    case story(run: String)
    /// What a run printed, after that piece of it.
    case logs(run: String, after: Int64)
    /// Remove runs from the record: to the operator alone.
    case prune(PruneRequest)
    /// Counts and times of all runs since the daemon's start, as OpenMetrics text.
    case metrics
    /// Read the operator's files again: to the operator alone. Runs that are there keep the rules they began with.
    case reload
    /// Become the program that took the daemon's place on disk: to the operator alone. Runs that are there go on.
    case upgrade
}

/// The wish to run an intent. Its files ride with the frame.
public struct PerformRequest: Hashable, Sendable, Codable {
    /// Made by the client; the same again means the same run, not another.
    public var request: RequestID
    public var app: String
    public var intent: String
    /// By parameter name, as declared.
    public var values: [String: IntentValue]
    /// How many files it has: those that ride with this frame, and before them those of `files`.
    public var fileCount: Int
    /// The places, from 0, of those that the run may write too; nil: it may read all and write none.
    public var writable: [Int]?
    /// A limit that the caller wishes instead of the intent's own; the operator's cap wins.
    @OptionalMilliseconds public var limit: Duration?
    /// The same for the ceiling that progress cannot pass.
    @OptionalMilliseconds public var ceiling: Duration?
    /// What becomes of the run when this connection ends.
    public var onDisconnect: DisconnectRule
    /// The language of the one who asks, as in `LANG`: `de_AT.UTF-8`.
    public var locale: String?
    /// What is wished instead of performing: the options of a parameter are then the run's value.
    public var query: OptionsQuery?
    /// Made by a person or a program: the same wish by the same key is the same run, as long as it is on record.
    public var key: String?
    /// The run that this one is another try of: it starts when nothing of that is left.
    public var retryOf: RunID?
    /// The run that this one takes back, once: what it performs is what that one registered. Its own `app`, `intent`,
    /// `values` and `key` are empty.
    public var undoOf: RunID?
    /// The way by which the wish came to the client; nil for the socket itself.
    public var door: Door?
    /// W3C Trace Context, for the worker and the record.
    public var traceparent: String?
    /// Somebody waits for it and sees that: of its user's runs that wait for a place it goes first.
    public var isInteractive: Bool?
    /// What is said beforehand to questions; nil: nothing.
    public var answers: AnswersInAdvance?

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
        door: Door? = nil,
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
        self.door = door
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
        case onDisconnect, locale, query, key, retryOf, undoOf, door,
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
            throw container.problem(.onDisconnect, "takes 'cancel' or 'continue'")
        }
        self.onDisconnect = onDisconnect
        locale = try container.decodeIfPresent(String.self, forKey: .locale)
        if let locale, locale.utf8.count > 64 {
            throw container.problem(.locale, "has more than 64 bytes")
        }
        query = try container.decodeIfPresent(OptionsQuery.self, forKey: .query)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        retryOf = try container.decodeIfPresent(RunID.self, forKey: .retryOf)
        undoOf = try container.decodeIfPresent(RunID.self, forKey: .undoOf)
        // A door of a newer client came by the socket, as all of them do.
        door = try container.decodeIfPresent(String.self, forKey: .door).flatMap(Door.init)
        traceparent = try container.decodeIfPresent(String.self, forKey: .traceparent)
        isInteractive = try container.decodeIfPresent(Bool.self, forKey: .isInteractive)
        answers = try container.decodeIfPresent(AnswersInAdvance.self, forKey: .answers)
        if !Self.isKey(key) {
            throw container.problem(.key, "must have 1 to \(Self.keyByteLimit) bytes")
        }
        if let traceparent, !TraceContext.isValid(traceparent) {
            throw container.problem(.traceparent, "is no traceparent of W3C Trace Context")
        }
        for (key, wish) in [
            (CodingKeys.limit, limit), (.ceiling, ceiling),
        ] {
            if let wish, wish <= .zero {
                throw container.problem(key, "must be at least 1")
            }
        }
    }
}

extension PerformRequest {
    /// The longest key.
    public static let keyByteLimit = 200

    static func isKey(_ key: String?) -> Bool { key.map { (1...keyByteLimit).contains($0.utf8.count) } ?? true }
}

/// What somebody says to a run's question.
public struct AnswerRequest: Hashable, Sendable, Codable {
    public var run: String
    /// The question that it is for; nil: the one that is open, unless that is a confirmation.
    public var question: UInt64?
    public var value: IntentValue
    /// How many descriptors ride with this frame; nil: none.
    public var files: Int?

    public init(run: String, question: UInt64? = nil, value: IntentValue, files: Int? = nil) {
        self.run = run
        self.question = question
        self.value = value
        self.files = files
    }
}

/// What becomes of a run when the client that asked for it goes away.
public enum DisconnectRule: String, Hashable, Sendable, Codable {
    case cancel
    case `continue`
}

/// A request with the number that its answer repeats.
public struct NumberedRequest: Hashable, Sendable {
    /// Chosen by the client, unique among its open requests.
    public var id: UInt64
    public var request: ClientRequest

    public init(id: UInt64, _ request: ClientRequest) {
        self.id = id
        self.request = request
    }

    /// The number of a payload whose request could not be decoded, so that the error can name it.
    public static func id(in payload: [UInt8]) -> UInt64? {
        struct Numbered: Decodable { var id: UInt64 }
        // A payload without a readable number gets an error without one: nothing else can be said of it.
        return try? WireCoding.decode(Numbered.self, from: payload).id
    }
}

extension NumberedRequest: Codable {
    public init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: MessageKey.self).decode(UInt64.self, forKey: .id)
        request = try ClientRequest(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MessageKey.self)
        try container.encode(id, forKey: .id)
        try request.encode(to: encoder)
    }
}

extension ClientRequest: Codable {
    private enum Kind: String {
        case hello, list, describe, perform, cancel, watch, question, answer, runs, status, history, story, logs, prune,
            metrics, reload, upgrade, files, fetch, discardFiles
    }
    private struct App: Codable { var app: String }
    private struct Run: Codable { var run: String }
    private struct Watch: Codable {
        var run: String
        var after: UInt64?
        var isReturn: Bool?
    }
    private struct Files: Codable { var files: Int }
    private struct Fetch: Codable {
        var run: String
        var from: Int?
    }
    private struct Logs: Codable {
        var run: String
        var after: Int64?
    }

    public init(from decoder: any Decoder) throws {
        switch try decoder.messageKind(Kind.self) {
        case .hello: self = .hello(try Hello(from: decoder))
        case .list: self = .list
        case .describe: self = .describe(app: try App(from: decoder).app)
        case .perform: self = .perform(try PerformRequest(from: decoder))
        case .cancel: self = .cancel(run: try Run(from: decoder).run)
        case .watch:
            let fields = try Watch(from: decoder)
            self = .watch(run: fields.run, after: fields.after, isReturn: fields.isReturn ?? false)
        case .question: self = .question(run: try Run(from: decoder).run)
        case .answer: self = .answer(try AnswerRequest(from: decoder))
        case .files: self = .files(count: try Files(from: decoder).files)
        case .fetch:
            let fields = try Fetch(from: decoder)
            self = .fetch(run: fields.run, from: fields.from ?? 0)
        case .discardFiles: self = .discardFiles(run: try Run(from: decoder).run)
        case .runs: self = .runs
        case .status: self = .status
        case .history: self = .history(try HistoryQuery(from: decoder))
        case .story: self = .story(run: try Run(from: decoder).run)
        case .logs:
            let fields = try Logs(from: decoder)
            self = .logs(run: fields.run, after: fields.after ?? 0)
        case .prune: self = .prune(try PruneRequest(from: decoder))
        case .metrics: self = .metrics
        case .reload: self = .reload
        case .upgrade: self = .upgrade
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello): try encoder.encodeMessage(Kind.hello, hello)
        case .list: try encoder.encodeMessage(Kind.list)
        case .describe(let app): try encoder.encodeMessage(Kind.describe, App(app: app))
        case .perform(let request): try encoder.encodeMessage(Kind.perform, request)
        case .cancel(let run): try encoder.encodeMessage(Kind.cancel, Run(run: run))
        case .watch(let run, let after, let isReturn):
            try encoder.encodeMessage(Kind.watch, Watch(run: run, after: after, isReturn: isReturn ? true : nil))
        case .question(let run): try encoder.encodeMessage(Kind.question, Run(run: run))
        case .answer(let answer): try encoder.encodeMessage(Kind.answer, answer)
        case .files(let count): try encoder.encodeMessage(Kind.files, Files(files: count))
        case .fetch(let run, let from): try encoder.encodeMessage(Kind.fetch, Fetch(run: run, from: from))
        case .discardFiles(let run): try encoder.encodeMessage(Kind.discardFiles, Run(run: run))
        case .runs: try encoder.encodeMessage(Kind.runs)
        case .status: try encoder.encodeMessage(Kind.status)
        case .history(let query): try encoder.encodeMessage(Kind.history, query)
        case .story(let run): try encoder.encodeMessage(Kind.story, Run(run: run))
        case .logs(let run, let serial): try encoder.encodeMessage(Kind.logs, Logs(run: run, after: serial))
        case .prune(let wish): try encoder.encodeMessage(Kind.prune, wish)
        case .metrics: try encoder.encodeMessage(Kind.metrics)
        case .reload: try encoder.encodeMessage(Kind.reload)
        case .upgrade: try encoder.encodeMessage(Kind.upgrade)
        }
    }
}
