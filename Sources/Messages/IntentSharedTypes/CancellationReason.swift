/// The reason why a run is cancelled. The app's cancellation handler receives the reason, and the outcome contains it.
/// If several reasons apply, only the first is kept.
public enum CancellationReason: Hashable, Sendable {
    /// The run exceeded its limit without progress, or reached its ceiling.
    case timeout
    /// A user cancelled the run, or declined its confirmation.
    case userCancelled
    /// `intentd` is stopping.
    case serviceStopping
    /// The client disconnected, and its request specified `DisconnectRule.cancel`.
    case clientDisconnected
    /// A newer run from the same user replaced the run (`Concurrency=` with `replace`).
    case replaced
    /// A reason that a newer release added.
    case unknown(String)

    /// Creates a reason from its name. An unrecognized name becomes ``unknown(_:)``.
    public init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// All reasons of this release. `RunNote` stores their indices, so a new reason is appended.
    package static let known: [CancellationReason] = [
        .timeout, .userCancelled, .serviceStopping, .clientDisconnected, .replaced,
    ]

    /// The reason's name in messages and in the journal field INTENT_REASON.
    public var name: String { row.name }
}

extension CancellationReason {
    /// What intentd and its clients say and do about a run that is cancelled for one reason.
    package struct Row: Sendable {
        /// What caused a cancellation. `[Notify]` counts only `intent` as a failure, and `history --failed` everything
        /// except `caller`. The journal warns about `intent`.
        package enum Cause: Sendable {
            case intent, host, caller
        }

        package let name: String
        package let cause: Cause
        /// The exit code of `intentctl run`.
        package let exitCode: Int32
        /// What happened to the run, for the journal's catalogue.
        package let explanation: String
        /// What `intentctl` prints about the run's end. For a timeout, the limit replaces it.
        package private(set) var sentence = ""
        /// What `intentctl why` prints. For a timeout, the limit replaces it.
        package private(set) var verdict = ""

        fileprivate init(_ name: String, _ cause: Cause, _ exitCode: Int32, _ explanation: String) {
            self.name = name
            self.cause = cause
            self.exitCode = exitCode
            self.explanation = explanation
        }

        fileprivate func says(_ sentence: String, why verdict: String) -> Row {
            var row = self
            row.sentence = sentence
            row.verdict = verdict
            return row
        }
    }

    /// The row of the table that describes the reason. In a shell, the exit code 130 means that a program was
    /// interrupted.
    package var row: Row {
        switch self {
        case .timeout:
            Row("timeout", .intent, 124, "it made no progress within its limit, or reached its ceiling")
                .says("timeout", why: "cancelled: timeout")
        case .userCancelled:
            Row("userCancelled", .caller, 130, "a user cancelled it")
                .says("userCancelled", why: "cancelled by a user")
        case .serviceStopping:
            Row("serviceStopping", .host, 143, "intentd was stopped")
                .says("serviceStopping - intentd is stopping", why: "cancelled: intentd was stopped")
        case .clientDisconnected:
            Row("clientDisconnected", .caller, 129, "its client disconnected and did not return").says(
                "clientDisconnected - its client disconnected",
                why: "cancelled: its client disconnected (--on-disconnect continue prevents this)"
            )
        case .replaced:
            Row("replaced", .caller, 130, "a newer run of its user replaced it").says(
                "replaced by a newer run",
                why: "cancelled: replaced by a newer run (Concurrency= or Exclusive=, with replace)"
            )
        // An unknown reason comes from a newer daemon.
        case .unknown(let name): Row(name, .caller, 130, name).says(name, why: "cancelled: \(name)")
        }
    }
}

extension CancellationReason: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
