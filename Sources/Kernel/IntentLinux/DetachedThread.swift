import Glibc

/// Starts threads for work that can block in the kernel.
package enum DetachedThread {
    /// Runs the body once on a new thread that is never joined.
    ///
    /// - Throws: ``SystemError`` from pthread_create(3), for example EAGAIN at the thread limit.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(ThreadBody(run: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { preconditionFailure("pthread_create(3) did not pass the thread's argument") }
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            start.release()
            throw SystemError("pthread_create", code: Errno(rawValue: code))
        }
        pthread_detach(thread)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
