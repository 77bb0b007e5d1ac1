package import IntentWire

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

    private struct Account: Sendable {
        /// The time that the user has used beyond their share.
        var debt: Duration = .zero
        var lastRequest: Now.Monotonic
    }

    private let processorCount: Int
    private var accounts: [Caller: Account] = [:]
    private var lastSweep = Now.Monotonic(nanoseconds: 0)

    package init(processorCount: Int) { self.processorCount = max(1, processorCount) }

    /// Records the time that it took to serve one of the user's requests.
    package mutating func served(_ user: Caller, for duration: Duration, at now: Now.Monotonic) {
        charge(user, duration, at: now)
        guard now - lastSweep > Self.memory else { return }
        lastSweep = now
        // Remove users who have made no recent request and have no debt.
        accounts = accounts.filter { isRecent($0.value, at: now) || debt(of: $0.value, at: now) > .zero }
    }

    /// Charges the user for a new run, because the run's processes can occupy any processor.
    package mutating func beganRun(of user: Caller, at now: Now.Monotonic) {
        charge(user, Self.runCost / processorCount, at: now)
    }

    /// Returns the instant at which the user's next request may be served; nil if it may be served now.
    package func resumption(of user: Caller, at now: Now.Monotonic) -> Now.Monotonic? {
        guard let account = accounts[user], hasOthers(than: user, at: now) else { return nil }
        let excess = debt(of: account, at: now) - Self.burst
        return excess > .zero ? now + excess / Self.share : nil
    }

    private mutating func charge(_ user: Caller, _ cost: Duration, at now: Now.Monotonic) {
        var account = accounts[user] ?? Account(lastRequest: now)
        let limit = hasOthers(than: user, at: now) ? Self.debtLimit : Self.burst
        account.debt = min(limit, debt(of: account, at: now) + cost)
        account.lastRequest = now
        accounts[user] = account
    }

    private func debt(of account: Account, at now: Now.Monotonic) -> Duration {
        max(.zero, account.debt - (now - account.lastRequest) * Self.share)
    }

    private func hasOthers(than user: Caller, at now: Now.Monotonic) -> Bool {
        accounts.contains { $0.key != user && isRecent($0.value, at: now) }
    }

    private func isRecent(_ account: Account, at now: Now.Monotonic) -> Bool {
        now - account.lastRequest < Self.memory
    }
}
