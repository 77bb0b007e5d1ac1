/// The updates of one run, to its end. Progress that nobody read yet is replaced by newer.
public struct RunUpdates: AsyncSequence, Sendable {
    let feed: RunFeed
    let link: ServerLink
    let connection: IntentConnection

    /// Reads the updates.
    public func makeAsyncIterator() -> Iterator {
        Iterator(updates: self)
    }

    /// The place of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        let updates: RunUpdates

        /// The next update; nil after the run's end.
        ///
        /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
        public mutating func next() async throws -> RunUpdate? {
            try await withTaskCancellationHandler {
                try await updates.feed.next()
            } onCancel: { [updates] in
                updates.link.requestCancellation(of: updates.feed.run)
            }
        }
    }
}
