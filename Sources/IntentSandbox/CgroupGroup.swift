import Glibc
package import IntentLinux

/// The cgroup of one sandbox, with a leaf for the sandbox's own two processes, and a leaf for each run.
///
/// The sandbox's cgroup namespace shows it as the root of the hierarchy.
package final class CgroupGroup {
    package let path: String
    let directory: FileDescriptor
    /// The leaf of pid 1 and the executable.
    package let leaf: CgroupLeaf
    private let controllers: [String]
    private let user: UInt32?
    private var hasControllers = false

    /// - Parameter user: The user that starts processes in the leaves; nil: the caller.
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

    /// Creates an empty leaf for a run. The name must be new, or that of a removed leaf.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        enableControllers()
        return try Self.makeLeaf("\(path)/\(name)", controllers, for: user)
    }

    /// Enables controllers for the leaves. Call it once the group itself has no processes: a cgroup with controllers
    /// must not contain any.
    package func enableControllers() {
        guard !hasControllers else { return }
        hasControllers = controllers.allSatisfy { controller in
            // If this fails, it is tried again for the next leaf. Until then the limits of setrlimit(2) apply.
            (try? File.put("+\(controller)", at: "\(path)/cgroup.subtree_control")) != nil
        }
    }

    /// Kills every process of the group.
    package func kill() {
        // Linux before 5.14 lacks this file. There, the end of pid 1 kills the processes.
        _ = try? File.put("1", at: "\(path)/cgroup.kill")
    }

    /// Removes the group, which must have no processes.
    package func remove() {
        CgroupLeaf.remove(path, depth: 0)
    }

    /// Creates a directory that the app's user may search, whatever the umask.
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

    /// Permits the user's processes to start processes inside: CLONE_INTO_CGROUP needs write permission here and in the
    /// parent.
    private static func delegate(_ path: String, to user: UInt32?) throws(SystemError) {
        guard let user else { return }
        let file = "\(path)/cgroup.procs"
        try syscall("chown", on: file) { chown(file, user, gid_t(bitPattern: -1)) }
        // The launcher starts the sandbox's first processes here although it no longer owns the file.
        try syscall("chmod", on: file) { chmod(file, 0o664) }
    }
}
