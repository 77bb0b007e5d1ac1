import Dispatch
import Glibc
import IntentClient
import Synchronization

/// Ctrl-C while a run is followed.
final class Interrupts: Sendable {
    private struct State {
        var machine = InterruptState()
        var run: IntentRun?
    }

    private let state = Mutex(State())

    /// Listens as long as the source is kept.
    func listen() -> any DispatchSourceSignal {
        // The source hears the signal only when it does not do its own work first.
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { self.act(on: self.state.withLock { $0.machine.interrupted() }) }
        source.activate()
        return source
    }

    func asked() { state.withLock { $0.machine.asked() } }

    func accepted(_ run: IntentRun) {
        act(
            on: state.withLock { state in
                state.run = run
                return state.machine.accepted(run: run.id)
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
        case .remember:
            Console.note("\ncancelling; Ctrl-C again stops waiting")
        case .cancel:
            Console.note("\ncancelling; Ctrl-C again stops waiting for the clean-up")
            state.withLock(\.run)?.requestCancellation()
        case .leave(let code, let run):
            if let run { Console.note("\ngave up waiting; run \(run) is still being cancelled") }
            // Not exit(3): its handlers would race with the threads that go on.
            _exit(code.rawValue)
        }
    }
}
