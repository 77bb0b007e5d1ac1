import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// One worker process from its launch until its directory is released.
final class Slot {
    let id: SlotID
    let process: Int32
    let directory: RunDirectory
    let leaf: CgroupLeaf?
    /// Watches the leaf for becoming empty.
    var leafEvents: EventSource?
    /// Where there is no leaf: what the worker left behind, killed and not reaped yet.
    var orphans: Set<Int32> = []
    var leftoverProcessCount = 0
    /// How the worker itself ended; nil while it lives.
    var processEnd: ProcessEnd?
    /// The supervisor was told of the end.
    var isReported = false
    /// Nobody needs the directory any more.
    var isReleased = false

    init(id: SlotID, process: Int32, directory: RunDirectory, leaf: CgroupLeaf?) {
        self.id = id
        self.process = process
        self.directory = directory
        self.leaf = leaf
    }

    func signal(_ signal: StopSignal) {
        switch (leaf, signal) {
        case (let leaf?, .terminate): leaf.terminate()
        case (let leaf?, .kill): leaf.kill()
        case (nil, .terminate): signalTree(SIGTERM)
        case (nil, .kill): signalTree(SIGKILL)
        }
    }

    /// Ends what outlived the worker. What has no leaf was handed to the launcher as its own orphan.
    func endLeftovers(orphans found: [Int32]) {
        if let leaf {
            leftoverProcessCount = leaf.processes.count
            if leaf.isPopulated { leaf.kill() }
        } else {
            orphans = Set(found)
            leftoverProcessCount = found.count
            for orphan in found { killWithDescendants(orphan) }
        }
    }

    /// True when the kernel says that nothing is left.
    var isEmpty: Bool {
        guard processEnd != nil else { return false }
        if let leaf { return !leaf.isPopulated }
        return orphans.isEmpty
    }

    private func signalTree(_ number: Int32) {
        guard processEnd == nil else { return }
        for descendant in ProcessTree.descendants(of: process) { _ = kill(descendant, number) }
        // The worker is not reaped yet, so that its number is nobody else's.
        _ = kill(-process, number)
        _ = kill(process, number)
    }

    private func killWithDescendants(_ orphan: Int32) {
        for descendant in ProcessTree.descendants(of: orphan) { _ = kill(descendant, SIGKILL) }
        _ = kill(orphan, SIGKILL)
    }
}
