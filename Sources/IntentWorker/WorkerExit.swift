import CIntentWorker
import Glibc

/// The exit statuses of an app's process, for `intentd` and for readers of the journal.
package enum WorkerExit: Int32 {
    /// The result was acknowledged, or the catalogue was sent.
    case done = 0
    /// The socket was closed before the result: the supervisor has exited.
    case supervisorExited = 13
    /// A command could not be decoded, or is not allowed in this state.
    case protocolViolation = 76
    /// The program has no valid catalogue, was started in an unknown mode, or cannot become a worker.
    case configuration = 78

    /// Flushes output and ends the process. Performs no other cleanup, because other threads may still run.
    package func callAsFunction() -> Never {
        intentd_flush_output()
        _exit(rawValue)
    }

    /// Prints a message, flushes output and ends the process.
    package func callAsFunction(_ message: String) -> Never {
        StandardError.print(message)
        self()
    }
}
