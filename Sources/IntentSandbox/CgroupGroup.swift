import Glibc
package import IntentLinux

/// The cgroup of one sandbox: a leaf for its own two processes, and one for each run.
///
/// It is what the sandbox's cgroup namespace shows as the root of all.
package final class CgroupGroup {
    package let path: String
    let directory: FileDescriptor
    /// Of pid 1 and the executable.
    package let leaf: CgroupLeaf
    private let controllers: [String]
    private let user: UInt32?
    private var hasControllers = false

    /// - Parameter user: Who makes processes in its leaves, when it is not the caller.
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

    /// One that is there already.
    init(existing path: String, controllers: [String], user: UInt32?) throws(SystemError) {
        self.path = path
        self.controllers = controllers
        self.user = user
        directory = try File.openPath(path)
        leaf = try CgroupLeaf(path: "\(path)/app", controllers: controllers)
    }

    /// A new, empty leaf for a run. The name must be new, or that of a removed leaf.
    package func makeLeaf(named name: String) throws(SystemError) -> CgroupLeaf {
        enableControllers()
        return try Self.makeLeaf("\(path)/\(name)", controllers, for: user)
    }

    /// Gives the leaves their controllers, when nothing is left in the group itself: with them it may hold no process.
    package func enableControllers() {
        guard !hasControllers else { return }
        hasControllers = controllers.allSatisfy { controller in
            // Tried again with the next leaf; until then the limits of setrlimit(2) hold.
            (try? File.put("+\(controller)", at: "\(path)/cgroup.subtree_control")) != nil
        }
    }

    /// Ends all that is in it.
    package func kill() {
        // Before Linux 5.14 there is no such file; the end of pid 1 does the same.
        _ = try? File.put("1", at: "\(path)/cgroup.kill")
    }

    /// Removes it, once nothing is in it.
    package func remove() {
        CgroupLeaf.remove(path, depth: 0)
    }

    /// A directory that the app's user may walk through, whatever the umask.
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

    /// Lets the user's processes start others inside: CLONE_INTO_CGROUP asks for the right to write here, and above.
    private static func delegate(_ path: String, to user: UInt32?) throws(SystemError) {
        guard let user else { return }
        let file = "\(path)/cgroup.procs"
        try syscall("chown", on: file) { chown(file, user, gid_t(bitPattern: -1)) }
        // The launcher makes the sandbox's first processes in it, and is the owner no more.
        try syscall("chmod", on: file) { chmod(file, 0o664) }
    }
}
