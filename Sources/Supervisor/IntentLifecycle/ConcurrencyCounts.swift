import IntentLauncherMessages

/// The number of runs with a claim on each key of `Concurrency=` and `Exclusive=`.
///
/// Parameter values can be long. Each key therefore has a number, so that a value is hashed only once for each run
/// instead of in every search of the backlog.
struct ConcurrencyCounts: Sendable {
    /// A run's claim, with the number of its key.
    struct Claim: Sendable {
        let number: Int
        let claim: ConcurrencyClaim
        var limit: ConcurrencyLimit { claim.limit }
    }

    private struct Count: Sendable {
        /// The number of runs in the backlog, plus the number of runs that were admitted and have not ended.
        var joined = 0
        /// The number of runs that were admitted and have not ended.
        var working = 0
    }

    private var numbers: [ConcurrencyClaim.Key: Int] = [:]
    private var counts: [Int: Count] = [:]
    private var lastNumber = 0

    mutating func join(_ claims: [ConcurrencyClaim]) -> [Claim] {
        claims.map { claim in
            let number: Int
            if let known = numbers[claim.key] {
                number = known
            } else {
                lastNumber += 1
                number = lastNumber
                numbers[claim.key] = number
            }
            counts[number, default: Count()].joined += 1
            return Claim(number: number, claim: claim)
        }
    }

    mutating func begin(_ claims: [Claim]) {
        for claim in claims { counts[claim.number]?.working += 1 }
    }

    mutating func end(_ claims: [Claim]) {
        for claim in claims { counts[claim.number]?.working -= 1 }
    }

    mutating func leave(_ claims: [Claim]) {
        for claim in claims {
            counts[claim.number]?.joined -= 1
            guard counts[claim.number]?.joined == 0 else { continue }
            counts[claim.number] = nil
            numbers[claim.claim.key] = nil
        }
    }

    /// Returns the first claim that has reached its limit, or nil if a run with these claims may begin.
    func obstacle(to claims: [Claim]) -> ConcurrencyClaim? {
        claims.first { (counts[$0.number]?.working ?? 0) >= $0.limit.count }?.claim
    }

    func obstacle(to claims: [ConcurrencyClaim]) -> ConcurrencyClaim? {
        claims.first { (count(of: $0)?.working ?? 0) >= $0.limit.count }
    }

    /// Returns the first claim that has reached a limit with `refuse`, or nil if the run is not refused.
    func refusal(of claims: [ConcurrencyClaim]) -> ConcurrencyClaim? {
        claims.first { $0.limit.overflow == .refuse && (count(of: $0)?.joined ?? 0) >= $0.limit.count }
    }

    private func count(of claim: ConcurrencyClaim) -> Count? { numbers[claim.key].flatMap { counts[$0] } }
}
