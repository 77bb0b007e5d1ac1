import Glibc

/// For tests: points at which this program kills itself, so that tests see what survives. They are before and after
/// every action and every write to the record. A release build has none.
final class FaultPoints {
    #if DEBUG
        /// `INTENTD_FAULT=N` skips the first N fault points. `INTENTD_FAULT_SIGNAL=NUMBER` replaces SIGKILL.
        private var remainingCount = getenv("INTENTD_FAULT").flatMap { Int(String(cString: $0)) }
    #endif

    func pass() {
        #if DEBUG
            guard let count = remainingCount else { return }
            if count <= 0 {
                _ = kill(getpid(), getenv("INTENTD_FAULT_SIGNAL").flatMap { Int32(String(cString: $0)) } ?? SIGKILL)
            }
            remainingCount = count - 1
        #endif
    }
}
