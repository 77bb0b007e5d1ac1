import Glibc
import IntentLinux

/// Points at which the program kills itself in tests, so that a test can check which state survives. A fault point
/// precedes and follows every action and every write of a record. A release build has no fault points.
final class FaultPoints {
    #if DEBUG
        /// `INTENTD_FAULT=N` skips the first N fault points. `INTENTD_FAULT_SIGNAL=NUMBER` replaces SIGKILL.
        private var remainingCount = getenv("INTENTD_FAULT").flatMap { Int(String(foreign: $0)) }
    #endif

    func pass() {
        #if DEBUG
            guard let count = remainingCount else { return }
            if count <= 0 {
                _ = kill(getpid(), getenv("INTENTD_FAULT_SIGNAL").flatMap { Int32(String(foreign: $0)) } ?? SIGKILL)
            }
            remainingCount = count - 1
        #endif
    }
}
