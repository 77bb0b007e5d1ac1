/// The deadlines of one connection. A connection that misses a deadline is closed.
package struct ConnectionPatience: Sendable {
    /// An exchange that the client must complete in time.
    package enum Debt: Int, CaseIterable, Sendable {
        /// Sending `hello`.
        case hello
        /// Sending the rest of a frame, after its first bytes or descriptors have arrived.
        case frame
        /// Sending the `perform` request for files that the client has already passed.
        case perform
        /// Reading its answers. Until it has read them, no more of its requests are read.
        case reading
        /// Reading the last message before its connection is closed.
        case farewell

        package var limit: Duration {
            switch self {
            case .hello, .frame, .farewell: .seconds(10)
            case .perform, .reading: .seconds(30)
            }
        }
    }

    private var deadlines: [Debt: Now.Monotonic] = [:]

    package init() {}

    /// The earliest deadline; nil when there are no debts.
    package var deadline: Now.Monotonic? { deadlines.values.min() }

    package func owes(_ debt: Debt) -> Bool { deadlines[debt] != nil }

    /// Starts the deadline of a debt. An existing debt keeps its deadline.
    package mutating func begin(_ debt: Debt, at now: Now.Monotonic) {
        if deadlines[debt] == nil { deadlines[debt] = now + debt.limit }
    }

    package mutating func end(_ debt: Debt) { deadlines[debt] = nil }

    /// Returns a debt that has missed its deadline; nil when all deadlines are in the future.
    package func overdue(at now: Now.Monotonic) -> Debt? {
        Debt.allCases.first { debt in deadlines[debt].map { $0 <= now } ?? false }
    }
}
