import Dispatch
import Glibc
import IntentLinux
import Synchronization

/// Forwards Ctrl-C and SIGTERM to the processes for the hosts, which cancel their runs.
final class FanOutInterrupts: Sendable {
    private struct State {
        var waiting: [Int32] = []
        var hasCome = false
    }

    /// A counter that becomes readable when a signal has arrived.
    let counter: EventCounter
    private let state = Mutex(State())

    init() throws(CommandFailure) {
        do throws(SystemError) {
            counter = try EventCounter()
        } catch {
            throw CommandFailure(.resourceLimit, code: "system", "cannot watch for signals: \(error)")
        }
    }

    var hasCome: Bool { state.withLock(\.hasCome) }

    /// Handles the signals for as long as the returned sources exist.
    func listen() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].compactMap { number in
            SignalSource.listen(to: number) {
                self.state.withLock { state in
                    state.hasCome = true
                    state.waiting.append(number)
                }
                self.counter.signal()
            }
        }
    }

    /// Forwards the received signals to the processes. After Ctrl-C, a process also receives SIGINT from the terminal,
    /// but ``InterruptState`` treats two signals in quick succession as one interrupt.
    func forward(to children: [ChildProcess]) {
        counter.reset()
        let signals = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for number in signals { for child in children { child.signal(number) } }
    }
}
