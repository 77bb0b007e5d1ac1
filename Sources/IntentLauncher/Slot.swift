import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// One worker process, from its launch until intentd releases its directory.
final class Slot {
    let id: SlotID
    let process: Int32
    private(set) var workspace: RunWorkspace
    /// Nil for a worker without a sandbox.
    let sandbox: Sandbox?
    /// Waits until the leaf is empty, while a process in it outlives the worker.
    var leafEvents: EventSource?
    /// Without a leaf: processes that the worker left behind. They are killed but not reaped yet.
    var orphans: Set<Int32> = []
    var leftoverProcessCount = 0
    /// How the worker's process ended; nil while it runs.
    var processEnd: ProcessEnd?
    /// The resources that the worker and its reaped children used.
    var usage: ResourceUsage?
    /// The end that was reported to intentd.
    var end: SlotEnd?
    /// The limit that ended the worker.
    var exceeded: SandboxLimit?
    /// `DiskMax=`, in bytes.
    let diskLimit: Int64?
    /// `StateMax=` of the app's state folder.
    let state: StateQuota?
    /// Bytes of unlinked files that the worker has open in the app's state folder.
    var namelessStateByteCount: Int64 = 0
    /// The run under which files of the result are kept. Processes of the slot may have them open.
    var keptRun: RunID?
    let isolation: Isolation
    /// The descriptors that intentd received, kept for the next intentd: the socket, and the two pipes if the launcher
    /// outlives its intentd.
    let keptEnds: [SharedFileDescriptor]
    /// True once the end was reported.
    var isReported: Bool { end != nil }
    /// True once intentd no longer needs the directory.
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

    /// Restores a slot of the replaced program.
    ///
    /// - Parameter closer: Closes the socket.
    init(
        _ left: LauncherState.Slot,
        at workspace: RunWorkspace,
        sandbox: Sandbox?,
        closer: @escaping SharedFileDescriptor.Closer
    ) {
        id = left.id
        process = left.process
        self.workspace = workspace
        diskLimit = left.diskLimit
        state = left.state
        self.sandbox = sandbox
        isolation = left.isolation
        keptEnds = left.keptEnds.enumerated().map { index, end in
            SharedFileDescriptor(owning: end, closer: index == 0 ? closer : nil)
        }
        orphans = Set(left.orphans)
        leftoverProcessCount = left.leftoverProcessCount
        processEnd = left.processEnd
        usage = left.usage
        end = left.end
        exceeded = left.exceeded
        isReleased = left.isReleased
        keptRun = left.keptRun
    }

    var directory: RunDirectory { workspace.directory }
    var leaf: CgroupLeaf? { workspace.leaf }

    func signal(_ signal: StopSignal) {
        switch (leaf, signal) {
        case (let leaf?, .terminate): leaf.terminate()
        case (let leaf?, .kill): leaf.kill()
        case (nil, .terminate): signalTree(SIGTERM)
        case (nil, .kill): signalTree(SIGKILL)
        }
    }

    /// True without a leaf and a sandbox: only their ancestry shows which processes the worker started.
    var isOpen: Bool { leaf == nil && sandbox == nil }

    /// True if the worker is alone in its sandbox: the end of the sandbox then ends all its processes.
    var isAlone: Bool {
        if case .worker? = sandbox?.use { return true }
        return false
    }

    /// Records the limit that ended the worker, if the kernel reports it. Call it before the leaf is removed.
    func noteExceeded() {
        guard exceeded == nil, case .signaled(let number)? = processEnd else { return }
        let counts = leaf?.exceeded
        switch number {
        // RLIMIT_FSIZE: a single file exceeded the limit for all of the run's files.
        case SIGXFSZ: exceeded = .disk
        case SIGKILL where counts?.memory == true: exceeded = .memory
        case _ where counts?.tasks == true: exceeded = .tasks
        default: break
        }
    }

    /// Removes the leaf after all processes have exited, unless another run may use it.
    func endUse() {
        if sandbox?.forkServer == nil || workspace.leaf?.canServeAgain == false { workspace.removeLeaf() }
    }

    func removeLeaf() { workspace.removeLeaf() }

    /// Kills the processes that outlived the worker in its leaf.
    func endLeftovers(in leaf: CgroupLeaf) {
        guard leaf.isPopulated else { return }
        // pid 1 of the sandbox does not belong to the worker.
        leftoverProcessCount = leaf.processes.count { $0 != sandbox?.initProcess }
        leaf.kill()
    }

    /// Kills the processes that a worker without a leaf left behind, and their descendants.
    ///
    /// Stops them first, and searches again until no new process is found. This also catches a process that keeps
    /// forking.
    func endLeftovers(_ found: Set<Int32>) {
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

    /// Text in the environment of every process of this slot, and of no other process.
    var environmentMark: String { "TMPDIR=\(directory.path)\0" }

    /// True when the kernel shows no process of the slot.
    var isEmpty: Bool {
        guard processEnd != nil else { return false }
        // Always read this: an unread event stays pending, and the loop would spin.
        let isPopulated = leaf?.isPopulated ?? !orphans.isEmpty
        return !isPopulated && (!isAlone || sandbox?.hasExited ?? true)
    }

    private func signalTree(_ number: Int32) {
        guard processEnd == nil else { return }
        for descendant in ProcessTree.descendants(of: [process]) { _ = kill(descendant, number) }
        // The worker is not reaped, so its process id is not reused.
        _ = kill(-process, number)
        _ = kill(process, number)
    }
}
