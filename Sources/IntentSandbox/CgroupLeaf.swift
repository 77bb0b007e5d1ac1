import Glibc
package import IntentLinux

/// The cgroup of one worker and of its child processes.
package final class CgroupLeaf {
    package let path: String
    /// To be passed to the sandbox, for CLONE_INTO_CGROUP of clone3(2).
    package let directory: SharedFileDescriptor
    /// The kernel's number of the cgroup: the inode of its directory. Nil when it cannot be read.
    private let number: UInt64?
    private let controllers: [String]
    /// `cgroup.events`: has ``PollEvents/changed`` when the leaf fills or empties.
    package let events: FileDescriptor
    /// True after processes in it were killed.
    private var wasKilled = false

    /// - Parameter controllers: The enabled controllers; files of others are not opened.
    init(path: String, controllers: [String]) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        directory = SharedFileDescriptor(try File.openPath(path))
        number = try? File.status(of: directory.rawValue).inode
        events = try File.open("\(path)/cgroup.events")
    }

    /// True when an empty leaf may serve another run of the app: nothing of the run before is left in it.
    ///
    /// Controllers remember: files that a run read or wrote count as memory of its leaf for as long as the kernel keeps
    /// them, and the processor's time that it used is missing from the rest of the period. After a kill no later check has to
    /// prove that every process has ended.
    package var canServeAgain: Bool { controllers.isEmpty && !wasKilled }

    /// True when no process is in it, and a new one will not be frozen.
    package var isReady: Bool {
        let lines = state.split(separator: UInt8(ascii: "\n"))
        return ["populated 0", "frozen 0"].allSatisfy { line in lines.contains { $0.elementsEqual(line.utf8) } }
    }

    /// False when the child runs in another cgroup. A child that has ended is in no cgroup, and does no harm.
    package func holds(_ child: ChildReaper.Child) -> Bool {
        if let cgroup = child.cgroup { return cgroup == number }
        return !ProcessTree.isAlive(child.process) || processes.contains(child.process)
    }

    /// True when a path of proc(5) ends in this leaf. No other leaf of the launcher has its name and its group's name.
    package func isNamed(by processPath: String) -> Bool {
        let own = path.split(separator: "/").suffix(2)
        return own.count == 2 && processPath.split(separator: "/").suffix(2) == own
    }

    /// Limits of one run and of all that it starts. Nil: no limit.
    package struct Limits: Equatable, Sendable {
        package var memoryByteCount: Int64?
        /// Processes and threads.
        package var taskCount: Int?
        /// Percent of one processor's time.
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
            // Swap would be a way around the limit.
            _ = try? File.put("0", at: "\(path)/memory.swap.max")
        }
        if controllers.contains("pids"), let count = limits.taskCount {
            _ = try? File.put(String(count), at: "\(path)/pids.max")
        }
        if controllers.contains("cpu"), let percent = limits.processorPercent {
            _ = try? File.put("\(percent * 1000) 100000", at: "\(path)/cpu.max")
        }
    }

    /// True for limits that the kernel enforced: it killed a process for memory, or refused a new task.
    package var exceeded: (memory: Bool, tasks: Bool) {
        (count("oom_kill", of: "memory") > 0, count("max", of: "pids") > 0)
    }

    private func count(_ name: String, of controller: String) -> Int {
        guard controllers.contains(controller) else { return 0 }
        // Without the file nothing was exceeded.
        let lines = try? File.lines(at: "\(path)/\(controller).events")
        let line = lines?.first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }

    /// True while a live process is in it.
    package var isPopulated: Bool {
        // A leaf that cannot be read was removed, and had no processes then.
        state.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("populated 1".utf8) }
    }

    /// The lines of `cgroup.events`; empty where it cannot be read.
    private var state: [UInt8] {
        // Read through the descriptor that is watched: that is what makes its next change an event (poll(2)).
        (try? File.read(events.rawValue, upTo: 256, at: 0)) ?? []
    }

    /// The live processes in it.
    package var processes: [Int32] {
        let lines = (try? File.lines(at: "\(path)/cgroup.procs")) ?? []
        return lines.compactMap { Int32($0) }.filter { $0 > 0 }
    }

    /// Kills all processes in the cgroup, including those that they are forking (`cgroup.kill`).
    package func kill() {
        wasKilled = true
        do {
            try File.put("1", at: "\(path)/cgroup.kill")
        } catch {
            // Before Linux 5.14 there is no such file: kill the present processes, and further ones at the next call.
            for process in processes { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// SIGTERM to each process in it.
    package func terminate() {
        // A process that has exited by now needs no signal.
        for process in processes { _ = Glibc.kill(process, SIGTERM) }
    }

    /// Removes the empty leaf, with cgroups that its processes may have made below; false where it stays.
    @discardableResult
    package func remove() -> Bool { Self.remove(path, depth: 0) }

    @discardableResult
    static func remove(_ path: String, depth: Int) -> Bool {
        if rmdir(path) == 0 { return true }
        if depth > 16 { return false }
        for name in (try? File.names(in: path)) ?? [] where !name.contains(".") {
            remove("\(path)/\(name)", depth: depth + 1)
        }
        // A leaf that stays is empty and harmless, and goes with its parent.
        return rmdir(path) == 0
    }
}
