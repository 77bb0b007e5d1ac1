import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// One worker process from its launch until its directory is released.
final class Slot {
    let id: SlotID
    let process: Int32
    private(set) var place: RunPlace
    /// Nil where it runs as any other program of its user.
    let sandbox: Sandbox?
    /// Watches the leaf for becoming empty, where something outlives the worker in it.
    var leafEvents: EventSource?
    /// Where there is no leaf: what the worker left behind, killed and not reaped yet.
    var orphans: Set<Int32> = []
    var leftoverProcessCount = 0
    /// How the worker itself ended; nil while it lives.
    var processEnd: ProcessEnd?
    /// What the worker used, and the children that it waited for.
    var usage: ResourceUsage?
    /// The end as it was reported to intentd.
    var end: SlotEnd?
    /// What it went beyond, where that was its end.
    var exceeded: SandboxLimit?
    /// `DiskMax=`, in bytes.
    let diskLimit: Int64?
    /// `StateMax=` of its app's state folder.
    let state: StateQuota?
    /// Bytes of files without a name that it has open in its app's state folder.
    var namelessStateByteCount: Int64 = 0
    /// The run under which files of its result are kept, which its processes may still have open.
    var keptRun: RunID?
    let isolation: Isolation
    /// What `intentd` got of it, kept for the one that comes after: its socket, and the two pipes unless the launcher lives
    /// no longer than its `intentd`.
    let keptEnds: [SharedFileDescriptor]
    /// A supervisor was told of the end.
    var isReported: Bool { end != nil }
    /// intentd has released the slot: the directory is not needed any more.
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
        place = preparation.place
        diskLimit = preparation.diskLimit
        state = preparation.state ?? sandbox?.state
        self.sandbox = sandbox
        self.isolation = isolation
        self.keptEnds = keptEnds
    }

    /// One that another program of the launcher's began.
    ///
    /// - Parameter closer: Closes its socket.
    init(
        _ left: LauncherState.Slot,
        at place: RunPlace,
        sandbox: Sandbox?,
        closer: @escaping SharedFileDescriptor.Closer
    ) {
        id = left.id
        process = left.process
        self.place = place
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

    var directory: RunDirectory { place.directory }
    var leaf: CgroupLeaf? { place.leaf }

    func signal(_ signal: StopSignal) {
        switch (leaf, signal) {
        case (let leaf?, .terminate): leaf.terminate()
        case (let leaf?, .kill): leaf.kill()
        case (nil, .terminate): signalTree(SIGTERM)
        case (nil, .kill): signalTree(SIGKILL)
        }
    }

    /// Nothing but parenthood holds together what it starts.
    var isOpen: Bool { leaf == nil && sandbox == nil }

    /// It is alone in its sandbox: the end of the sandbox ends all of its processes.
    var isAlone: Bool {
        if case .worker? = sandbox?.use { return true }
        return false
    }

    /// The limit that ended the worker, as far as the kernel tells. Before its leaf is removed.
    func noteExceeded() {
        guard exceeded == nil, case .signaled(let number)? = processEnd else { return }
        let counts = leaf?.exceeded
        switch number {
        // RLIMIT_FSIZE: a single file of more than all may have.
        case SIGXFSZ: exceeded = .disk
        case SIGKILL where counts?.memory == true: exceeded = .memory
        case _ where counts?.tasks == true: exceeded = .tasks
        default: break
        }
    }

    /// Once nothing of it lives: its leaf goes, unless another run may have it.
    func leavePlace() {
        if sandbox?.forkServer == nil || place.leaf?.canServeAgain == false { place.removeLeaf() }
    }

    func removeLeaf() { place.removeLeaf() }

    /// Ends what outlived the worker in its leaf.
    func endLeftovers(in leaf: CgroupLeaf) {
        guard leaf.isPopulated else { return }
        // Does not count pid 1 of the sandbox.
        leftoverProcessCount = leaf.processes.count { $0 != sandbox?.initProcess }
        leaf.kill()
    }

    /// Ends what the worker left behind where there is no leaf: these, and all below them.
    ///
    /// Stopped before they are killed, and looked for until none is new: what forks all the time is caught too.
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

    /// What every process of this slot finds in its environment, and no other.
    var environmentMark: String { "TMPDIR=\(directory.path)\0" }

    /// True when the kernel says that nothing is left.
    var isEmpty: Bool {
        guard processEnd != nil else { return false }
        // Always read: an unread event stays pending, and the loop would spin on it.
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
