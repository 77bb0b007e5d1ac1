import Glibc
import IntentLinux
import Synchronization

/// Processes and folders that must not outlive this program, even if it is interrupted.
enum Cleanup {
    private static let processes = Mutex<Set<Int32>>([])
    private static let folders = Mutex<Set<String>>([])

    static func add(_ process: Int32) { processes.withLock { _ = $0.insert(process) } }

    static func remove(_ process: Int32) { processes.withLock { _ = $0.remove(process) } }

    static func add(folder: String) { folders.withLock { _ = $0.insert(folder) } }

    static func remove(folder: String) {
        folders.withLock { _ = $0.remove(folder) }
        clear(folder)
    }

    private static func clear(_ path: String) {
        for name in (try? File.names(in: path)) ?? [] { clear("\(path)/\(name)") }
        // A file that cannot be removed stays in the system's temporary folder.
        if unlink(path) != 0 { _ = rmdir(path) }
    }

    /// Starts a thread that handles SIGINT and SIGTERM. Call it before starting any other thread.
    static func watchSignals() throws {
        try ProcessFacts.block([SIGINT, SIGTERM, SIGPIPE])
        try DetachedThread.start {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            var signal: Int32 = 0
            // Fails only on an invalid set.
            _ = sigwait(&signals, &signal)
            // Each process stops its own children on SIGTERM.
            let left = processes.withLock { $0 }
            for process in left { kill(process, SIGTERM) }
            // Fails if another thread has already reaped the process.
            for process in left { _ = waitpid(process, nil, 0) }
            for folder in folders.withLock({ $0 }) { clear(folder) }
            exit(128 + signal)
        }
    }
}

/// The state of a child, read without reaping it.
enum ChildEnd {
    static func isAlive(_ process: Int32) -> Bool {
        var facts = siginfo_t()
        // If the child has not exited, `facts` stays zero (waitid(2)).
        return waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_signo == 0
    }
}
