import IntentProtocol

/// The end of a fleet run on this host. Remains in the outbox until the database has given a verdict.
package struct FleetRunEnd: Codable, Sendable, Equatable {
    package var run: Int64
    package var attempt: Int
    package var state: State
    /// The result, as a JSON value.
    package var result: String?
    package var reason: String?

    package enum State: String, Codable, Sendable {
        case done
        case failed
        case cancelled
        /// The host does not know how the attempt ended. The database repeats the run if its policy permits, and
        /// otherwise records `failed`.
        case lost
    }

    /// The maximum size of a result that the database accepts, in bytes.
    static let resultLimit = 65_536
    static let reasonLimit = 1024

    /// Omits a result that is too large, and truncates a reason that is too long, so that every run has an end.
    package init(run: Int64, attempt: Int, state: State, result: String? = nil, reason: String? = nil) {
        self.run = run
        self.attempt = attempt
        self.state = state
        let fits = (result?.utf8.count ?? 0) <= Self.resultLimit
        self.result = fits ? result : nil
        let reason = fits ? reason : "the result exceeds \(Self.resultLimit) bytes"
        self.reason = reason.map { String($0.prefix(utf8: Self.reasonLimit)) }
    }

    /// The end that replaces a refused end, so that one invalid result does not delay the other ends.
    var withoutResult: FleetRunEnd {
        FleetRunEnd(run: run, attempt: attempt, state: .failed, reason: "the database refused the result")
    }
}

/// The database's verdict on an end.
package struct EndVerdict: Sendable, Equatable {
    package var run: Int64
    package var kind: Kind

    package enum Kind: String, Sendable {
        /// The database has stored the result.
        case committed
        /// This host no longer held the attempt, so the result is discarded.
        case stale
    }

    package init(_ run: Int64, _ kind: Kind) {
        self.run = run
        self.kind = kind
    }
}

extension FleetRunEnd {
    /// The contents of the end's file in the outbox.
    package var bytes: [UInt8] { WireCoding.encode(self) }

    /// Decodes the contents of a file in the outbox. Returns nil if the file is damaged.
    package init?(bytes: [UInt8]) {
        guard let end = try? WireCoding.decodeFile(FleetRunEnd.self, from: bytes) else { return nil }
        self = end
    }
}
