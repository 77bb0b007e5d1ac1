import Foundation
import Glibc
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

@Suite struct HostSourceTests {
    @Test func `the mounts below a path are found by their mount points`() {
        let table = MountTable(
            """
            21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 21 0:26 / /srv/my\\040disk rw shared:2 - tmpfs tmpfs rw
            31 30 0:27 / /srv/my\\040disk/below rw - tmpfs tmpfs rw
            32 21 0:28 / /srv/my\\040disk2 rw - tmpfs tmpfs rw
            not a mount
            """
        )
        #expect(table.ids(below: "/srv/my disk") == [31])
        #expect(table.ids(below: "/srv") == [30, 31, 32])
        #expect(table.ids(below: "/") == [30, 31, 32])
        #expect(table.ids(below: "/sr") == [])
    }

    @Test func `the kernel's table has mounts below the root folder`() throws {
        #expect(!MountTable(try File.text(at: MountTable.path, limit: 16 << 20)).ids(below: "/").isEmpty)
    }

    @Test func `the steps of a path follow its symbolic links`() {
        let links = ["/etc/resolv.conf": "../run/resolve/stub.conf", "/run": "/var/run", "/loop": "loop"]
        func steps(_ path: String) -> [String] {
            PathSteps(of: path) { links[$0] }.steps.map { "\($0.folder) \($0.name)" }
        }
        #expect(steps("/srv/./data/file") == ["/ srv", "/srv data", "/srv/data file"])
        #expect(
            steps("/etc/resolv.conf") == [
                "/ etc", "/etc resolv.conf", "/ run", "/ var", "/var run", "/var/run resolve",
                "/var/run/resolve stub.conf",
            ]
        )
        #expect(steps("/loop").count == 41)
    }

    @Test func `a state differs after a change that the sandbox would not show, and only then`() throws {
        let folder = TemporaryDirectory()
        let path = folder("file")
        let (bound, copied) = (HostSource(path), HostSource(path, isCopied: true))
        func states() -> [HostSourceState] { HostSourceState.states(of: [bound, copied], MountTable()) }
        let absent = states()
        #expect(states() == absent)
        try Data("a".utf8).write(to: URL(filePath: path))
        let made = states()
        #expect(made != absent)
        // A bind mount shows an edit of the file, and a copy does not.
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data("longer".utf8))
        let edited = states()
        #expect(edited[0] == made[0])
        #expect(edited[1] != made[1])
        try Data("b".utf8).write(to: URL(filePath: folder("new")))
        #expect(rename(folder("new"), path) == 0)
        let replaced = states()
        #expect(replaced[0] != edited[0])
        #expect(replaced[1] != edited[1])
        // The closed file keeps its inode until here, so that the new file has another one.
        try file.close()
    }

    @Test func `events name the changed file of a folder, and end with the folder`() throws {
        let folder = TemporaryDirectory()
        let events = try FileEvents()
        let watch = try events.watchFolder(folder.path)
        #expect(try events.watchFolder(folder.path) == watch)
        #expect(events.next().isEmpty)
        try Data().write(to: URL(filePath: folder("made")))
        let made = events.next()
        #expect(made.map { String(decoding: $0.name, as: UTF8.self) } == ["made"])
        #expect(made.map(\.watch) == [watch])
        events.remove(watch)
        #expect(events.next().map(\.isEnd) == [true])
        #expect(throws: SystemError.self) { try events.watchFolder(folder("absent")) }
    }

    @Test func `the file systems of the kernel and of other hosts send no events`() {
        #expect(File.isOnSilentFileSystem("/proc/self/status"))
        #expect(!File.isOnSilentFileSystem("/usr/bin"))
    }
}
