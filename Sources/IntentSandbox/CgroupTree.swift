import Glibc
package import IntentLinux

/// The part of the cgroup2 hierarchy that the launcher may use. It has a leaf for each worker (cgroups(7)).
package final class CgroupTree {
    /// The directory of the leaves.
    private let base: String
    /// The controllers of the leaves.
    package let controllers: [String]
    /// True if the launcher created the base, and removes it at the end.
    private let isOwn: Bool
    /// Locked while this launcher runs, so that launchers in every PID namespace see that the base is in use.
    private let lock: SharedFileDescriptor

    /// Tries whether leaves can be created.
    ///
    /// - Throws: ``SystemError`` with the reason why they cannot.
    package init() throws(SystemError) {
        let own = try Self.ownDirectory()
        let processes = try File.lines(at: "\(own)/cgroup.procs")
        if processes.count == 1, !own.hasSuffix("/cgroup"), !own.hasSuffix("/unified") {
            // This process is alone in its cgroup, which is a delegated unit. Leaves need controllers, and a cgroup
            // with controllers must not contain processes itself (the no-internal-processes rule), so this process
            // moves into a leaf.
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
        // Each of the other groups has the default weight 100, so the launcher is scheduled soon even if many groups
        // use the processors.
        if !isOwn, controllers.contains("cpu") { _ = try? File.put("10000", at: "\(base)/launcher/cpu.weight") }
    }

    /// Adopts the tree of the program that this program replaced in the same process.
    package init(at location: Location) throws(SystemError) {
        base = location.path
        isOwn = location.isOwn
        // An earlier version of the launcher did not pass on the lock.
        if let number = location.lock {
            lock = SharedFileDescriptor(owning: number)
        } else {
            lock = try Self.lock(base)
        }
        controllers = Self.enableControllers(in: base)
    }

    /// The location of the tree, for the program that replaces this one.
    package struct Location: Equatable, Sendable, Codable {
        package var path: String
        var isOwn: Bool
        /// The locked descriptor. It must stay locked all the time: other launchers kill the processes in unlocked
        /// trees.
        package var lock: Int32?
    }

    package var location: Location { Location(path: base, isOwn: isOwn, lock: lock.rawValue) }

    /// Opens a group that ``makeGroup(named:user:)`` made.
    package func group(at path: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(existing: path, controllers: controllers, user: user)
    }

    /// Opens a leaf in the tree or in one of its groups.
    package func leaf(at path: String) throws(SystemError) -> CgroupLeaf {
        try CgroupLeaf(path: path, controllers: controllers)
    }

    /// Removes the directories that this launcher created, which must have no leaves any more.
    package func remove() {
        // If the tree has processes, it stays, and the next launcher kills them.
        if isOwn { _ = rmdir(base) }
    }

    /// Creates an empty group for a sandbox. The name must be new.
    ///
    /// - Parameter user: The user that starts processes in the group; nil: the caller.
    package func makeGroup(named name: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(path: "\(base)/\(name)", controllers: controllers, user: user)
    }

    /// Makes an empty leaf. The name must be new.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        let path = "\(base)/\(name)"
        try Self.make(path)
        return try CgroupLeaf(path: path, controllers: controllers)
    }

    // MARK: Private

    /// The prefix of a launcher's directory, followed by its process id.
    private static let ownPrefix = "intentd-launcher-"

    private static func lock(_ path: String) throws(SystemError) -> SharedFileDescriptor {
        let directory = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY))
        let number = directory.rawValue
        try syscall("flock", on: path) { flock(number, LOCK_EX | LOCK_NB) }
        return directory
    }

    /// Creates a directory for this launcher. An older directory with the same name belongs to an earlier launcher with
    /// this process id.
    private static func makeOwn(in folder: String) throws(SystemError) -> (String, SharedFileDescriptor) {
        var failure = SystemError("mkdir", on: folder, code: Errno(rawValue: EEXIST))
        for attempt in 0..<64 {
            let path = "\(folder)/\(ownPrefix)\(getpid())\(attempt == 0 ? "" : ".\(attempt)")"
            do throws(SystemError) {
                try syscall("mkdir", on: path) { mkdir(path, 0o755) }
                let directory = try lock(path)
                // Before the directory was locked, another launcher may have removed it as the directory of a killed
                // launcher.
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

    /// Kills the processes in the trees of launchers that were killed, and removes the trees.
    private static func removeLeftTrees(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix(ownPrefix) {
            let tree = "\(folder)/\(name)"
            guard let directory = try? lock(tree) else { continue }
            defer { withExtendedLifetime(directory) {} }
            // The launcher of these processes has exited, so nothing else would end them.
            _ = try? File.put("1", at: "\(tree)/cgroup.kill")
            CgroupLeaf.remove(tree, depth: 0)
        }
    }

    private static func make(_ path: String) throws(SystemError) {
        do {
            try syscall("mkdir", on: path) { mkdir(path, 0o755) }
        } catch {
            if error.code.rawValue != EEXIST { throw error }
        }
    }

    /// The directory of this process's cgroup.
    private static func ownDirectory() throws(SystemError) -> String {
        let memberships = try File.lines(at: "/proc/self/cgroup")
        let mounts = try File.lines(at: "/proc/self/mountinfo")
        guard let membership = memberships.first(where: { $0.hasPrefix("0::/") }),
            let mount = mounts.first(where: { $0.contains(" - cgroup2 ") })?.split(separator: " "), mount.count > 4
        else {
            throw SystemError("cgroup2", code: Errno(rawValue: ENOENT))
        }
        let path = membership.dropFirst("0::".count)
        return path == "/" ? String(mount[4]) : "\(mount[4])\(path)"
    }

    private static func enableControllers(in base: String) -> [String] {
        // If the list cannot be read, no controller is available.
        let available = (try? File.text(at: "\(base)/cgroup.controllers").split(whereSeparator: \.isWhitespace)) ?? []
        return ["cpu", "memory", "pids"].filter { controller in
            guard available.contains(Substring(controller)) else { return false }
            // A controller that cannot be enabled is missing from the result. Callers report that.
            return (try? File.put("+\(controller)", at: "\(base)/cgroup.subtree_control")) != nil
        }
    }
}
