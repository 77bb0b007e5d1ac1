import IntentLinux
import IntentProtocol

/// The events of a run for one client. It sends each event once: intentd repeats the newest events for each watcher of a
/// run, and one connection serves all of them.
///
/// Use an instance only on the loop's thread.
final class RunStream {
    let run: RunID
    /// The events as text; nil for a request that waits only for the end.
    let text: TextStream?
    private var order: EventOrder
    /// False until intentd has answered the request: events until then are for other watchers.
    private var isOpen = false
    /// True if the run has ended.
    private(set) var isFinished = false
    /// Receives the end of the run.
    var whenFinished: (RunEnd) -> Void = { _ in }

    /// - Parameters:
    ///   - serial: The last event that the client has received.
    ///   - hasText: True if the client receives each event.
    init(of run: RunID, after serial: UInt64?, hasText: Bool = true) {
        self.run = run
        text = hasText ? TextStream() : nil
        order = EventOrder(after: serial ?? 0)
    }

    /// Begins with the answer to the request that opened the stream.
    func open(with answer: ClientAnswer) {
        isOpen = true
        text?.append(EventText.answer(answer))
    }

    /// - Parameter message: The event as text, without its number.
    func receive(_ event: NumberedEvent, _ message: [UInt8]) {
        guard isOpen, text?.hasEnded != true, let id = order.accept(event) else { return }
        text?.append(Array("id: \(id)\n".utf8) + message)
        guard case .finished(let end) = event.event else { return }
        isFinished = true
        self.end()
        whenFinished(end)
    }

    func end() { text?.end() }
}
