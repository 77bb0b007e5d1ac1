import IntentLauncherMessages
import IntentLinux
import IntentSandbox

extension WorkerObservation {
    /// The maximum number of threads to describe. Additional threads are only counted.
    private static let threadLimit = 16

    /// Describes a process's threads as /proc shows them. Fails if the process has exited.
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
        guard let stat = ProcessStat(at: "\(folder)/stat") else { return nil }
        let channel = (try? File.text(at: "\(folder)/wchan"))?.trimmed
        // An empty channel or "0" means that the thread is running, or that the kernel hides the channel.
        let isKnown = channel.map { !$0.utf8.isEmpty && $0 != "0" } ?? false
        self.init(
            name: String(stat.name.prefix(scalars: 64)),
            state: String(stat.state.prefix(scalars: 1)),
            waitChannel: isKnown ? channel.map { String($0.prefix(scalars: 64)) } : nil,
            processorTime: stat.processorTime
        )
    }
}
