import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Decides when posted messages are sent: messages that belong together go together, and progress may wait a little.
///
/// Belongs to the loop's thread.
final class ClientOutbox {
    private let loop: EventLoop
    private let flush: (ClientID) -> Void
    /// Clients with messages to send at once.
    private var pending: Set<ClientID> = []
    /// Clients with progress to send.
    private var pendingProgress: Set<ClientID> = []
    private var progressTimer: EventSource?
    private var progressSent: Int64 = 0

    /// Progress of many runs is sent together. A delay of 20 ms cannot be seen, and a wake-up and a write for each report are
    /// most of its cost.
    static let progressPause: Int64 = 20_000_000

    /// - Parameter flush: Sends what is posted for a client.
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

    /// Sends what is posted, and progress when its pause is over.
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

    /// Sends everything but progress.
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
