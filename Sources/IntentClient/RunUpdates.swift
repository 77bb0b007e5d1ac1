/// The updates of one run, to its end. Progress that nobody read yet is replaced by newer.
public struct RunUpdates: AsyncSequence, Sendable {
    let bond: RunBond

    /// Reads the updates.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bond: bond)
    }

    /// The place of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        let bond: RunBond

        /// The next update; nil after the run's end.
        ///
        /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
        public mutating func next() async throws -> RunUpdate? {
            try await bond.next()
        }
    }
}
