import Glibc
import IntentLauncherMessages
import IntentSandbox

/// The child processes that the launcher tracks.
///
/// A child that is not in the table is either a worker that has not sent its report yet, or an orphaned process of an
/// app. The worker of a sandbox without a fork server has two entries: as a worker and as a process of the sandbox.
final class ChildTable {
    private var workers: [Int32: SlotID] = [:]
    /// The sandboxes by process id. Each sandbox has two keys: its pid 1, and its fork server or worker.
    private var sandboxes: [Int32: Sandbox] = [:]
    /// The children that remove large directories.
    private(set) var removers: Set<Int32> = []
    /// The children that measure disk usage, close descriptors, or check whether the new launcher program can take
    /// over.
    private var helpers: Set<Int32> = []
    /// The folders of ended sandboxes that no remover has emptied yet.
    private(set) var staleFolders: Set<String> = []

    /// The leaves of removed workspaces in which processes were left, which the fork server or an operator has moved
    /// into them.
    private var leftLeaves: [CgroupLeaf] = []

    /// Adds the entries that the replaced launcher program passed to this program.
    func restore(removers: [Int32], staleFolders: [String]) {
        self.removers = Set(removers)
        self.staleFolders = Set(staleFolders)
    }

    func addWorker(_ process: Int32, of slot: SlotID) { workers[process] = slot }

    /// Adds the sandbox's processes that have not been reaped.
    func add(_ sandbox: Sandbox) {
        if !sandbox.isInitReaped { sandboxes[sandbox.initProcess] = sandbox }
        if sandbox.serverEnd == nil { sandboxes[sandbox.server] = sandbox }
    }

    func addRemover(_ process: Int32) { removers.insert(process) }

    func addHelper(_ process: Int32) { helpers.insert(process) }

    func contains(_ process: Int32) -> Bool {
        workers[process] != nil || sandboxes[process] != nil || removers.contains(process) || helpers.contains(process)
    }

    var processes: Set<Int32> { Set(workers.keys).union(sandboxes.keys).union(removers).union(helpers) }

    /// Reaps one child in the table that has exited. Returns nil if all children in the table are still running.
    func reapKnown() -> ChildReaper.End? {
        for process in processes {
            if let end = ChildReaper.reap(process) { return end }
        }
        return nil
    }

    func sandbox(of process: Int32) -> Sandbox? { sandboxes[process] }

    /// Removes a reaped worker and returns its slot. Returns nil if the process is not a worker.
    func removeWorker(_ process: Int32) -> SlotID? {
        removeLeaves()
        return workers.removeValue(forKey: process)
    }

    /// Removes a reaped helper. Returns false if the process is not a helper.
    func removeHelper(_ process: Int32) -> Bool { helpers.remove(process) != nil }

    /// Removes a reaped remover from the table, and the stale folders that are now empty from the disk.
    func removeRemover(_ process: Int32) {
        guard removers.remove(process) != nil else { return }
        // Keep a folder in which another remover is still working. It is removed when that remover is reaped.
        staleFolders = staleFolders.filter { rmdir($0) != 0 && errno == ENOTEMPTY }
    }

    /// Kills the removers, so that the caller can remove the folders itself. Two processes that empty the same folder
    /// can interfere with each other and leave entries behind.
    func endRemovers() {
        for process in removers {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
        removers = []
    }

    /// Removes the owner's workspace, in a child process if its folder is large.
    func remove(_ workspace: RunWorkspace, from owner: WorkspaceOwner) {
        if let remover = workspace.remove(from: owner) { addRemover(remover) }
        if let leaf = workspace.leftLeaf { leftLeaves.append(leaf) }
        removeLeaves()
    }

    /// Kills the processes in the leaves of removed workspaces, and removes the leaves. A process that is being killed
    /// keeps its leaf until the next call.
    private func removeLeaves() {
        leftLeaves.removeAll { leaf in
            leaf.kill()
            return leaf.remove()
        }
    }

    /// Removes a sandbox that has no processes left, together with its folder.
    func remove(_ sandbox: Sandbox) {
        // Remove the folder later if rmdir(2) fails, because removers may still be emptying the sandbox's run folders.
        if rmdir(sandbox.folder) != 0 { staleFolders.insert(sandbox.folder) }
        for process in [sandbox.initProcess, sandbox.server] { sandboxes[process] = nil }
    }
}
