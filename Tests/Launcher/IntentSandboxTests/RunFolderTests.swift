import CFilterProbe
import Glibc
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

@Suite struct RunFolderTests {
    private func write(_ path: String) { close(open(path, O_CREAT | O_WRONLY, 0o600)) }

    @Test func `an unchanged directory can be renamed and reused`() throws {
        let folder = TemporaryDirectory()
        let used = try RunFolder(at: folder("run"), for: nil)
        #expect(used.isPristine)
        write(used.path + "/file")
        #expect(!used.isPristine)
        unlink(used.path + "/file")
        #expect(used.isPristine)
        let (before, after) = (used.path, folder("another"))
        try used.rename(to: "another")
        #expect(used.path == after)
        #expect(used.name == "another")
        #expect(access(before, F_OK) != 0)
        write(after + "/result")
        #expect(throws: Never.self) { try used.open("result") }
    }

    @Test(arguments: ["a hidden file", "a folder", "a link", "permissions", "an attribute", "many names"])
    func `a directory that differs from a new one is not reused`(_ change: String) throws {
        let folder = TemporaryDirectory()
        let used = try RunFolder(at: folder("run"), for: nil)
        switch change {
        case "a hidden file": write(used.path + "/.hidden")
        case "a folder": mkdir(used.path + "/folder", 0o700)
        case "a link": symlink("/etc", used.path + "/link")
        case "permissions": chmod(used.path, 0o1700)
        case "an attribute":
            guard intentd_probe_set_attribute(used.path) == 0 else {
                return print("skipped: the file system of \(used.path) has no attributes")
            }
        case "many names":
            for number in 0..<200 {
                write(used.path + "/" + String(repeating: "n", count: 100) + "\(number)")
            }
            for number in 0..<200 { unlink(used.path + "/" + String(repeating: "n", count: 100) + "\(number)") }
            var status = stat()
            guard stat(used.path, &status) == 0, status.st_size > 4096 else {
                return print("skipped: the file system of \(used.path) makes a folder small again")
            }
        default: Issue.record("no change is called '\(change)'")
        }
        #expect(!used.isPristine)
    }

    @Test func `the times of a reused directory do not reveal the previous run`() throws {
        let folder = TemporaryDirectory()
        let used = try RunFolder(at: folder("run"), for: nil)
        var old = [timespec(tv_sec: 1_000_000, tv_nsec: 1), timespec(tv_sec: 2_000_000, tv_nsec: 2)]
        try #require(utimensat(AT_FDCWD, used.path, &old, 0) == 0)
        #expect(used.isPristine)
        try used.rename(to: "another")
        var status = stat()
        try #require(stat(used.path, &status) == 0)
        #expect(status.st_atim.tv_sec > old[1].tv_sec)
        #expect(status.st_mtim.tv_sec > old[1].tv_sec)
    }

    @Test func `a directory that its own user cannot access does not count as new`() throws {
        let folder = TemporaryDirectory()
        let used = try RunFolder(at: folder("run"), for: nil)
        chmod(used.path, 0)
        #expect(!used.isPristine)
        chmod(used.path, 0o700)
    }

    @Test(.enabled(if: getuid() == 0, "only root gives a file another owner"))
    func `a kept file is frozen unless its run has it open for writing`() throws {
        let folder = TemporaryDirectory()
        let user: UInt32 = 65534
        let used = try RunFolder(at: folder("run"), for: user)
        try syscall("mkdir") { mkdir(folder("kept"), 0o700) }
        let kept = try File.open(folder("kept"), O_RDONLY | O_DIRECTORY)
        for name in ["still", "open"] {
            write(used.path + "/" + name)
            chown(used.path + "/" + name, user, user)
        }
        let writer = try File.open(used.path + "/open", O_RDWR)
        let still = try used.keep("still", in: kept, as: "0")
        let open = try used.keep("open", in: kept, as: "1")
        #expect(used.freeze(still))
        #expect(!used.freeze(open))
        for name in ["still", "open"] {
            let status = try File.status(at: used.path + "/" + name)
            #expect(status.owner == getuid())
            #expect(status.permissions == 0o444)
        }
        // A later intentd requests the file again.
        #expect(used.freeze(try used.keep("still", in: kept, as: "0")))
        #expect(throws: ResultFileError.irregular("still")) { try used.keep("still", in: kept, as: "7") }
        withExtendedLifetime(writer.rawValue) {}
    }

    @Test func `a file that belongs to the caller's user is never frozen`() throws {
        let folder = TemporaryDirectory()
        let used = try RunFolder(at: folder("run"), for: nil)
        write(used.path + "/file")
        #expect(!used.freeze(try used.open("file")))
    }
}
