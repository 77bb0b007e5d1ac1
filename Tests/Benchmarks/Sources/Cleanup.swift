import Glibc
import IntentLinux
import Synchronization

/// What must not outlive this program: it is ended when somebody stops us.
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
        // What cannot be removed stays below the system's own folder for such files.
        if unlink(path) != 0 { _ = rmdir(path) }
    }

    /// Takes SIGINT and SIGTERM on a thread of its own; before any other thread.
    static func watchSignals() throws {
        try ProcessFacts.block([SIGINT, SIGTERM, SIGPIPE])
        try DetachedThread.start {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            var signal: Int32 = 0
            // Fails only on a bad set.
            _ = sigwait(&signals, &signal)
            // Each ends what it started when it is asked to.
            let left = processes.withLock { $0 }
            for process in left { kill(process, SIGTERM) }
            // Whoever else waits for it gets it first.
            for process in left { _ = waitpid(process, nil, 0) }
            for folder in folders.withLock({ $0 }) { clear(folder) }
            exit(128 + signal)
        }
    }
}

/// A child's end, looked at without taking it.
enum ChildEnd {
    static func isAlive(_ process: Int32) -> Bool {
        var facts = siginfo_t()
        // Where nothing has ended, the facts stay zero (waitid(2)).
        return waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_signo == 0
    }
}
