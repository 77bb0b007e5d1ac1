package import Dispatch

/// Handles signals on a dispatch queue.
package enum SignalSource {
    /// Handles a signal for as long as the returned source exists. Returns after the signal's action has been replaced,
    /// so that no later signal is lost or terminates the program.
    package static func listen(
        to number: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.setEventHandler(handler: handler)
        source.activate()
        isRegistered.wait()
        return source
    }
}
