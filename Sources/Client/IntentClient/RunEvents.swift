/// The events of one run, until its end. A slow reader receives only the newest progress.
public struct RunEvents: AsyncSequence, Sendable {
    let subscription: RunSubscription

    /// The result of the run. Waits until the run has ended.
    package var result: RunResult {
        get async throws { try await subscription.result() }
    }

    /// Creates an iterator over the events.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription)
    }

    /// An iterator over the events of one run.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: RunSubscription

        /// Waits for the next event. Returns nil after the run's last event.
        ///
        /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
        public mutating func next() async throws -> RunEvent? {
            try await subscription.next()
        }
    }
}
