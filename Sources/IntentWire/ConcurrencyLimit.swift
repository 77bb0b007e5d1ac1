/// A `Concurrency=` or `Exclusive=state` line, which limits how many runs execute at the same time.
package struct ConcurrencyLimit: Hashable, Sendable {
    /// The runs that count towards one limit.
    package enum Scope: Hashable, Sendable {
        /// All runs of the app or the intent.
        case all
        /// `by=`: the runs that have the same value for a parameter.
        case parameter(String)
        /// `Exclusive=state`: the runs that use the same state folder.
        case state
    }

    /// The effect on a run that exceeds the limit.
    package enum Overflow: String, CaseIterable, Sendable {
        /// The run waits in the backlog.
        case queue
        /// The run is refused.
        case refuse
        /// The run replaces the oldest run of its user, which is cancelled.
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
    /// The line as written in the operator's file.
    package var description: String {
        let line =
            switch scope {
            case .all: "Concurrency=\(count)"
            case .parameter(let name): "Concurrency=\(count) by=\(name)"
            case .state: "Exclusive=state"
            }
        return overflow == .queue ? line : "\(line) \(overflow.rawValue)"
    }
}

/// The rules for the order and concurrency of the runs of an app or an intent.
package struct ConcurrencyRules: Hashable, Sendable {
    /// `Concurrency=`: one limit for each scope.
    package var limits: [ConcurrencyLimit] = []
    /// `Exclusive=`; nil when it is not set.
    package var exclusivity: Exclusivity?
    /// `Priority=`; nil when it is not set.
    package var priority: Int?

    package enum Exclusivity: Hashable, Sendable {
        case none
        case state(ConcurrencyLimit.Overflow)
    }

    package init() {}

    /// Adds a limit and replaces any earlier limit of the same scope.
    package mutating func add(_ limit: ConcurrencyLimit) {
        limits.removeAll { $0.scope == limit.scope }
        limits.append(limit)
    }

    /// The parameters in `by=`.
    package var parameters: [String] {
        limits.compactMap { limit in
            if case .parameter(let name) = limit.scope { name } else { nil }
        }
    }
}
