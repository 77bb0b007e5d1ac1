import Glibc
import Synchronization

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

    /// Starts this many threads at once, and waits until they have ended. A program that cannot continue without threads
    /// finds out with it: libdispatch does not report that it cannot start a thread, and tries again each second.
    ///
    /// - Throws: ``SystemError`` from pthread_create(3), for example EAGAIN if no process id is free.
    package static func probe(_ count: Int) throws(SystemError) {
        let gate = ThreadGate()
        var threads: [pthread_t] = []
        let code = gate.mutex.withLock { _ in
            for _ in 0..<count {
                var thread = pthread_t()
                let code = pthread_create(
                    &thread,
                    nil,
                    { argument in
                        guard let argument else { preconditionFailure("pthread_create(3) did not pass its argument") }
                        Unmanaged<ThreadGate>.fromOpaque(argument).takeUnretainedValue().mutex.withLock { _ in }
                        return nil
                    },
                    Unmanaged.passUnretained(gate).toOpaque()
                )
                guard code == 0 else { return code }
                threads.append(thread)
            }
            return 0
        }
        for thread in threads { pthread_join(thread, nil) }
        withExtendedLifetime(gate) {}
        guard code == 0 else { throw SystemError("pthread_create", code: Errno(rawValue: code)) }
    }
}

/// Holds the threads of a probe until all have started.
private final class ThreadGate: Sendable {
    let mutex = Mutex(())
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
