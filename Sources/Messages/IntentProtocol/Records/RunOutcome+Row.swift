/// The table of the ways in which a run can end: what intentd and its clients say and do about each of them.
///
/// ``CancellationReason/row`` has the details of a cancellation. Texts that this table cannot contain, because they are
/// translated or explain a journal entry, are compared with it by `EndTableTests`.
package struct EndRow: Sendable {
    /// How much the end of a run concerns the operator, as the journal's level.
    package enum Concern: Sendable {
        case none, notice, warning
    }

    /// The name in messages, history and metrics.
    package let name: String
    /// The exit code of `intentctl run`, by its number, which scripts rely on.
    package let exitCode: Int32
    package let concern: Concern
    /// The identifier of the journal entry, which units/catalog explains.
    package let journalMessage: String
    /// What `intentctl` prints before the details.
    package private(set) var sentence = ""
    /// What `intentctl why` prints before the details.
    package private(set) var verdict = ""
    /// What the journal contains before the details.
    package private(set) var phrase = ""
    /// What the description of `IntentRunError` contains before the details.
    package private(set) var clause = ""

    private init(_ name: String, _ exitCode: Int32, _ concern: Concern, _ journalMessage: String) {
        self.name = name
        self.exitCode = exitCode
        self.concern = concern
        self.journalMessage = journalMessage
    }

    private func says(_ sentence: String, why verdict: String, phrase: String? = nil, clause: String? = nil) -> EndRow {
        var row = self
        row.sentence = sentence
        row.verdict = verdict
        row.phrase = phrase ?? sentence
        row.clause = clause ?? sentence
        return row
    }

    /// All rows.
    package static let all = [
        done, failed, unanswered, cancelled, crashed, exceeded, violated, notStarted, busy, lost, hostLost,
    ]

    package static let done = EndRow("done", 0, .none, "fc622e693b12f16c60926263631fbe45")
        .says("done", why: "it succeeded", clause: "returned")
    static let failed = EndRow("failed", 1, .notice, "7d401d9f089d8ec30f4f8a01c9b2bae7")
        .says("failed", why: "the intent threw an error")
    static let unanswered = EndRow("unanswered", 76, .notice, "1c35bbd18fc5b11fc3cf78751f563daf")
        .says("unanswered", why: "it needs a value that was not provided", clause: "needs an answer")
    /// The exit code and the concern are those of the reason.
    package static let cancelled = EndRow("cancelled", 130, .notice, "080f54bff8f592fa8fdb22eab20c02ad")
        .says("cancelled", why: "cancelled", clause: "was cancelled")
    static let crashed = EndRow("crashed", 70, .warning, "5b9d9fcfbb38047d1a594475933ffe00")
        .says("crashed", why: "it crashed")
    static let exceeded = EndRow("exceeded", 71, .warning, "1b061f35f70e43a09fed11d9d6492470")
        .says("exceeded a limit", why: "it exceeded a limit of its sandbox")
    static let violated = EndRow("violated", 70, .warning, "5eec835d3cb2d0cc4742b603b49c8f31").says(
        "killed by intentd",
        why: "intentd killed it because it violated the worker protocol",
        phrase: "killed",
        clause: "was killed by intentd"
    )
    static let notStarted = EndRow("notStarted", 78, .warning, "6b474bfa6b990d62dd5206bb2da23cf6")
        .says("not started", why: "its process could not be started", clause: "was not started")
    static let busy = EndRow("busy", 75, .notice, "f4c2097045185fd64664d0a692e31ef4").says(
        "not started, busy",
        why: "it never started",
        phrase: "busy",
        clause: "was not started because intentd was busy"
    )
    static let lost = EndRow("lost", 70, .warning, "f454547a1876a15220f730f28dc98e48")
        .says("lost", why: "it was lost", clause: "was lost")
    static let hostLost = EndRow("hostLost", 70, .notice, lost.journalMessage)
        .says("host lost", why: "its host was lost", clause: "was lost with its host")
    static func unknown(_ name: String) -> EndRow {
        EndRow(name, 1, .notice, failed.journalMessage)
            .says(name, why: "it ended as '\(name)', which a later release defines", clause: "ended as '\(name)'")
    }
}

/// What an outcome adds to its row.
package enum EndDetail: Sendable {
    case result(dialog: String?)
    case message(String)
    case question(parameter: String?, String)
    case reason(CancellationReason)
    case exit(ProcessEnd)
}

extension RunOutcome {
    /// The row of the table that describes the outcome, and what the outcome adds to it.
    package var described: (row: EndRow, detail: EndDetail) {
        switch self {
        case .done(_, let dialog): (.done, .result(dialog: dialog))
        case .failed(let message): (.failed, .message(message))
        case .unanswered(let parameter, let question): (.unanswered, .question(parameter: parameter, question))
        case .cancelled(let reason): (.cancelled, .reason(reason))
        case .crashed(let end): (.crashed, .exit(end))
        case .exceeded(let limit): (.exceeded, .message(limit.message))
        case .violated(let message): (.violated, .message(message))
        case .notStarted(let message): (.notStarted, .message(message))
        case .busy(let message): (.busy, .message(message))
        case .lost(let message): (.lost, .message(message))
        case .hostLost(let message): (.hostLost, .message(message))
        case .unknown(let kind, let message): (.unknown(kind), .message(message))
        }
    }

    package var row: EndRow { described.row }

    /// The outcome's name in messages, history and metrics.
    public var kindName: String { row.name }

    /// The outcome's message for users; nil when the outcome has no message.
    public var message: String? {
        switch described.detail {
        case .result(let dialog): dialog
        case .message(let message), .question(_, let message): message
        case .reason, .exit: nil
        }
    }

    /// The reason for a cancellation; nil for any other end.
    package var reason: CancellationReason? { if case .cancelled(let reason) = self { reason } else { nil } }

    /// The exit code of `intentctl run`.
    package var exitCode: Int32 {
        // SIGXCPU (24) and SIGXFSZ (25) mean that a limit on processor time or file size was exceeded.
        if self == .crashed(.signaled(signal: 24)) || self == .crashed(.signaled(signal: 25)) {
            return EndRow.exceeded.exitCode
        }
        return reason?.row.exitCode ?? row.exitCode
    }
}
