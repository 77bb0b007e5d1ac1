import IntentProtocol

/// How a run of the fleet ended on this host. It stays in the outbox until the database has given a verdict.
package struct RunEnd: Codable, Sendable, Equatable {
    package var run: Int64
    package var attempt: Int
    package var state: State
    /// A JSON value.
    package var result: String?
    package var reason: String?

    package enum State: String, Codable, Sendable {
        case done
        case failed
        case cancelled
    }

    /// The most that the database accepts of a result, in bytes.
    static let resultLimit = 65_536
    static let reasonLimit = 1024

    /// A result that exceeds the limit is left out, and a reason is cut: a run has an end in any case.
    package init(run: Int64, attempt: Int, state: State, result: String? = nil, reason: String? = nil) {
        self.run = run
        self.attempt = attempt
        self.state = state
        let fits = (result?.utf8.count ?? 0) <= Self.resultLimit
        self.result = fits ? result : nil
        self.reason = (fits ? reason : "the result exceeds \(Self.resultLimit) bytes").map(Self.cut)
    }

    private static func cut(_ text: String) -> String {
        var text = text
        while text.utf8.count > reasonLimit { text.removeLast() }
        return text
    }

    /// What replaces an end that the database refuses, so that one bad result does not hold up the others.
    var withoutResult: RunEnd {
        RunEnd(run: run, attempt: attempt, state: .failed, reason: "the database refused the result")
    }
}

/// What the database decided about an end.
package struct EndVerdict: Sendable, Equatable {
    package var run: Int64
    package var kind: Kind

    package enum Kind: String, Sendable {
        /// The result counts.
        case committed
        /// The attempt was no longer this host's: the result is void.
        case stale
    }

    package init(_ run: Int64, _ kind: Kind) {
        self.run = run
        self.kind = kind
    }
}

extension RunEnd {
    /// The end as a file of the outbox.
    package var bytes: [UInt8] { WireCoding.encode(self) }

    /// An end from a file of the outbox; nil if the file is damaged.
    package init?(bytes: [UInt8]) {
        guard let end = try? WireCoding.decodeOwn(RunEnd.self, from: bytes) else { return nil }
        self = end
    }
}
