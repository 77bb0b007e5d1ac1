/// How long a connection may leave something unfinished. A connection that passes a deadline ends.
package struct ConnectionPatience: Sendable {
    /// What a connection owes.
    package enum Debt: Int, CaseIterable, Sendable {
        /// Its `hello`.
        case hello
        /// The rest of a frame, of which some bytes or descriptors came.
        case frame
        /// The `perform` for which files wait.
        case perform
        /// To read its answers: no more of its requests are read until then.
        case reading
        /// To read the last words before its connection ends.
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

    /// Begins the time of a debt; a debt that stands already keeps its deadline.
    package mutating func begin(_ debt: Debt, at now: Now.Monotonic) {
        if deadlines[debt] == nil { deadlines[debt] = now + debt.limit }
    }

    package mutating func settle(_ debt: Debt) { deadlines[debt] = nil }

    /// A debt whose deadline has passed; nil when there is none.
    package func overdue(at now: Now.Monotonic) -> Debt? {
        Debt.allCases.first { debt in deadlines[debt].map { $0 <= now } ?? false }
    }
}
