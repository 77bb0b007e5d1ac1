import CIntentWorker
import IntentLinux

/// The code that a new thread executes, passed to the thread as one pointer.
package final class ThreadBody: Sendable {
    package static let enter: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { preconditionFailure("the thread was started without a body") }
        Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    }

    let run: @Sendable () -> Never

    package init(run: @escaping @Sendable () -> Never) {
        self.run = run
    }

    package func start() {
        let error = intentd_start_thread(Self.enter, Unmanaged.passRetained(self).toOpaque())
        guard error == 0 else { WorkerExitStatus.configuration("cannot start a thread: \(Errno(rawValue: error))") }
    }
}
