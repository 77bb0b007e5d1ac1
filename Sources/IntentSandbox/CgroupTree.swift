import Glibc
package import IntentLinux

/// The part of the cgroup2 hierarchy that the launcher may use: one leaf per worker (cgroups(7)).
package final class CgroupTree {
    /// The directory in which leaves are made.
    private let base: String
    /// Controllers that leaves have.
    package let controllers: [String]
    /// True when the base is a directory of ours, to be removed at the end.
    private let isOwn: Bool
    /// Locked while this launcher lives: others know by it that the base is in use, from whatever PID namespace.
    private let lock: SharedFileDescriptor

    /// Finds out by trying whether leaves can be made here.
    ///
    /// - Throws: ``SystemError`` with the reason why not.
    package init() throws(SystemError) {
        let own = try Self.ownDirectory()
        let processes = try File.lines(at: "\(own)/cgroup.procs")
        if processes.count == 1, !own.hasSuffix("/cgroup"), !own.hasSuffix("/unified") {
            // Alone in it: a delegated unit. Leaves need controllers, and a cgroup with controllers may hold no
            // processes itself (the no-internal-processes rule), so this one moves to a place of its own.
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
    }

    /// The place of the program that this one replaced in the same process.
    package init(at place: Place) throws(SystemError) {
        base = place.path
        isOwn = place.isOwn
        // A launcher of before did not hand it over.
        if let number = place.lock { lock = SharedFileDescriptor(owning: number) } else { lock = try Self.lock(base) }
        controllers = Self.enableControllers(in: base)
    }

    /// Where it is, for the program that replaces this one.
    package struct Place: Equatable, Sendable, Codable {
        package var path: String
        var isOwn: Bool
        /// The descriptor by which others know that it is in use: without a gap, since they end what is left.
        package var lock: Int32?
    }

    package var place: Place { Place(path: base, isOwn: isOwn, lock: lock.rawValue) }

    /// A group that was made by ``makeGroup(named:user:)``.
    package func group(at path: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(existing: path, controllers: controllers, user: user)
    }

    /// A leaf that was made here or in a group.
    package func leaf(at path: String) throws(SystemError) -> CgroupLeaf {
        try CgroupLeaf(path: path, controllers: controllers)
    }

    /// Removes what this launcher made, once no leaf is left.
    package func remove() {
        // A populated tree stays, and the next launcher ends it.
        if isOwn { _ = rmdir(base) }
    }

    /// A new, empty group for a sandbox. Names must be fresh.
    ///
    /// - Parameter user: Who makes processes in it, when it is not the caller.
    package func makeGroup(named name: String, user: UInt32?) throws(SystemError) -> CgroupGroup {
        try CgroupGroup(path: "\(base)/\(name)", controllers: controllers, user: user)
    }

    /// A new, empty leaf. Names must be fresh.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        let path = "\(base)/\(name)"
        try Self.make(path)
        return try CgroupLeaf(path: path, controllers: controllers)
    }

    // MARK: Private

    /// Before the number of the launcher's process.
    private static let ownPrefix = "intentd-launcher-"

    private static func lock(_ path: String) throws(SystemError) -> SharedFileDescriptor {
        let directory = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY))
        let number = directory.rawValue
        try syscall("flock", on: path) { flock(number, LOCK_EX | LOCK_NB) }
        return directory
    }

    /// A new directory for this launcher. An older one of the same name belongs to a launcher that had this process id.
    private static func makeOwn(in folder: String) throws(SystemError) -> (String, SharedFileDescriptor) {
        var failure = SystemError("mkdir", on: folder, code: Errno(rawValue: EEXIST))
        for attempt in 0..<64 {
            let path = "\(folder)/\(ownPrefix)\(getpid())\(attempt == 0 ? "" : ".\(attempt)")"
            do throws(SystemError) {
                try syscall("mkdir", on: path) { mkdir(path, 0o755) }
                let directory = try lock(path)
                // Until it was locked, another launcher could take it for one that was left.
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

    /// Ends and removes what launchers left that were killed.
    private static func removeLeftTrees(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix(ownPrefix) {
            let tree = "\(folder)/\(name)"
            guard let directory = try? lock(tree) else { continue }
            defer { withExtendedLifetime(directory) {} }
            // The launcher of these processes has exited: no other process ends them.
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

    /// The directory of this process's own cgroup.
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
        // Without a readable list no controller is available.
        let available = (try? File.text(at: "\(base)/cgroup.controllers").split(whereSeparator: \.isWhitespace)) ?? []
        return ["cpu", "memory", "pids"].filter { controller in
            guard available.contains(Substring(controller)) else { return false }
            // One that cannot be had is missing from the result, which is what callers report.
            return (try? File.put("+\(controller)", at: "\(base)/cgroup.subtree_control")) != nil
        }
    }
}
