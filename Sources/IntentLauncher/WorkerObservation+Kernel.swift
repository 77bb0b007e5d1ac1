import IntentLinux
import IntentWire

extension WorkerObservation {
    /// The maximum number of threads to describe. Additional threads are only counted.
    private static let threadLimit = 16

    /// Describes the threads of a process as /proc shows them. Fails if the process has exited.
    init?(of process: Int32) {
        let folder = "/proc/\(process)/task"
        let numbers = ((try? File.names(in: folder)) ?? []).compactMap { Int32($0) }.sorted()
        let threads = numbers.prefix(Self.threadLimit).compactMap { Thread(at: "\(folder)/\($0)") }
        guard !threads.isEmpty else { return nil }
        self.init(threads: threads, omittedThreadCount: numbers.count - min(numbers.count, Self.threadLimit))
    }
}

extension WorkerObservation.Thread {
    /// Describes a thread from its folder in /proc. Fails if the thread has exited or the launcher has no permission to
    /// inspect it.
    fileprivate init?(at folder: String) {
        guard let stat = try? File.text(at: "\(folder)/stat") else { return nil }
        // A name may contain spaces and parentheses, so the state follows the last parenthesis (proc(5)).
        guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"), open < close else { return nil }
        let fields = stat[stat.index(after: close)...].split(separator: " ")
        // In proc_pid_stat(5), the state is field 3, and utime and stime are fields 14 and 15. The first two fields
        // precede the last parenthesis.
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
        let channel = (try? File.text(at: "\(folder)/wchan"))?.trimmingPrefix(while: \.isWhitespace)
        // An empty channel or "0" means that the thread is running, or that the kernel hides the channel.
        let isKnown = channel.map { !$0.isEmpty && $0 != "0" } ?? false
        self.init(
            name: String(stat[stat.index(after: open)..<close].prefix(64)),
            state: String(fields[0].prefix(1)),
            waitChannel: isKnown ? channel.map { String($0.prefix(64)) } : nil,
            // USER_HZ is 100 on every supported architecture.
            processorTime: .milliseconds((user + system) * 10)
        )
    }
}
