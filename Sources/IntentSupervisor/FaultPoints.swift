import Glibc

/// Places at which this program ends as if it were killed, so that tests see what outlives it: before and after every
/// action, and every write to the record. A release build has none.
final class FaultPoints {
    #if DEBUG
        /// `INTENTD_FAULT=N`: the number of places to pass before. `INTENTD_FAULT_SIGNAL=NUMBER`: the signal, if not SIGKILL.
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
