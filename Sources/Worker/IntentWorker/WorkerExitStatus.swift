import CIntentWorker
import Glibc

/// The exit codes of an app's process, for `intentd` and for operators who read the journal.
package enum WorkerExitStatus: Int32 {
    /// The result was acknowledged, the catalogue was sent, or the fork server is no longer needed.
    case done = 0
    /// The socket was closed before the result was acknowledged, because the supervisor exited.
    case supervisorExited = 13
    /// A command could not be decoded or is not permitted in the current state.
    case protocolViolation = 76
    /// The program has no valid catalogue, was started in an unknown mode, or cannot become a worker.
    case configuration = 78

    /// Flushes output and exits. Performs no other cleanup, because other threads may still be running.
    package func callAsFunction() -> Never {
        intentd_flush_output()
        _exit(rawValue)
    }

    /// Prints an error message, flushes output and exits.
    package func callAsFunction(_ message: String) -> Never {
        StandardError.print(message)
        self()
    }
}
