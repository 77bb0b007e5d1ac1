package import IntentLauncherMessages

/// The limit on the share of the service's time that one user gets while other users are also making requests. At other
/// times, a user may use all of the service's time.
///
/// Taking turns alone does not keep the service responsive: between one user's turns, another user's runs occupy the
/// processors.
package struct UserPace: Sendable {
    /// The share of the time that a user may use while other users are making requests.
    private static let share = 0.3
    /// The time that a user may use in one burst. It is also the maximum debt that a user can accumulate while no other
    /// user is making requests.
    private static let burst: Duration = .milliseconds(20)
    /// A user's maximum debt, regardless of how long a request takes. The limit bounds how long the user's next request
    /// waits.
    private static let debtLimit: Duration = .seconds(1)
    /// The time for which a user counts as active after a request.
    private static let memory: Duration = .seconds(1)
    /// The processor time that starting and ending a run costs the service.
    private static let runCost: Duration = .milliseconds(2)

    private struct Use: Sendable {
        /// The time that the user has used beyond their share.
        var debt: Duration = .zero
        var lastRequest: Now.Monotonic
    }

    private let processorCount: Int
    private var uses: [Account: Use] = [:]
    private var lastSweep = Now.Monotonic(nanoseconds: 0)

    package init(processorCount: Int) { self.processorCount = max(1, processorCount) }

    /// Records the time that it took to serve one of the user's requests.
    package mutating func served(_ account: Account, for duration: Duration, at now: Now.Monotonic) {
        charge(account, duration, at: now)
        guard now - lastSweep > Self.memory else { return }
        lastSweep = now
        // Remove users who have made no recent request and have no debt.
        uses = uses.filter { isRecent($0.value, at: now) || debt(of: $0.value, at: now) > .zero }
    }

    /// Charges the user for a new run, because the run's processes can occupy any processor.
    package mutating func beganRun(of account: Account, at now: Now.Monotonic) {
        charge(account, Self.runCost / processorCount, at: now)
    }

    /// Returns the instant at which the user's next request may be served; nil if it may be served now.
    package func resumption(of account: Account, at now: Now.Monotonic) -> Now.Monotonic? {
        guard let use = uses[account], hasOthers(than: account, at: now) else { return nil }
        let excess = debt(of: use, at: now) - Self.burst
        return excess > .zero ? now + excess / Self.share : nil
    }

    private mutating func charge(_ account: Account, _ cost: Duration, at now: Now.Monotonic) {
        var use = uses[account] ?? Use(lastRequest: now)
        let limit = hasOthers(than: account, at: now) ? Self.debtLimit : Self.burst
        use.debt = min(limit, debt(of: use, at: now) + cost)
        use.lastRequest = now
        uses[account] = use
    }

    private func debt(of use: Use, at now: Now.Monotonic) -> Duration {
        max(.zero, use.debt - (now - use.lastRequest) * Self.share)
    }

    private func hasOthers(than account: Account, at now: Now.Monotonic) -> Bool {
        uses.contains { $0.key != account && isRecent($0.value, at: now) }
    }

    private func isRecent(_ use: Use, at now: Now.Monotonic) -> Bool {
        now - use.lastRequest < Self.memory
    }
}
