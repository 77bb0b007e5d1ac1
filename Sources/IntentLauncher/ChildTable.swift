import Glibc
import IntentSandbox
import IntentWire

/// The launcher's children.
///
/// A child that is not in the table is a worker that has not reported itself yet, or an orphaned process of an app. The
/// worker of a sandbox without a fork server has two entries: as a worker and as a process of the sandbox.
final class ChildTable {
    private var workers: [Int32: SlotID] = [:]
    /// Maps pid 1 of each sandbox, and the process of its executable, to the sandbox.
    private var sandboxes: [Int32: Sandbox] = [:]
    /// Children that remove large directories.
    private(set) var removers: Set<Int32> = []
    /// Children that measure disk usage or close descriptors, and the launcher's new program while it is asked.
    private var helpers: Set<Int32> = []
    /// Folders of ended sandboxes that a remover has not emptied yet.
    private(set) var staleFolders: Set<String> = []

    /// Restores the entries of the replaced program.
    func restore(removers: [Int32], staleFolders: [String]) {
        self.removers = Set(removers)
        self.staleFolders = Set(staleFolders)
    }

    func addWorker(_ process: Int32, of slot: SlotID) { workers[process] = slot }

    /// Adds the unreaped processes of the sandbox.
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

    /// Reaps a child of the table that has exited; nil when none has.
    func reapKnown() -> ChildReaper.End? {
        for process in processes {
            if let end = ChildReaper.reap(process) { return end }
        }
        return nil
    }

    func sandbox(of process: Int32) -> Sandbox? { sandboxes[process] }

    /// Removes a reaped worker; nil when the process is not a worker.
    func removeWorker(_ process: Int32) -> SlotID? { workers.removeValue(forKey: process) }

    /// Removes a reaped helper; false when the process is not a helper.
    func removeHelper(_ process: Int32) -> Bool { helpers.remove(process) != nil }

    /// Removes a reaped remover, and the stale folders that are now empty.
    func removeRemover(_ process: Int32) {
        guard removers.remove(process) != nil else { return }
        // If another remover still works in a folder, the folder is removed when that remover is reaped.
        staleFolders = staleFolders.filter { rmdir($0) != 0 && errno == ENOTEMPTY }
    }

    /// Kills the removers: if two processes empty a folder at the same time, it may not become empty.
    func endRemovers() {
        for process in removers {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
        removers = []
    }

    /// Removes a workspace. A child process removes a large folder.
    func remove(_ workspace: RunWorkspace) {
        if let remover = workspace.remove() { addRemover(remover) }
    }

    /// Removes a sandbox without processes, and its folder.
    func remove(_ sandbox: Sandbox) {
        // Removers may still be emptying the directories of its runs.
        if rmdir(sandbox.folder) != 0 { staleFolders.insert(sandbox.folder) }
        for process in [sandbox.initProcess, sandbox.server] { sandboxes[process] = nil }
    }
}
