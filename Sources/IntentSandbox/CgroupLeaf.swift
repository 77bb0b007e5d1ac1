import Glibc
package import IntentLinux

/// The cgroup of one worker and of its child processes.
package final class CgroupLeaf {
    package let path: String
    /// The cgroup's directory, which is passed to the sandbox for CLONE_INTO_CGROUP (clone3(2)).
    package let directory: SharedFileDescriptor
    /// The id of the cgroup, which is the inode number of its directory; nil if it cannot be read.
    private let number: UInt64?
    private let controllers: [String]
    /// `cgroup.events`. It has ``PollEvents/changed`` when the leaf fills or empties.
    package let events: FileDescriptor
    /// True once the processes in the leaf were killed.
    private var wasKilled = false

    /// - Parameter controllers: The enabled controllers. Files of other controllers are not opened.
    init(path: String, controllers: [String]) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        directory = SharedFileDescriptor(try File.openPath(path))
        number = try? File.status(of: directory.rawValue).inode
        events = try File.open("\(path)/cgroup.events")
    }

    /// True if the leaf, once it is empty, may serve another run of the app.
    ///
    /// Controllers keep state: files that a run read or wrote count as memory of its leaf until the kernel evicts them
    /// from its cache, and the processor time that the run used is missing from the rest of the period. A leaf with
    /// killed processes is not reused, so that no check has to prove that every process has ended.
    package var isReusable: Bool { controllers.isEmpty && !wasKilled }

    /// True if the leaf is not frozen and has no processes.
    package var isReady: Bool {
        let lines = state.split(separator: UInt8(ascii: "\n"))
        return ["populated 0", "frozen 0"].allSatisfy { line in lines.contains { $0.elementsEqual(line.utf8) } }
    }

    /// False if the child runs in another cgroup. A child that has exited is in no cgroup, which is harmless.
    package func holds(_ child: ChildReaper.Child) -> Bool {
        if let cgroup = child.cgroup { return cgroup == number }
        return !ProcessTree.isAlive(child.process) || processes.contains(child.process)
    }

    /// True if a path from proc(5) ends in this leaf. No other leaf of the launcher has the same name in a group with
    /// the same name.
    package func matches(processPath: String) -> Bool {
        let own = path.split(separator: "/").suffix(2)
        return own.count == 2 && processPath.split(separator: "/").suffix(2) == own
    }

    /// The limits of one run, including all processes that it starts; nil: no limit.
    package struct Limits: Equatable, Sendable {
        package var memoryByteCount: Int64?
        /// The maximum number of processes and threads.
        package var taskCount: Int?
        /// The maximum processor time, in percent of one processor.
        package var processorPercent: Int?

        package init(memoryByteCount: Int64? = nil, taskCount: Int? = nil, processorPercent: Int? = nil) {
            self.memoryByteCount = memoryByteCount
            self.taskCount = taskCount
            self.processorPercent = processorPercent
        }
    }

    /// Sets the limits of enabled controllers: `memory.max`, `pids.max` and `cpu.max`.
    package func limit(_ limits: Limits) {
        // A failed write is not an error: the launcher reports which controllers are enabled.
        if controllers.contains("memory"), let count = limits.memoryByteCount {
            _ = try? File.put(String(count), at: "\(path)/memory.max")
            // With swap, a run could exceed the memory limit.
            _ = try? File.put("0", at: "\(path)/memory.swap.max")
        }
        if controllers.contains("pids"), let count = limits.taskCount {
            _ = try? File.put(String(count), at: "\(path)/pids.max")
        }
        if controllers.contains("cpu"), let percent = limits.processorPercent {
            _ = try? File.put("\(percent * 1000) 100000", at: "\(path)/cpu.max")
        }
    }

    /// The limits that the kernel enforced, by killing a process for its memory or refusing a new task.
    package var exceeded: (memory: Bool, tasks: Bool) {
        (count("oom_kill", of: "memory") > 0, count("max", of: "pids") > 0)
    }

    private func count(_ name: String, of controller: String) -> Int {
        guard controllers.contains(controller) else { return 0 }
        // Without the file, no limit was exceeded.
        let lines = try? File.lines(at: "\(path)/\(controller).events")
        let line = lines?.first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }

    /// True while the leaf has a live process.
    package var isPopulated: Bool {
        // A leaf that cannot be read was removed and has no processes.
        state.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("populated 1".utf8) }
    }

    /// The content of `cgroup.events`; empty if it cannot be read.
    private var state: [UInt8] {
        // Only a read through this descriptor makes poll(2) report the next change.
        (try? File.read(events.rawValue, upTo: 256, at: 0)) ?? []
    }

    /// The running processes in the leaf.
    package var processes: [Int32] {
        let lines = (try? File.lines(at: "\(path)/cgroup.procs")) ?? []
        return lines.compactMap { Int32($0) }.filter { $0 > 0 }
    }

    /// Kills all processes in the cgroup, including processes that are being forked (`cgroup.kill`).
    package func kill() {
        wasKilled = true
        do {
            try File.put("1", at: "\(path)/cgroup.kill")
        } catch {
            // Linux before 5.14 lacks this file: kill the processes that are there now. The next call kills later ones.
            for process in processes { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Sends SIGTERM to each process in the leaf.
    package func terminate() {
        // A process that has already exited needs no signal.
        for process in processes { _ = Glibc.kill(process, SIGTERM) }
    }

    /// Removes the empty leaf, with any cgroups that its processes made below it; false if that fails.
    @discardableResult
    package func remove() -> Bool { Self.remove(path, depth: 0) }

    @discardableResult
    static func remove(_ path: String, depth: Int) -> Bool {
        if rmdir(path) == 0 { return true }
        if depth > 16 { return false }
        for name in (try? File.names(in: path)) ?? [] where !name.contains(".") {
            remove("\(path)/\(name)", depth: depth + 1)
        }
        // A leaf that remains is empty and harmless. It is removed with its parent.
        return rmdir(path) == 0
    }
}
