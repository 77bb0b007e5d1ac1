import CIntentLinux
import Glibc

/// The kernel's clocks, in nanoseconds.
package enum ClockReading {
    /// CLOCK_MONOTONIC: does not advance while the machine is suspended.
    package static func monotonicNanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    /// CLOCK_BOOTTIME: also advances while the machine is suspended.
    package static func boottimeNanoseconds() -> Int64 { read(CLOCK_BOOTTIME) }

    /// CLOCK_REALTIME: nanoseconds since 1970. An operator or NTP can set it back.
    package static func realtimeNanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// Whether the kernel regards CLOCK_REALTIME as synchronized (adjtimex(2)); nil if the call fails.
    package static var isRealtimeSynchronized: Bool? {
        let answer = intentd_clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // This cannot fail: Linux has these clocks since 2.6.39.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
