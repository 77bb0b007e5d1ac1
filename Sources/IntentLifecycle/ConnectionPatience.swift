/// How long a connection may leave something unfinished. A connection that passes a deadline ends.
package struct ConnectionPatience: Sendable {
    /// An unfinished exchange that the client must complete in time.
    package enum Debt: Int, CaseIterable, Sendable {
        /// Its `hello`.
        case hello
        /// The rest of a frame, after its first bytes or descriptors have arrived.
        case frame
        /// The `perform` to which passed files belong.
        case perform
        /// Reading its answers. No more of its requests are read until then.
        case reading
        /// Reading the last message before its connection ends.
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

    /// The first deadline; nil when nothing is owed.
    package var deadline: Now.Monotonic? { deadlines.values.min() }

    package func owes(_ debt: Debt) -> Bool { deadlines[debt] != nil }

    /// Starts the deadline of a debt. A debt that exists already keeps its deadline.
    package mutating func begin(_ debt: Debt, at now: Now.Monotonic) {
        if deadlines[debt] == nil { deadlines[debt] = now + debt.limit }
    }

    package mutating func end(_ debt: Debt) { deadlines[debt] = nil }

    /// A debt that has passed its deadline; nil when every deadline is in the future.
    package func overdue(at now: Now.Monotonic) -> Debt? {
        Debt.allCases.first { debt in deadlines[debt].map { $0 <= now } ?? false }
    }
}
