import Dispatch
import Glibc
import IntentLinux
import Synchronization

/// Passes Ctrl-C and SIGTERM on to the processes of the hosts, which cancel their runs.
final class FanOutInterrupts: Sendable {
    private struct State {
        var waiting: [Int32] = []
        var hasCome = false
    }

    /// Becomes readable when a signal has come.
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

    /// Listens while the returned sources exist.
    func listen() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            // The source receives the signal only if the default action is disabled.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                self.state.withLock { state in
                    state.hasCome = true
                    state.waiting.append(number)
                }
                self.counter.signal()
            }
            source.activate()
            return source
        }
    }

    /// Sends the processes the signals that have come. A terminal's Ctrl-C reaches them by itself; two at once count as
    /// one.
    func forward(to children: [ChildProcess]) {
        counter.reset()
        let signals = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for number in signals { for child in children { child.signal(number) } }
    }
}
