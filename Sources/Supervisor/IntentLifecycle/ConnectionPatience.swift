/// The deadlines of one connection. A connection that misses a deadline is closed.
package struct ConnectionPatience: Sendable {
    /// A step that the client must complete before a deadline.
    package enum Obligation: Int, CaseIterable, Sendable {
        /// The client must send `hello`.
        case hello
        /// The client must send the rest of a frame, after the frame's first bytes or descriptors have arrived.
        case frame
        /// The client must send the `perform` request for the files that it has already passed.
        case perform
        /// The client must read its answers. Until it has read them, no more of its requests are read.
        case reading
        /// The client must read the last message before its connection is closed.
        case farewell

        package var limit: Duration {
            switch self {
            case .hello, .frame, .farewell: .seconds(10)
            case .perform, .reading: .seconds(30)
            }
        }
    }

    private var deadlines: [Obligation: Now.Monotonic] = [:]

    package init() {}

    /// The earliest deadline; nil if no obligation is pending.
    package var deadline: Now.Monotonic? { deadlines.values.min() }

    package func isPending(_ obligation: Obligation) -> Bool { deadlines[obligation] != nil }

    /// Starts the deadline of an obligation. A pending obligation keeps its deadline.
    package mutating func begin(_ obligation: Obligation, at now: Now.Monotonic) {
        if deadlines[obligation] == nil { deadlines[obligation] = now + obligation.limit }
    }

    package mutating func end(_ obligation: Obligation) { deadlines[obligation] = nil }

    /// Returns an obligation that the client has missed, or nil if all deadlines are in the future.
    package func overdue(at now: Now.Monotonic) -> Obligation? {
        Obligation.allCases.first { obligation in deadlines[obligation].map { $0 <= now } ?? false }
    }
}
