import Foundation
import Glibc
import TestSupport
import Testing

/// A run that begins after a change of the host sees the host after the change, whether or not its sandbox was made before.
@Suite(.ownThread) struct HostChangeTests {
    /// A folder `granted` with the file `file`, and the daemon of an app that may read both.
    private final class Scene {
        let folder: TemporaryFolder
        let daemon: Daemon

        private var isShared = false

        /// - Parameters:
        ///   - sandbox: Settings, with `FOLDER` for the folder's path.
        ///   - sharesMounts: True if mounts below the folder reach other mount namespaces, as on a host with systemd.
        init(_ sandbox: [String], sharesMounts: Bool = false) throws {
            folder = try TemporaryFolder()
            chmod(folder.url.path, 0o755)
            if sharesMounts {
                let path = folder.url.path
                try #require(mount(path, path, nil, UInt(MS_BIND), nil) == 0)
                isShared = true
                try #require(mount(nil, path, nil, UInt(MS_SHARED), nil) == 0)
            }
            try FileManager.default.createDirectory(at: folder.appending("granted"), withIntermediateDirectories: true)
            chmod(folder.appending("granted").path, 0o777)
            try Data("old".utf8).write(to: folder.appending("granted/file"))
            let path = folder.url.path
            daemon = try Daemon(sandbox: sandbox.map { $0.replacing("FOLDER", with: path) })
            // The app is in steady use, so that spares wait for the next run.
            for _ in 0..<3 { #expect(try read() == "old") }
        }

        deinit { if isShared { umount2(folder.url.path, Int32(MNT_DETACH)) } }

        var path: String { folder.url.path }

        /// What a run reads from a file: its contents, or the word `nothing` if it fails.
        func read(_ name: String = "granted/file") throws -> String {
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/\(name)")
            return run.code == 0 ? run.output.replacing("\n", with: "") : "nothing"
        }

        /// Writes a file beside the granted one, and gives it the name, as editors and package managers do.
        func replace(_ name: String, with text: String) throws {
            try Data(text.utf8).write(to: folder.appending("granted/new"))
            #expect(rename("\(path)/granted/new", "\(path)/\(name)") == 0)
        }
    }

    @Test func `a file of EnvironmentFile= that is edited or replaced is read again`() throws {
        let folder = try TemporaryFolder()
        let file = folder.appending("environment")
        try Data("WORD=old".utf8).write(to: file)
        let daemon = try Daemon()
        try daemon.writeCommands(
            "[App]\nEnvironmentFile=\(file.path)\n[Intent Say]\nExec=/bin/sh -c 'echo \"word: $WORD\"'\nResult=text"
        )
        func say() throws -> String { try daemon.intentctl("run", "tools/Say").output }
        for _ in 0..<3 { #expect(try say() == "word: old\n") }
        try Data("WORD=edited".utf8).write(to: file)
        #expect(try say() == "word: edited\n")
        let other = folder.appending("other")
        try Data("WORD=other!".utf8).write(to: other)
        #expect(rename(other.path, file.path) == 0)
        #expect(try say() == "word: other!\n")
    }

    @Test func `a granted file that is replaced, removed and made again is read as it is`() throws {
        let scene = try Scene(["ReadPaths=FOLDER/granted/file"])
        for text in ["replaced", "replaced again"] {
            try scene.replace("granted/file", with: text)
            #expect(try scene.read() == text)
        }
        #expect(unlink("\(scene.path)/granted/file") == 0)
        #expect(try scene.read() == "nothing")
        try Data("made again".utf8).write(to: scene.folder.appending("granted/file"))
        #expect(try scene.read() == "made again")
        // An edit of the file itself needs no new sandbox.
        try Data("edited".utf8).write(to: scene.folder.appending("granted/file"), options: [])
        #expect(try scene.read() == "edited")
    }

    @Test func `a granted folder that is renamed and made again is used as it is`() throws {
        let scene = try Scene(["ReadPaths=FOLDER/granted"])
        #expect(rename("\(scene.path)/granted", "\(scene.path)/before") == 0)
        try FileManager.default.createDirectory(
            at: scene.folder.appending("granted"),
            withIntermediateDirectories: true
        )
        try Data("of the new folder".utf8).write(to: scene.folder.appending("granted/file"))
        #expect(try scene.read() == "of the new folder")
        #expect(rename("\(scene.path)/granted", "\(scene.path)/after") == 0)
        #expect(rename("\(scene.path)/before", "\(scene.path)/granted") == 0)
        #expect(try scene.read() == "old")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"), arguments: ["granted", "granted/below"])
    func `a mount at or below a granted folder is used, and is free when the app is idle`(place: String) throws {
        let scene = try Scene(["WritePaths=FOLDER/granted"], sharesMounts: true)
        let target = "\(scene.path)/\(place)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try #require(mount("disk", target, "tmpfs", 0, nil) == 0, "\(String(cString: strerror(errno)))")
        var isMounted = true
        defer { if isMounted { umount2(target, Int32(MNT_DETACH)) } }
        try Data("of the disk".utf8).write(to: URL(filePath: "\(target)/file"))
        chmod("\(target)/file", 0o644)
        #expect(try scene.read("\(place)/file") == "of the disk")
        #expect(umount2(target, 0) == 0, "\(String(cString: strerror(errno)))")
        isMounted = false
        // No process has a mount of the file system any more: neither a sandbox nor a spare in it.
        try eventually("the file system is free") {
            !scene.daemon.family.keys.contains { process in
                // A process may have exited in the meantime.
                let mounts = (try? String(contentsOfFile: "/proc/\(process)/mountinfo", encoding: .utf8)) ?? ""
                return mounts.contains(" - tmpfs disk ")
            }
        }
        #expect(try scene.read("\(place)/file") == (place == "granted" ? "old" : "nothing"))
    }

    @Test func `a script of a command intent that is edited, replaced or removed runs as it is`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let script = folder.appending("tool")
        func write(_ text: String) throws {
            let new = folder.appending("new")
            try Data("#!/bin/sh\necho \(text)\n".utf8).write(to: new)
            chmod(new.path, 0o755)
            #expect(rename(new.path, script.path) == 0)
        }
        try write("first")
        let daemon = try Daemon()
        try daemon.writeCommands(
            "[Sandbox]\nPrograms=system \(script.path)\n[Intent Say]\nExec=\(script.path)\nResult=text\n"
        )
        for _ in 0..<3 { #expect(try daemon.intentctl("run", "tools/Say").output == "first\n") }
        try write("second")
        #expect(try daemon.intentctl("run", "tools/Say").output == "second\n")
        #expect(unlink(script.path) == 0)
        #expect(try daemon.intentctl("run", "tools/Say").code != 0)
        try write("third")
        #expect(try daemon.intentctl("run", "tools/Say").output == "third\n")
    }

    @Test func `a run that has begun keeps its sandbox, and the next one sees the change`() throws {
        let scene = try Scene(["ReadPaths=FOLDER/granted/file"])
        let slow = try scene.daemon.detach("Probe/Slow", "--seconds", "5")
        try eventually("the run is running") { try scene.daemon.run(in: "running") == slow }
        try scene.replace("granted/file", with: "replaced")
        #expect(try scene.read() == "replaced")
        let status = try scene.daemon.intentctl("status").output
        #expect(status.contains("run \(slow) of Probe uses \(scene.path)/granted/file from before its change"))
        #expect(try scene.daemon.intentctl("watch", slow).code == 0)
        try eventually("the sandbox of the run has ended") {
            try !scene.daemon.intentctl("status").output.contains("from before its change")
        }
    }

    @Test func `unrelated files in the folder of a granted file change nothing`() throws {
        let scene = try Scene(["ReadPaths=FOLDER/granted/file"])
        let before = try Self.sandboxInits(of: scene.daemon)
        for number in 0..<200 { try Data().write(to: scene.folder.appending("granted/other-\(number)")) }
        #expect(try scene.read() == "old")
        #expect(try Self.sandboxInits(of: scene.daemon) == before)
    }

    /// The process ids of the daemon's sandboxes.
    private static func sandboxInits(of daemon: Daemon) throws -> [Int32] {
        daemon.family.filter { $0.value == "intentd-init" }.keys.sorted()
    }
}
