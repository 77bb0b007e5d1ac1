import Glibc
package import IntentLinux

/// The cgroup of one sandbox. It contains a leaf for pid 1 and the app's process, and a leaf for each run.
///
/// The sandbox's cgroup namespace shows this cgroup as the root of the hierarchy.
package final class CgroupGroup {
    package let path: String
    let directory: FileDescriptor
    /// The leaf of pid 1 and the app's process.
    package let leaf: CgroupLeaf
    private let controllers: [String]
    private let user: UInt32?
    private var hasControllers = false

    /// - Parameter user: The uid of the processes that start other processes in the leaves; nil for the caller's uid.
    init(path: String, controllers: [String], user: UInt32?) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        self.user = user
        try Self.makeDirectory(path)
        do {
            directory = try File.openPath(path)
            try Self.delegate(path, to: user)
            leaf = try Self.makeLeaf("\(path)/app", controllers, for: user)
        } catch {
            _ = rmdir("\(path)/app")
            _ = rmdir(path)
            throw error
        }
    }

    /// Opens an existing group.
    init(existing path: String, controllers: [String], user: UInt32?) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        self.user = user
        directory = try File.openPath(path)
        leaf = try CgroupLeaf(path: "\(path)/app", controllers: controllers)
    }

    /// Creates an empty leaf for a run. A leaf with this name must not exist yet.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        enableControllers()
        return try Self.makeLeaf("\(path)/\(name)", controllers, for: user)
    }

    /// Enables the controllers for the leaves. Call this method once no processes are in the group itself, because a
    /// cgroup that enables controllers must not contain processes.
    package func enableControllers() {
        guard !hasControllers else { return }
        hasControllers = controllers.allSatisfy { controller in
            // If a controller cannot be enabled now, the launcher tries again when it creates the next leaf. Until
            // then, only the limits of setrlimit(2) apply.
            (try? File.put("+\(controller)", at: "\(path)/cgroup.subtree_control")) != nil
        }
    }

    /// Kills all processes of the group.
    package func kill() {
        // Linux before 5.14 lacks this file. In that case, the processes are killed when pid 1 of the sandbox exits.
        _ = try? File.put("1", at: "\(path)/cgroup.kill")
    }

    /// Removes the group and its leaves, which must not contain any processes.
    package func remove() {
        CgroupLeaf.remove(path, depth: 0)
    }

    /// Creates a directory that the app's user may search, regardless of the umask.
    private static func makeDirectory(_ path: String) throws(SystemError) {
        try syscall("mkdir", on: path) { mkdir(path, 0o755) }
        try syscall("chmod", on: path) { chmod(path, 0o755) }
    }

    private static func makeLeaf(
        _ path: String,
        _ controllers: [String],
        for user: UInt32?
    ) throws(SystemError) -> CgroupLeaf {
        try makeDirectory(path)
        do {
            try delegate(path, to: user)
            return try CgroupLeaf(path: path, controllers: controllers)
        } catch {
            _ = rmdir(path)
            throw error
        }
    }

    /// Permits the user's processes to start processes in the cgroup. CLONE_INTO_CGROUP requires write permission for
    /// the cgroup.procs files of the cgroup and of its parent.
    private static func delegate(_ path: String, to user: UInt32?) throws(SystemError) {
        guard let user else { return }
        let file = "\(path)/cgroup.procs"
        try syscall("chown", on: file) { chown(file, user, gid_t(bitPattern: -1)) }
        // Keep write permission for the launcher's group. The launcher no longer owns the file, but it must start the
        // sandbox's first processes in this cgroup.
        try syscall("chmod", on: file) { chmod(file, 0o664) }
    }
}
