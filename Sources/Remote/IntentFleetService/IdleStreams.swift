import IntentLinux
import IntentSystemd

/// Idle connections to intentd, each waiting for its user's next run. intentd has already accepted the user, so a run
/// on such a connection starts without a greeting.
///
/// Use an instance only on the loop's thread.
final class IdleStreams {
    /// The maximum number of connections, because intentd limits this service's connections.
    private static let limit = 16
    private static let patience: Duration = .seconds(5)

    private let loop: EventLoop
    private var streams: [(user: String, stream: FrameStream)] = []
    /// The number of connections that no run has used since the timer was armed.
    private var unusedCount = 0
    private var timer: EventSource?

    init(on loop: EventLoop) { self.loop = loop }

    /// Returns and removes one of the user's connections; nil if no connection is waiting.
    func take(for user: String) -> FrameStream? {
        // The connections that were used last are at the end, so that the others close.
        guard let index = streams.lastIndex(where: { $0.user == user }) else { return nil }
        return remove(at: index)
    }

    /// Keeps a connection on which all requests have been answered, and closes it if no run uses it soon.
    func keep(_ stream: FrameStream, for user: String) {
        guard streams.count < Self.limit else { return stream.close() }
        stream.redirect(received: { _ in }, ended: { [weak self, weak stream] _ in self?.remove(stream) })
        streams.append((user, stream))
        if timer == nil { arm() }
    }

    private func remove(_ stream: FrameStream?) {
        if let index = streams.firstIndex(where: { $0.stream === stream }) { remove(at: index) }
    }

    @discardableResult
    private func remove(at index: Int) -> FrameStream {
        if index < unusedCount { unusedCount -= 1 }
        return streams.remove(at: index).stream
    }

    private func arm() {
        unusedCount = streams.count
        timer = LoopTimer.after(Self.patience, on: loop) { [weak self] in self?.closeUnused() }
    }

    private func closeUnused() {
        timer = nil
        for idle in streams.prefix(unusedCount) { idle.stream.close() }
        streams.removeFirst(unusedCount)
        if !streams.isEmpty { arm() }
    }
}
