public import IntentProtocol

/// The events of one run, to its end. Unread progress is replaced by newer progress.
public struct RunEvents: AsyncSequence, Sendable {
    let bond: RunBond

    /// The end of the run.
    package var result: RunResult {
        get async throws { try await bond.result() }
    }

    /// Reads the events.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bond: bond)
    }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        let bond: RunBond

        /// The next event; nil after the run's end.
        ///
        /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
        public mutating func next() async throws -> RunEvent? {
            try await bond.next()
        }
    }
}
