import Glibc
package import IntentLinux

/// A cgroup that contains processes: one worker and its child processes, or a sandbox's pid 1 and the app's process.
package final class CgroupLeaf {
    package let path: String
    /// The cgroup's directory, which is passed to the sandbox for CLONE_INTO_CGROUP (clone3(2)).
    package let directory: SharedFileDescriptor
    /// The id of the cgroup: the inode number of its directory. Nil if the directory cannot be inspected.
    private let number: UInt64?
    private let controllers: [String]
    /// The file `cgroup.events`. It is ready for ``PollEvents/changed`` when the first process enters the leaf or the
    /// last process exits.
    package let events: FileDescriptor
    /// True once the processes in the leaf have been killed.
    private var wasKilled = false

    /// Opens an existing leaf.
    ///
    /// - Parameter controllers: The enabled controllers. The files of other controllers are not used.
    init(path: String, controllers: [String]) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        directory = SharedFileDescriptor(try File.openPath(path))
        number = try? File.status(of: directory.rawValue).inode
        events = try File.open("\(path)/cgroup.events")
    }

    /// True if another run of the app can reuse the leaf once it is empty.
    ///
    /// A leaf with controllers is not reusable, because the controllers keep state: the page cache of files that a run
    /// read or wrote is still charged to its leaf as memory, and the CPU time that the run used is not available for
    /// the rest of the period. A leaf in which processes were killed is not reused either, so that the launcher need
    /// not verify that all of them have exited.
    package var isReusable: Bool { controllers.isEmpty && !wasKilled }

    /// True if the leaf is not frozen and has no processes.
    package var isReady: Bool {
        let lines = state.split(separator: UInt8(ascii: "\n"))
        return ["populated 0", "frozen 0"].allSatisfy { line in lines.contains { $0.elementsEqual(line.utf8) } }
    }

    /// Returns false if the child is in another cgroup. Returns true for a child that has exited, because it cannot run
    /// any more code.
    package func contains(_ child: ChildReaper.Child) -> Bool {
        if let cgroup = child.cgroup { return cgroup == number }
        return !ProcessTree.isAlive(child.process) || processes.contains(child.process)
    }

    /// Returns true if a cgroup path from /proc/PID/cgroup refers to this leaf. Only the names of the leaf and its
    /// group are compared, because these names are unique among the launcher's cgroups.
    package func matches(processPath: String) -> Bool {
        func names(_ path: String) -> [Substring] { path.split(scalar: "/").suffix(2) }
        let own = names(path)
        return own.count == 2 && names(processPath) == own
    }

    /// The limits of one run, which apply to all its processes together. Nil means no limit.
    package struct Limits: Equatable, Sendable {
        package var memoryByteCount: Int64?
        /// The maximum number of processes and threads.
        package var taskCount: Int?
        /// The maximum CPU time, as a percentage of one CPU.
        package var processorPercent: Int?

        package init(memoryByteCount: Int64? = nil, taskCount: Int? = nil, processorPercent: Int? = nil) {
            self.memoryByteCount = memoryByteCount
            self.taskCount = taskCount
            self.processorPercent = processorPercent
        }
    }

    /// Sets the limits that the enabled controllers can enforce: `memory.max`, `pids.max` and `cpu.max`.
    package func limit(_ limits: Limits) {
        // Ignore failures of the writes in this function, because the launcher reports which controllers are enabled.
        if controllers.contains("memory"), let count = limits.memoryByteCount {
            _ = try? File.put(String(count), at: "\(path)/memory.max")
            // Kill the whole run, not only the largest process: a program's parent would report another cause of its end.
            _ = try? File.put("1", at: "\(path)/memory.oom.group")
            // Disable swap, because a run could use it to exceed the memory limit.
            _ = try? File.put("0", at: "\(path)/memory.swap.max")
        }
        if controllers.contains("pids"), let count = limits.taskCount {
            _ = try? File.put(String(count), at: "\(path)/pids.max")
        }
        if controllers.contains("cpu"), let percent = limits.processorPercent {
            _ = try? File.put("\(percent * 1000) 100000", at: "\(path)/cpu.max")
        }
    }

    /// The limits that the run has reached. `memory` is true if the kernel killed a process because of `memory.max`,
    /// and `tasks` is true if the kernel refused to create a process or thread because of `pids.max`.
    package var exceeded: (memory: Bool, tasks: Bool) {
        (count("oom_kill", of: "memory") > 0, count("max", of: "pids") > 0)
    }

    private func count(_ name: String, of controller: String) -> Int {
        guard controllers.contains(controller) else { return 0 }
        // If the file cannot be read, assume that no limit was reached.
        let text = File.restOfLine(startingWith: "\(name) ", at: "\(path)/\(controller).events")
        return text.flatMap { Int($0) } ?? 0
    }

    /// True while the leaf has a live process.
    package var isPopulated: Bool {
        // If the file cannot be read, the leaf was removed and has no processes.
        state.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("populated 1".utf8) }
    }

    /// The contents of `cgroup.events`; empty if the file cannot be read.
    private var state: [UInt8] {
        // Read through the polled descriptor. Without this read, poll(2) does not report the next change.
        (try? File.read(events.rawValue, upTo: 256, at: 0)) ?? []
    }

    /// The running processes in the leaf.
    package var processes: [Int32] {
        let lines = (try? File.lines(at: "\(path)/cgroup.procs")) ?? []
        return lines.compactMap { Int32($0) }.filter { $0 > 0 }
    }

    /// The memory charged to the cgroup, in bytes; nil without the memory controller.
    package var memoryByteCount: Int64? {
        guard controllers.contains("memory"), let lines = try? File.lines(at: "\(path)/memory.current") else {
            return nil
        }
        return lines.first.flatMap { Int64($0) }
    }

    /// The processor time of the processes that are or were in the cgroup. Nil for a cgroup without controllers, which
    /// may have been used by earlier runs.
    package var processorTime: Duration? {
        guard !controllers.isEmpty else { return nil }
        let text = File.restOfLine(startingWith: "usage_usec ", at: "\(path)/cpu.stat")
        return text.flatMap { Int64($0) }.map { .microseconds($0) }
    }

    /// Kills all processes in the cgroup, including processes that are being forked (`cgroup.kill`).
    package func kill() {
        wasKilled = true
        do {
            try File.put("1", at: "\(path)/cgroup.kill")
        } catch {
            // Linux before 5.14 lacks this file. Kill the current processes one by one. The next call kills the
            // processes that are forked in the meantime.
            for process in processes { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Sends SIGTERM to each process in the leaf.
    package func terminate() {
        // Ignore failures, because a process may have exited since the list was read.
        for process in processes { _ = Glibc.kill(process, SIGTERM) }
    }

    /// Removes the empty leaf, together with any cgroups that its processes created below it. Returns false if the leaf
    /// still exists.
    @discardableResult
    package func remove() -> Bool { Self.remove(path, depth: 0) }

    @discardableResult
    static func remove(_ path: String, depth: Int) -> Bool {
        if rmdir(path) == 0 || errno == ENOENT { return true }
        if depth > 16 { return false }
        for name in (try? File.names(in: path)) ?? [] where !name.utf8.contains(UInt8(ascii: ".")) {
            remove("\(path)/\(name)", depth: depth + 1)
        }
        // If rmdir(2) fails, the empty leaf remains, and is removed together with its parent.
        return rmdir(path) == 0
    }
}
