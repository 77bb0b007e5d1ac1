internal import Glibc
internal import IntentLinux
internal import Synchronization

/// Reconnects to the daemon after an upgrade, a restart or a crash. The daemon's runs continue during that time.
extension ServerLink {
    /// The pauses between connection attempts. The last pause is repeated. systemd restarts a daemon within a quarter
    /// of a second.
    private static let pauses: [Duration] = [
        .milliseconds(5), .milliseconds(20), .milliseconds(50), .milliseconds(100),
    ]

    enum Reconnecting {
        case regained
        /// The connection could not be restored. The error, if any, is reported instead of the earlier error that ended
        /// the connection.
        case lost(IntentClientError?)
    }

    /// Reconnects and sends all unanswered requests again.
    func reconnect() -> Reconnecting {
        guard let renewal, !table.withLock({ $0.isClosed }) else { return .lost(nil) }
        renewal.interrupted?(.lost(patience: renewal.patience))
        let end = ContinuousClock.now + renewal.patience
        var tries = 0
        while ContinuousClock.now < end, !table.withLock({ $0.isClosed }) {
            do throws(IntentClientError) {
                if try connectAgain(to: renewal) {
                    renewal.interrupted?(.regained)
                    return .regained
                }
            } catch {
                // Try again after these errors: while the daemon restarts, its socket may be missing or may not have
                // its final permissions yet.
                guard [.noDaemon, .connectionLost, .notPermitted, .system].contains(error.code) else {
                    return .lost(error)
                }
            }
            let pause = Self.pauses[min(tries, Self.pauses.count - 1)]
            tries += 1
            usleep(UInt32(pause.wholeMilliseconds) * 1000)
        }
        return .lost(nil)
    }

    /// Handles the answer to a `watch` request that ``reconnect()`` sent. Returns false for the answer to any other
    /// request.
    func resumed(_ id: UInt64) -> Bool {
        guard case .resumption? = table.withLock({ $0.open[id]?.expectation }) else { return false }
        table.withLock { _ = $0.open.removeValue(forKey: id) }
        return true
    }

    /// Ends the feeds of a run with an error, because the new daemon refused to resume the subscription.
    func failFeeds(of run: RunID, because error: any Error) {
        let feeds = table.withLock { table in
            let feeds = [table.feeds.removeValue(forKey: run)].compactMap(\.self) + (table.watches[run] ?? [])
            table.watches[run] = nil
            return feeds
        }
        let failure = error as? IntentClientError ?? IntentClientError(.connectionLost, "\(error)")
        for feed in feeds { feed.finish(.failure(failure.affecting(run: run))) }
    }

    // MARK: Private

    private func connectAgain(to renewal: Renewal) throws(IntentClientError) -> Bool {
        let fresh = try renewal.open()
        // Send the hello message before other threads can use the socket, because it must be the first frame. If the
        // old daemon exited before it answered the hello message, repeat the same request.
        let first = table.withLock { $0.open.first { if case .hello = $0.value.request { true } else { false } }?.key }
        let id = first ?? nextID()
        let greeting = ClientRequest.hello(Hello(software: renewal.software, webUser: renewal.webUser))
        guard
            let frame = try? Frame.encode(
                WireCoding.encode(NumberedRequest(id: id, greeting)),
                limit: Frame.clientPayloadLimit
            ), (try? UnixSocket.send(frame[...], on: fresh.rawValue)) != nil
        else { return false }
        guard sending.withLock({ _ in socket.replace(with: fresh) }) else { return false }
        let (open, feeds) = table.withLock { table in
            // Drop the `watch` requests from the previous reconnection, because new requests are created below. Drop
            // the `files` requests, because `send` sends files again together with their request.
            for (id, request) in table.open {
                if case .resumption = request.expectation { table.open[id] = nil }
                if case .files = request.request { table.open[id] = nil }
            }
            let open = table.open.filter { $0.key != first }
            let owned = table.feeds.mapValues { [$0] }
            return (open.sorted { $0.key < $1.key }, owned.merging(table.watches) { $0 + $1 })
        }
        for (id, request) in open { send(NumberedRequest(id: id, request.request), request.files) }
        for (run, feeds) in feeds {
            let isOwner = table.withLock { $0.feeds[run] != nil }
            let serial = feeds.map(\.lastSerial).min()
            ask(.watch(run: run.text, after: serial, isReturn: isOwner), .resumption(run))
        }
        return true
    }

    func ask(_ request: ClientRequest, _ expectation: Expectation) {
        let id = nextID()
        guard expect(OpenRequest(request: request, files: [], expectation: expectation), at: id) == nil else { return }
        send(NumberedRequest(id: id, request), [])
    }
}
