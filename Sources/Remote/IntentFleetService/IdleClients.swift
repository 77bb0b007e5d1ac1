import IntentSystemd

/// Idle connections to intentd, each waiting for its user's next run. intentd has already accepted the user, so a run
/// on such a connection starts without a greeting.
///
/// Use an instance only on the loop's thread.
final class IdleClients {
    /// The maximum number of connections, because intentd limits this service's connections.
    private static let limit = 16
    private static let patience: Duration = .seconds(5)

    private let loop: EventLoop
    private var clients: [DaemonClient] = []
    /// The number of connections that no run has used since the timer was armed.
    private var unusedCount = 0
    private var timer: EventSource?

    init(on loop: EventLoop) { self.loop = loop }

    /// Returns and removes one of the user's connections; nil if no connection is waiting.
    func take(for user: String) -> DaemonClient? {
        // The connections that were used last are at the end, so that the others close.
        guard let index = clients.lastIndex(where: { $0.user == user }) else { return nil }
        return remove(at: index)
    }

    /// Keeps a connection on which all requests have been answered, and closes it if no run uses it soon.
    func keep(_ client: DaemonClient) {
        guard clients.count < Self.limit else { return client.close() }
        client.redirect { [weak self, weak client] event in if case .ended = event { self?.remove(client) } }
        clients.append(client)
        if timer == nil { arm() }
    }

    private func remove(_ client: DaemonClient?) {
        if let index = clients.firstIndex(where: { $0 === client }) { remove(at: index) }
    }

    @discardableResult
    private func remove(at index: Int) -> DaemonClient {
        if index < unusedCount { unusedCount -= 1 }
        return clients.remove(at: index)
    }

    private func arm() {
        unusedCount = clients.count
        timer = LoopTimer.after(Self.patience, on: loop) { [weak self] in self?.closeUnused() }
    }

    private func closeUnused() {
        timer = nil
        for client in clients.prefix(unusedCount) { client.close() }
        clients.removeFirst(unusedCount)
        if !clients.isEmpty { arm() }
    }
}
