import IntentLauncherMessages
import IntentLinux
import IntentSandbox

extension UsageSample {
    /// The maximum number of processes to read. A run with more processes and without a memory controller is measured
    /// incompletely, because reading its processes would delay other runs.
    private static let processLimit = 64

    /// Measures a slot's processes. Fails if they have exited.
    init?(of slot: Slot) {
        let processes =
            slot.leaf.map { leaf in leaf.processes.filter { $0 != slot.sandbox?.initProcess } }
            ?? Self.tree(of: slot.process)
        guard let first = processes.first, ProcessTree.isAlive(first) else { return nil }
        let measured = processes.prefix(Self.processLimit)
        self.init(
            memoryByteCount: slot.leaf?.memoryByteCount
                ?? Int64(measured.compactMap { try? Heap.residentByteCount(of: "\($0)") }.reduce(0, +)),
            processorTime: slot.leaf?.processorTime
                ?? measured.compactMap { ProcessStat(at: "/proc/\($0)/stat") }
                .reduce(.zero) { $0 + $1.processorTime + $1.reapedProcessorTime },
            processCount: processes.count
        )
    }

    /// Returns a process and its descendants. A descendant is not found if its parent has exited.
    ///
    /// The kernel lists the children of each thread (proc_tid_children(5)), so the machine's other processes need not
    /// be read.
    private static func tree(of process: Int32) -> [Int32] {
        var found = [process]
        var next = 0
        while next < found.count, found.count < processLimit {
            let folder = "/proc/\(found[next])/task"
            next += 1
            for thread in ((try? File.names(in: folder)) ?? []).prefix(processLimit) {
                let children = (try? File.text(at: "\(folder)/\(thread)/children")) ?? ""
                found += children.split(scalar: " ").compactMap { Int32($0) }
            }
        }
        return found
    }
}
