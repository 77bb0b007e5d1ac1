/// A limit on the number of concurrent runs, from `Concurrency=` or `Exclusive=state`.
package struct ConcurrencyLimit: Hashable, Sendable {
    /// The runs that a limit counts together.
    package enum Scope: Hashable, Sendable {
        /// All runs of the app or the intent.
        case all
        /// `by=`: runs with equal values of the parameter with this name.
        case parameter(String)
        /// `Exclusive=state`: runs that use the same state folder.
        case state
        /// `AllowHosts=ask`: runs of a user.
        case sandbox
    }

    /// What happens to a run that would exceed the limit.
    package enum Overflow: String, CaseIterable, Sendable {
        /// The run waits in the backlog.
        case queue
        /// The request for the run is refused.
        case refuse
        /// The oldest run from the same user is cancelled, and the new run begins after it has ended.
        case replace
    }

    package var scope: Scope
    package var count: Int
    package var overflow: Overflow

    package init(_ scope: Scope, count: Int = 1, overflow: Overflow = .queue) {
        self.scope = scope
        self.count = count
        self.overflow = overflow
    }
}

extension ConcurrencyLimit: CustomStringConvertible {
    /// The assignment that sets the limit, as in the app's file: `Concurrency=1 by=customer`.
    package var description: String {
        let line =
            switch scope {
            case .all: "Concurrency=\(count)"
            case .parameter(let name): "Concurrency=\(count) by=\(name)"
            case .state: "Exclusive=state"
            case .sandbox: "AllowHosts=ask"
            }
        return overflow == .queue ? line : "\(line) \(overflow.rawValue)"
    }
}

/// The limits on concurrent runs of an app or an intent, and the priority of its runs in the backlog.
package struct ConcurrencyRules: Hashable, Sendable {
    /// The `Concurrency=` limits, at most one for each scope.
    package var limits: [ConcurrencyLimit] = []
    /// The value of `Exclusive=`; nil when it is not set.
    package var exclusivity: Exclusivity?
    /// The value of `Priority=`; nil when it is not set.
    package var priority: Int?

    package enum Exclusivity: Hashable, Sendable {
        case none
        case state(ConcurrencyLimit.Overflow)
    }

    package init() {}

    /// Adds a limit, which replaces an earlier limit with the same scope.
    package mutating func add(_ limit: ConcurrencyLimit) {
        limits.removeAll { $0.scope == limit.scope }
        limits.append(limit)
    }

    /// The names of the parameters after `by=`.
    package var parameters: [String] {
        limits.compactMap { limit in
            if case .parameter(let name) = limit.scope { name } else { nil }
        }
    }
}
