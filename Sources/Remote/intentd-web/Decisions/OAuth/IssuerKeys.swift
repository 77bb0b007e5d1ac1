import IntentProtocol

/// The keys of the issuers, and when to fetch them again. A sender of tokens cannot cause more fetches than one in
/// ``pause`` for each issuer.
package struct IssuerKeys: Sendable {
    /// The time after which keys are fetched again, between two attempts, and after which keys are not used any more.
    package static let life: Duration = .seconds(3600)
    package static let pause: Duration = .seconds(10)
    package static let limit: Duration = .seconds(24 * 3600)

    private struct Entry: Sendable {
        var keys: [IssuerKey] = []
        var fetched: Duration?
        var tried: Duration?
        var isFetching = false
    }

    package enum Answer: Equatable, Sendable {
        /// The keys that the token may be signed with.
        case keys([IssuerKey])
        /// The keys are being fetched: decide again when they have arrived.
        case wait
        case unknownKey
    }

    private var entries: [String: Entry]

    /// - Parameter issuers: The issuers that the operator names.
    package init(_ issuers: [String]) { entries = Dictionary(uniqueKeysWithValues: issuers.map { ($0, Entry()) }) }

    package var hasIssuers: Bool { !entries.isEmpty }

    package func isKnown(_ issuer: String) -> Bool { entries[issuer] != nil }

    /// Returns the keys for a token of a known issuer. Requests a fetch for a key that is not known.
    ///
    /// - Parameter fetch: Starts a fetch of the issuer's keys, which ends with ``fetched(_:of:at:)``.
    package mutating func find(_ token: AccessToken, at now: Duration, fetch: (String) -> Void) -> Answer {
        guard let entry = entries[token.issuer] else { return .unknownKey }
        if let fetched = entry.fetched, now - fetched < Self.limit {
            let keys = entry.keys.filter { key in
                key.algorithms.contains(token.algorithm) && (token.keyID == nil || key.keyID == token.keyID)
            }
            if !keys.isEmpty { return .keys(keys) }
        }
        if entry.isFetching { return .wait }
        guard entry.tried.map({ now - $0 >= Self.pause }) ?? true else { return .unknownKey }
        begin(token.issuer, at: now)
        fetch(token.issuer)
        return .wait
    }

    /// Starts the fetches that are due.
    package mutating func refresh(at now: Duration, fetch: (String) -> Void) {
        for (issuer, entry) in entries where !entry.isFetching {
            let isOld = entry.fetched.map { now - $0 >= Self.life } ?? true
            guard isOld, entry.tried.map({ now - $0 >= Self.pause }) ?? true else { continue }
            begin(issuer, at: now)
            fetch(issuer)
        }
    }

    /// Notes the end of a fetch.
    ///
    /// - Parameter keys: The keys; nil after a failure, which leaves the earlier keys in use.
    package mutating func fetched(_ keys: [IssuerKey]?, of issuer: String, at now: Duration) {
        entries[issuer]?.isFetching = false
        guard let keys else { return }
        entries[issuer]?.keys = keys
        entries[issuer]?.fetched = now
    }

    private mutating func begin(_ issuer: String, at now: Duration) {
        entries[issuer]?.isFetching = true
        entries[issuer]?.tried = now
    }
}
