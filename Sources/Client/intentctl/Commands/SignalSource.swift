package import Dispatch
import Glibc

/// Handles signals on a dispatch queue.
package enum SignalSource {
    /// Handles a signal for as long as the returned source exists. Returns after the signal's action has been replaced,
    /// so that no later signal is lost or terminates the program. Returns nil for a signal that the parent process
    /// ignores, such as SIGINT for a command in the background of a script: it stays ignored.
    package static func listen(
        to number: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceSignal)? {
        var current = sigaction()
        // SAFETY: a handler is a pointer to a function, which has the size of Int, and is only compared.
        func address(_ handler: __sighandler_t?) -> Int { unsafeBitCast(handler, to: Int.self) }
        guard sigaction(number, nil, &current) == 0,
            address(current.__sigaction_handler.sa_handler) != address(SIG_IGN)
        else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.setEventHandler(handler: handler)
        source.activate()
        isRegistered.wait()
        return source
    }
}
