import IntentHosts
import Synchronization

/// Shows the state of the connection to a host on standard error.
final class RemoteHostDisplay: Sendable {
    private struct State {
        /// The width of the progress line, in columns.
        var shownWidth = 0
        var shownAt: ContinuousClock.Instant?
    }

    private let host: HostName
    private let state = Mutex(State())

    init(host: HostName) {
        self.host = host
    }

    func show(_ notice: HostConnection.Notice) {
        switch notice {
        case .lost(let reason):
            showNote("\(reason); reconnecting for up to \(Reconnection.patience.components.seconds) s")
        case .regained: showNote("reconnected to '\(host)'")
        case .restarted: showNote("reconnected to '\(host)', where a new server has started")
        case .changesLost:
            showNote("the server on '\(host)' has exited: the run's changes to the files of --writable remain there")
        case .sending(let byteCount, let size): showProgress(byteCount, of: size)
        }
    }

    private func showNote(_ text: String) {
        state.withLock { state in
            clear(&state)
            Console.note(text)
        }
    }

    private func showProgress(_ byteCount: UInt64, of size: UInt64) {
        state.withLock { state in
            if byteCount >= size { return clear(&state) }
            let pause: Duration = Console.errorIsTerminal ? .milliseconds(100) : .seconds(5)
            let now = ContinuousClock.now
            if let shown = state.shownAt, now - shown < pause { return }
            state.shownAt = now
            let line = "sending to '\(host)': \(byteCount * 100 / size)% of \(size >> 20) MiB"
            guard Console.errorIsTerminal else { return Console.note(line) }
            let width = DisplayWidth.of(line)
            Console.draw("\r" + line + String(repeating: " ", count: max(0, state.shownWidth - width)))
            state.shownWidth = width
        }
    }

    private func clear(_ state: inout State) {
        if state.shownWidth > 0 { Console.draw("\r" + String(repeating: " ", count: state.shownWidth) + "\r") }
        state.shownWidth = 0
        state.shownAt = nil
    }
}
