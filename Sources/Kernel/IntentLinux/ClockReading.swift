import CIntentLinux
import Glibc

/// Reads the kernel's clocks, in nanoseconds.
package enum ClockReading {
    /// Reads CLOCK_MONOTONIC, which does not advance while the machine is suspended.
    package static func monotonicNanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Reads CLOCK_BOOTTIME, which also advances while the machine is suspended.
    package static func boottimeNanoseconds() -> Int64 { read(CLOCK_BOOTTIME) }

    /// Reads CLOCK_REALTIME, the time since 1970. An operator or NTP can set this clock back.
    package static func realtimeNanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// True if the kernel regards CLOCK_REALTIME as synchronized (adjtimex(2)); nil if the call fails.
    package static var isRealtimeSynchronized: Bool? {
        let answer = intentd_clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // This call cannot fail, because Linux has supported these clocks since version 2.6.39.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
