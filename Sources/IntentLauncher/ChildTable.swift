import Glibc
import IntentWire

/// The launcher's children.
///
/// A child that is not in the table is a worker that has not reported itself yet, or an orphan of an app. The worker of a
/// sandbox without a fork server is in it as both: worker and process of the sandbox.
final class ChildTable {
    private var workers: [Int32: SlotID] = [:]
    /// pid 1 of each sandbox, and the process of its executable.
    private var sandboxes: [Int32: Sandbox] = [:]
    /// Each removes a large directory.
    private(set) var removers: Set<Int32> = []
    /// Each measures disk usage, closes descriptors, or is the program that is to replace this one.
    private var helpers: Set<Int32> = []
    /// Folders of ended sandboxes that were not empty, since a remover works in them.
    private(set) var staleFolders: Set<String> = []

    /// Restores what the program before this one left.
    func restore(removers: [Int32], staleFolders: [String]) {
        self.removers = Set(removers)
        self.staleFolders = Set(staleFolders)
    }

    func addWorker(_ process: Int32, of slot: SlotID) { workers[process] = slot }

    /// Adds the processes of the sandbox that are not reaped.
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

    func sandbox(of process: Int32) -> Sandbox? { sandboxes[process] }

    /// Removes a worker that was reaped; nil when the process is not a worker.
    func removeWorker(_ process: Int32) -> SlotID? { workers.removeValue(forKey: process) }

    /// Removes a helper that was reaped; false when the process is not a helper.
    func removeHelper(_ process: Int32) -> Bool { helpers.remove(process) != nil }

    /// Removes a remover that was reaped, and the stale folders that are empty now.
    func removeRemover(_ process: Int32) {
        guard removers.remove(process) != nil else { return }
        // A folder in which another remover still works is removed after the end of that one.
        staleFolders = staleFolders.filter { rmdir($0) != 0 && errno == ENOTEMPTY }
    }

    /// Ends the removers. A folder that two processes empty at the same time may not become empty.
    func endRemovers() {
        for process in removers {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
        removers = []
    }

    /// Removes a place that serves no run any more. A child removes a large folder.
    func remove(_ place: RunPlace) {
        if let remover = place.remove() { addRemover(remover) }
    }

    /// Removes a sandbox without processes, and its folder.
    func remove(_ sandbox: Sandbox) {
        // Removers may still empty the directories of its runs.
        if rmdir(sandbox.folder) != 0 { staleFolders.insert(sandbox.folder) }
        for process in [sandbox.initProcess, sandbox.server] { sandboxes[process] = nil }
    }
}
