import Dispatch
import Glibc
import Synchronization

/// Handles Ctrl-C while the command follows a run.
final class Interrupts: Sendable {
    private struct State {
        var machine = InterruptState()
        var run: IntentRun?
        var hasRun = false
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// Handles SIGINT for as long as the returned source exists.
    func listen() -> (any DispatchSourceSignal)? {
        SignalSource.listen(to: SIGINT) {
            let now = self.start.duration(to: .now)
            self.act(on: self.state.withLock { $0.machine.interrupted(at: now) })
        }
    }

    /// True once the command has had a run.
    var hasRun: Bool { state.withLock(\.hasRun) }

    func requestSent() { state.withLock { $0.machine.requestSent() } }

    func accepted(_ run: IntentRun) {
        act(
            on: state.withLock { state in
                state.run = run
                state.hasRun = true
                return state.machine.accepted(run: run.id.text)
            }
        )
    }

    func ended() {
        state.withLock { state in
            state.machine.ended()
            state.run = nil
        }
    }

    private func act(on action: InterruptState.Action) {
        switch action {
        case .nothing:
            return
        case .cancelLater:
            showNote("cancelling; press Ctrl-C again to stop waiting")
        case .cancel:
            showNote("cancelling; press Ctrl-C again to stop waiting for the clean-up")
            state.withLock(\.run)?.requestCancellation()
        case .exit(let code, let run):
            if let run { showNote("stopped waiting; run \(run) is still being cancelled") }
            Echo.restore()
            // Use _exit(2), because exit(3) would run the atexit(3) handlers while other threads are still running.
            _exit(code.rawValue)
        }
    }

    /// Replaces the progress line with a note, below the ^C that the terminal shows.
    private func showNote(_ text: String) {
        Console.note(Console.errorIsTerminal ? "\n" + text : text)
    }
}
