import CIntentWorker
import Foundation
import Glibc

/// How a worker's process ends by itself, for `intentd` and for those who read a journal.
enum WorkerExit: Int32 {
    /// The result was acknowledged, or the catalogue given.
    case done = 0
    /// The socket ended before the result: the supervisor is gone.
    case supervisorGone = 13
    /// A command could not be read, or has no place where it came.
    case protocolViolation = 76
    /// The program cannot give a catalogue, or does not know the mode.
    case configuration = 78

    /// Ends the process, with what was printed flushed. Other threads may still run, so nothing else is torn down.
    func callAsFunction() -> Never {
        intentd_flush_output()
        _exit(rawValue)
    }

    /// The same after a message for people.
    func callAsFunction(_ message: String) -> Never {
        StandardError.print(message)
        self()
    }
}
