import Glibc
package import IntentLinux

/// The subtree of the cgroup2 hierarchy that the launcher manages. It contains a group for each sandbox and a leaf for
/// each worker without a sandbox (cgroups(7)).
package final class CgroupTree {
    /// The directory that contains the groups and leaves.
    private let base: String
    /// The controllers that are enabled for the leaves.
    package let controllers: [String]
    /// True if the launcher created the base directory. In that case, the launcher removes it before exiting.
    private let isOwn: Bool
    /// The base directory, which is locked while this launcher is running. The lock shows launchers in other PID
    /// namespaces that the directory is in use.
    private let lock: SharedFileDescriptor

    /// Prepares a subtree in this process's cgroup.
    ///
    /// - Throws: ``SystemError`` if the host does not permit it.
    package init() throws(SystemError) {
        guard let own = OwnCgroup()?.folder else { throw SystemError("cgroup2", code: Errno(rawValue: ENOENT)) }
        let processes = try File.lines(at: "\(own)/cgroup.procs")
        if processes.count == 1, !own.hasSuffix(utf8: "/cgroup"), !own.hasSuffix(utf8: "/unified") {
            // This process is alone in its cgroup, so the cgroup belongs to a delegated unit. Leaves need controllers,
            // and a cgroup that enables controllers must not contain processes itself (the no-internal-processes rule),
            // so move this process to a leaf.
            try Self.make("\(own)/launcher")
            try File.put("0", at: "\(own)/launcher/cgroup.procs")
            base = own
            isOwn = false
            lock = try Self.lock(own)
        } else {
            Self.removeLeftTrees(in: own)
            (base, lock) = try Self.makeOwn(in: own)
            isOwn = true
        }
        controllers = Self.enableControllers(in: base)
        // All other groups have the default weight 100. With the maximum weight, the launcher is scheduled soon even if
        // many groups compete for the CPUs.
        if !isOwn, controllers.contains("cpu") { _ = try? File.put("10000", at: "\(base)/launcher/cpu.weight") }
    }

    /// Adopts the subtree of the launcher program that this program replaced in the same process.
    package init(at location: Location) throws(SystemError) {
        base = location.path
        isOwn = location.isOwn
        lock = SharedFileDescriptor(owning: location.lock)
        controllers = Self.enableControllers(in: base)
    }

    /// The location of the subtree, for the program that replaces this program.
    package struct Location: Equatable, Sendable, Codable {
        package var path: String
        var isOwn: Bool
        /// The locked descriptor. It must remain locked during the replacement, because other launchers kill the
        /// processes in a subtree that is not locked.
        package var lock: Int32
    }

    package var location: Location { Location(path: base, isOwn: isOwn, lock: lock.rawValue) }

    /// Opens a group that ``makeGroup(named:user:)`` created.
    package func group(at path: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(existing: path, controllers: controllers, user: user)
    }

    /// Opens an existing leaf in the subtree or in one of its groups.
    package func leaf(at path: String) throws(SystemError) -> CgroupLeaf {
        try CgroupLeaf(path: path, controllers: controllers)
    }

    /// Removes the directory that this launcher created, if it contains no leaves.
    package func remove() {
        // A subtree that still has processes is not removed. The next launcher kills the processes.
        if isOwn { _ = rmdir(base) }
    }

    /// Creates an empty group for a sandbox. A group with this name must not exist yet.
    ///
    /// - Parameter user: The uid of the processes that start other processes in the group; nil for the caller's uid.
    package func makeGroup(named name: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(path: "\(base)/\(name)", controllers: controllers, user: user)
    }

    /// Creates an empty leaf for a run without a sandbox. A leaf with this name must not exist yet.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        let path = "\(base)/\(name)"
        // Never use a cgroup that exists, because it may contain processes of another run.
        try syscall("mkdir", on: path) { mkdir(path, 0o755) }
        do {
            return try CgroupLeaf(path: path, controllers: controllers)
        } catch {
            _ = rmdir(path)
            throw error
        }
    }

    // MARK: Private

    /// The prefix of a directory that a launcher creates. The launcher's process id follows it.
    private static let ownPrefix = "intentd-launcher-"

    private static func lock(_ path: String) throws(SystemError) -> SharedFileDescriptor {
        let directory = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY))
        let number = directory.rawValue
        try syscall("flock", on: path) { flock(number, LOCK_EX | LOCK_NB) }
        return directory
    }

    /// Creates and locks a directory for this launcher. Tries other names if an earlier launcher with the same process
    /// id left a directory behind.
    private static func makeOwn(in folder: String) throws(SystemError) -> (String, SharedFileDescriptor) {
        var failure = SystemError("mkdir", on: folder, code: Errno(rawValue: EEXIST))
        for attempt in 0..<64 {
            let path = "\(folder)/\(ownPrefix)\(getpid())\(attempt == 0 ? "" : ".\(attempt)")"
            do throws(SystemError) {
                try syscall("mkdir", on: path) { mkdir(path, 0o755) }
                let directory = try lock(path)
                // Check that the directory still exists. Before it was locked, another launcher may have mistaken it
                // for the directory of a killed launcher and removed it.
                if try File.status(at: path).inode == File.status(of: directory.rawValue).inode {
                    return (path, directory)
                }
            } catch {
                failure = error
                guard [EEXIST, ENOENT, EWOULDBLOCK].contains(error.code.rawValue) else { throw error }
            }
        }
        throw failure
    }

    /// Removes the subtrees of launchers that were killed, together with their processes.
    private static func removeLeftTrees(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix(utf8: ownPrefix) {
            let tree = "\(folder)/\(name)"
            guard let directory = try? lock(tree) else { continue }
            defer { withExtendedLifetime(directory) {} }
            // Kill the processes, because their launcher has exited and no other process kills them.
            _ = try? File.put("1", at: "\(tree)/cgroup.kill")
            CgroupLeaf.remove(tree, depth: 0)
        }
    }

    private static func make(_ path: String) throws(SystemError) {
        try syscall("mkdir", on: path, nilOn: EEXIST) { mkdir(path, 0o755) }
    }

    private static func enableControllers(in base: String) -> [String] {
        // If the list cannot be read, no controller is available.
        let list = (try? File.text(at: "\(base)/cgroup.controllers")) ?? ""
        let available = list.split(whereScalar: \.properties.isWhitespace)
        return ["cpu", "memory", "pids"].filter { controller in
            guard available.contains(Substring(controller)) else { return false }
            // Omit a controller that cannot be enabled. Callers report which controllers are missing.
            return (try? File.put("+\(controller)", at: "\(base)/cgroup.subtree_control")) != nil
        }
    }
}
