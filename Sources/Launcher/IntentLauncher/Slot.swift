import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// A worker process and its resources, from the start of the process until intentd releases the slot.
final class Slot {
    let id: SlotID
    let process: Int32
    let workspace: RunWorkspace
    /// The worker's sandbox; nil for a worker without a sandbox.
    let sandbox: Sandbox?
    /// The source that fires when the leaf becomes empty. Set while a process in the leaf outlives the worker.
    var leafEvents: EventSource?
    /// The processes that a worker without a leaf left behind. They were killed, but have not been reaped yet.
    var orphans: Set<Int32> = []
    /// The number of processes that outlived the worker.
    var leftoverProcessCount = 0
    /// The worker's exit status; nil until the worker is reaped.
    var processEnd: ProcessEnd?
    /// The resources that the worker and its reaped children have used; nil until the worker is reaped.
    var usage: ResourceUsage?
    /// The times at which the run's usage is measured.
    var usageSchedule = UsageSchedule(start: ClockReading.monotonicNanoseconds())
    /// The end of the run as reported to intentd; nil until it is reported.
    var end: SlotEnd?
    /// The limit that the run exceeded; nil if the worker was not killed because of a limit.
    var exceeded: SandboxLimit?
    /// The limit on the run's disk usage in bytes (`DiskMax=`).
    let diskLimit: Int64?
    /// The quota of the app's state folder (`StateMax=`).
    let state: StateQuota?
    /// The size of the unlinked files that the worker has open in the app's state folder, in bytes.
    var unlinkedStateByteCount: Int64 = 0
    /// The slot's run, if the results folder contains any of the run's files. The slot's processes may still have these
    /// files open. Nil if the folder contains none.
    var keptRun: RunID?
    let isolation: Isolation
    /// Duplicates of intentd's descriptors for the next intentd: the socket, and the two pipes if the launcher outlives
    /// its intentd.
    let keptEnds: [SharedFileDescriptor]
    /// True once the run's end has been reported to intentd.
    var isReported: Bool { end != nil }
    /// True once intentd no longer needs the run folder or the slot.
    var isReleased = false

    init(
        _ preparation: Preparation,
        process: Int32,
        sandbox: Sandbox?,
        _ isolation: Isolation,
        keptEnds: [SharedFileDescriptor]
    ) {
        id = preparation.request.slot
        self.process = process
        workspace = preparation.workspace
        diskLimit = preparation.diskLimit
        state = preparation.state ?? sandbox?.state
        self.sandbox = sandbox
        self.isolation = isolation
        self.keptEnds = keptEnds
    }

    /// Restores a slot from the replaced program.
    ///
    /// - Parameter closer: Closes the socket.
    init(
        _ saved: LauncherState.Slot,
        at workspace: RunWorkspace,
        sandbox: Sandbox?,
        closer: @escaping SharedFileDescriptor.Closer
    ) {
        id = saved.id
        process = saved.process
        self.workspace = workspace
        diskLimit = saved.diskLimit
        state = saved.state
        self.sandbox = sandbox
        isolation = saved.isolation
        keptEnds = saved.keptEnds.enumerated().map { index, end in
            SharedFileDescriptor(owning: end, closer: index == 0 ? closer : nil)
        }
        orphans = Set(saved.orphans)
        leftoverProcessCount = saved.leftoverProcessCount
        processEnd = saved.processEnd
        usage = saved.usage
        end = saved.end
        exceeded = saved.exceeded
        isReleased = saved.isReleased
        keptRun = saved.keptRun
    }

    var directory: RunFolder { workspace.directory }
    var leaf: CgroupLeaf? { workspace.leaf }

    func signal(_ signal: StopSignal) {
        switch (leaf, signal) {
        case (let leaf?, .terminate): leaf.terminate()
        case (let leaf?, .kill): leaf.kill()
        case (nil, .terminate): signalTree(SIGTERM)
        case (nil, .kill): signalTree(SIGKILL)
        }
    }

    /// True for a worker with neither a leaf nor a sandbox. The processes that this worker started can be found only by
    /// their ancestry.
    var isUntracked: Bool { leaf == nil && sandbox == nil }

    /// True if the sandbox contains no other worker. Ending the sandbox then ends all of the run's processes.
    var isAlone: Bool {
        if case .worker? = sandbox?.use { return true }
        return false
    }

    /// Records the limit that the run exceeded, if a signal killed the worker and the kernel reports the limit. Call
    /// this method before the leaf is removed.
    func recordExceededLimit() {
        guard exceeded == nil, case .signaled(let number)? = processEnd else { return }
        let counts = leaf?.exceeded
        switch number {
        // The size of a single file exceeded RLIMIT_FSIZE, which is set to DiskMax=.
        case SIGXFSZ: exceeded = .disk
        case SIGKILL where counts?.memory == true: exceeded = .memory
        case _ where counts?.tasks == true: exceeded = .tasks
        default: break
        }
    }

    /// Removes the leaf, which must have no processes, unless another run can reuse it.
    func removeLeafUnlessReusable() {
        if sandbox?.forkServer == nil || workspace.leaf?.isReusable == false { removeLeaf() }
    }

    func removeLeaf() { workspace.removeLeaf(of: id) }

    /// Kills the processes in the leaf that outlived the worker.
    func killLeftovers(in leaf: CgroupLeaf) {
        guard leaf.isPopulated else { return }
        // Do not count pid 1 of the sandbox, because it does not belong to the worker.
        leftoverProcessCount = leaf.processes.count { $0 != sandbox?.initProcess }
        leaf.kill()
    }

    /// Kills the processes that a worker without a leaf left behind, together with their descendants.
    ///
    /// The processes are stopped first, and the search is repeated until it finds no new process, so that a process
    /// that forks repeatedly cannot escape.
    func killLeftovers(_ found: Set<Int32>) {
        var caught: Set<Int32> = []
        var fresh = found
        for _ in 0..<64 where !fresh.isEmpty {
            for process in fresh { _ = kill(process, SIGSTOP) }
            caught.formUnion(fresh)
            fresh = ProcessTree.descendants(of: caught).subtracting(caught)
        }
        for process in caught { _ = kill(process, SIGKILL) }
        leftoverProcessCount += found.subtracting(orphans).count
        orphans.formUnion(found)
    }

    /// A string in the worker's environment, which its child processes inherit by default. No process of another slot
    /// has it.
    var environmentMark: String { "TMPDIR=\(directory.path)\0" }

    /// True once the slot has no processes left, according to the kernel.
    var isEmpty: Bool {
        guard processEnd != nil else { return false }
        // Always read the leaf's events. An unread event would remain pending, and the event loop would report it again
        // immediately.
        let isPopulated = leaf?.isPopulated ?? !orphans.isEmpty
        return !isPopulated && (!isAlone || sandbox?.hasExited ?? true)
    }

    private func signalTree(_ number: Int32) {
        guard processEnd == nil else { return }
        for descendant in ProcessTree.descendants(of: [process]) { _ = kill(descendant, number) }
        // The worker is not reaped yet, so its process id cannot have been reused.
        _ = kill(-process, number)
        _ = kill(process, number)
    }
}
