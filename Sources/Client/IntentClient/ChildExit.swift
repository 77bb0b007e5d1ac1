internal import IntentLinux
internal import Synchronization

/// The exit of a child process. A separate thread reaps the child, even if no caller waits for its exit.
final class ChildExit: Sendable {
    /// The outer optional is nil while the child is running. The inner optional is the reason why the child failed; nil
    /// if its exit code is 0.
    private let problem = Mutex<String??>(nil)
    /// Signalled when ``problem`` has a value. The counter is never reset, so every waiting thread continues.
    private let counter: EventCounter

    init(of child: ChildProcess) throws(SystemError) {
        counter = try EventCounter()
        try DetachedThread.start { [self] in
            let found = child.waitForEnd()
            problem.withLock { $0 = .some(found) }
            counter.signal()
        }
    }

    /// Blocks the calling thread until the child has exited.
    ///
    /// - Returns: A phrase such as "exited with code 1"; nil if the exit code is 0.
    func wait() -> String? {
        while true {
            if let found = problem.withLock({ $0 }) { return found }
            counter.wait(milliseconds: nil)
        }
    }
}
