import IntentLinux

/// The fields of /proc/PID/stat or of /proc/PID/task/TID/stat (proc_pid_stat(5)).
package struct ProcessStat {
    /// The name of the process or thread. Its program can set the name.
    package let name: Substring
    /// The fields after the name. The first is field 3 of proc_pid_stat(5).
    private let fields: [Substring]

    /// Reads the file at a path. Returns nil if the process was reaped or the file cannot be read.
    package init?(at path: String) {
        guard let text = try? File.text(at: path) else { return nil }
        self.init(text)
    }

    /// Parses the contents of the file; nil if they are not in the kernel's format.
    package init?(_ text: String) {
        // The name may contain spaces and parentheses, so the fields follow the last parenthesis.
        let utf8 = text.utf8
        guard let open = utf8.firstIndex(of: UInt8(ascii: "(")), let close = utf8.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        name = text[utf8.index(after: open)..<close]
        fields = utf8[close...].dropFirst().split(separator: UInt8(ascii: " ")).map { Substring($0) }
        guard fields.count > 14, Int32(fields[1]) != nil else { return nil }
    }

    /// The letter of the state: R, S, D and so on.
    package var state: Substring { fields[0] }

    package var isAlive: Bool { state != "Z" && state != "X" }

    package var parent: Int32 { Int32(fields[1]) ?? 0 }

    /// The time in user and kernel mode: utime and stime, fields 14 and 15.
    package var processorTime: Duration { ticks(11...12) }

    /// The time of the children that the process has reaped: cutime and cstime, fields 16 and 17.
    package var reapedProcessorTime: Duration { ticks(13...14) }

    private func ticks(_ range: ClosedRange<Int>) -> Duration {
        // USER_HZ is 100 on every supported architecture.
        .milliseconds(fields[range].reduce(0) { $0 + (Int64($1) ?? 0) } * 10)
    }
}
