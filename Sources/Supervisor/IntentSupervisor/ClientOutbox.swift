import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An outbox that decides when to send posted messages. It sends related messages together, and delays progress by up
/// to 20 ms.
///
/// Must be used only on the event loop's thread.
final class ClientOutbox {
    private let loop: EventLoop
    private let flush: (ClientID) -> Void
    /// Clients to which messages must be sent without delay.
    private var pending: Set<ClientID> = []
    /// Clients to which progress must be sent.
    private var pendingProgress: Set<ClientID> = []
    private var progressTimer: EventSource?
    private var progressSent: Int64 = 0

    /// The minimum time between two transmissions of progress, in nanoseconds. Reports from many runs are then sent
    /// together, which saves wake-ups and writes. Users do not notice a delay of 20 ms.
    static let progressPause: Int64 = 20_000_000

    /// - Parameter flush: Sends the posted messages of a client.
    init(on loop: EventLoop, flush: @escaping (ClientID) -> Void) {
        self.loop = loop
        self.flush = flush
    }

    func posted(for client: ClientID, _ delivery: ClientSession.Delivery) {
        switch delivery {
        case .latest: pendingProgress.insert(client)
        case .always, .whenKeepingUp: pending.insert(client)
        }
    }

    /// Sends the posted messages. Also sends progress that has been delayed long enough.
    func send() {
        sendUrgent()
        guard !pendingProgress.isEmpty, progressTimer == nil else { return }
        let now = ClockReading.monotonicNanoseconds()
        if now - progressSent >= Self.progressPause { return sendProgress() }
        do {
            progressTimer = try loop.timer(atNanoseconds: progressSent + Self.progressPause) { [weak self] in
                self?.progressTimer = nil
                self?.sendProgress()
            }
        } catch {
            sendProgress()
        }
    }

    /// Sends the posted messages, except to clients for which only progress was posted.
    func sendUrgent() {
        guard !pending.isEmpty else { return }
        let clients = pending
        pending = []
        for client in clients { flush(client) }
    }

    private func sendProgress() {
        progressSent = ClockReading.monotonicNanoseconds()
        let clients = pendingProgress
        pendingProgress = []
        for client in clients { flush(client) }
    }
}
