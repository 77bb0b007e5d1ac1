import Foundation
import Glibc
import IntentLinux
import IntentSandbox
import Testing

private enum Own {
    /// The cgroup of this process; nil if this process cannot create directories in it.
    static let folder: String? = {
        guard let tree = try? CgroupTree() else { return nil }
        defer { tree.remove() }
        return (tree.location.path as NSString).deletingLastPathComponent
    }()
}

/// Tests the base directories of launchers, including launchers with the same process id.
@Suite(.enabled(if: Own.folder != nil, "no cgroup2 folder in which this process may make others"))
struct CgroupTreeTests {
    private func folder() throws -> String { try #require(Own.folder) }

    @Test func `a launcher with the process id of a running one has its own directory`() throws {
        let first = try CgroupTree()
        let second = try CgroupTree()
        defer {
            first.remove()
            second.remove()
        }
        #expect(first.location.path != second.location.path)
        for tree in [first, second] {
            let leaf = try tree.makeLeaf(named: "trial")
            leaf.remove()
        }
    }

    @Test func `an empty directory that a launcher left behind is removed, and a directory in use is not`() throws {
        let left = "\(try folder())/intentd-launcher-99999999"
        let used = "\(try folder())/intentd-launcher-99999998"
        for path in [left, used] { try #require(mkdir(path, 0o755) == 0) }
        let lock = try File.open(used, O_RDONLY | O_DIRECTORY)
        try #require(flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0)
        defer { rmdir(used) }
        let tree = try CgroupTree()
        tree.remove()
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: used))
    }

    @Test func `a directory that is passed to a replacing program is in use at all times`() throws {
        var before: CgroupTree? = try CgroupTree()
        var location = try #require(before?.location)
        // As after execve(2): the descriptor is open, and the new program has not adopted it yet.
        location.lock = fcntl(location.lock, F_DUPFD_CLOEXEC, 0)
        before = nil
        try CgroupTree().remove()
        #expect(FileManager.default.fileExists(atPath: location.path))
        let after = try CgroupTree(at: location)
        try CgroupTree().remove()
        #expect(FileManager.default.fileExists(atPath: location.path))
        after.remove()
        #expect(!FileManager.default.fileExists(atPath: location.path))
    }

    @Test func `a leaf is reusable if it is empty and not frozen, and no process was killed in it`()
        throws
    {
        let tree = try CgroupTree()
        defer { tree.remove() }
        let leaf = try tree.makeLeaf(named: "trial")
        defer { leaf.remove() }
        // Controllers keep state, so a leaf with controllers is not reusable.
        #expect(leaf.isReusable == tree.controllers.isEmpty)
        #expect(leaf.isReady)
        let sleeper = try ChildProcess.start("/usr/bin/sleep", arguments: ["1000"])
        try File.put("\(sleeper.number)", at: "\(leaf.path)/cgroup.procs")
        #expect(leaf.isPopulated)
        #expect(!leaf.isReady)
        leaf.kill()
        _ = ChildReaper.waitForEnd(of: sleeper.number)
        #expect(!leaf.isPopulated)
        #expect(!leaf.isReusable)
        try File.put("1", at: "\(leaf.path)/cgroup.freeze")
        #expect(!leaf.isReady)
    }
}
