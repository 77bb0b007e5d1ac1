import Foundation
import Glibc
import Testing

/// A daemon whose history has something wrong with it: the real thing, done by the disk or by another program.
@Suite struct HistoryFaultTests {
    private static let isRoot = geteuid() == 0

    private enum Disk {
        /// A tmpfs of so many bytes.
        case memory(Int)
        /// An ext4 in a file of so many megabytes, which can be frozen.
        case image(Int)

        func mount(on folder: String) throws {
            switch self {
            case .memory(let byteCount):
                #expect(try Scene.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "tmpfs", folder).code == 0)
            case .image(let megabytes):
                let image = NSTemporaryDirectory() + "/history-image-\(UUID().uuidString)"
                defer { unlink(image) }
                _ = try Scene.run("truncate", "-s", "\(megabytes)M", image)
                _ = try Scene.run("mkfs.ext4", "-q", image)
                guard try Scene.run("mount", "-o", "loop", image, folder).code == 0 else { throw NoImages() }
            }
        }
    }

    private struct NoImages: Error {}

    /// The daemon, what it tells systemd of itself, and the file of its history.
    private final class Scene {
        let daemon: Daemon
        let notify: NotifySocket
        var state: String { daemon.folder.appending("state").path }
        var file: String { state + "/history.sqlite" }
        private var isMounted = false

        /// One run is on record: an Echo that said "before".
        ///
        /// - Parameters:
        ///   - disk: What its state is on; nil: on this machine's.
        ///   - prepare: Done to the file while no intentd is there.
        init(disk: Disk? = nil, prepare: (String) throws -> Void = { _ in }) throws {
            let first = try Daemon()
            let state = first.folder.appending("state").path
            if let disk {
                first.signal(SIGTERM)
                _ = first.exitCode()
                try disk.mount(on: state)
                isMounted = true
                let second = try Daemon(after: first)
                #expect(try second.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
                second.signal(SIGTERM)
                _ = second.exitCode()
            } else {
                #expect(try first.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
                first.signal(SIGTERM)
                _ = first.exitCode()
            }
            try prepare(state + "/history.sqlite")
            notify = try NotifySocket(in: first.folder)
            daemon = try Daemon(after: first, environment: ["NOTIFY_SOCKET": notify.path])
        }

        deinit {
            guard isMounted else { return }
            daemon.signal(SIGKILL)
            _ = daemon.exitCode()
            _ = try? Self.run("umount", "-l", state)
        }

        @discardableResult
        static func run(_ words: String...) throws -> (code: Int32, output: String) {
            let command = try Command(URL(fileURLWithPath: "/usr/bin/env"), words)
            let code = command.exitCode()
            return (code, command.output)
        }

        /// New runs are refused for this reason, the status line says it in a few words, and all else is served.
        func refuses(because reason: String, status: String) throws {
            var refused = (code: Int32(0), output: "", errors: "")
            try eventually("a run is refused: \(refused)") {
                refused = try daemon.intentctl("run", "Probe/Echo", "--text", "refused")
                return refused.code == 75
            }
            #expect(refused.errors.contains(reason), "\(refused.errors)")
            try eventually("the status says so: \(notify.status)") { notify.newest().contains(status) }
            #expect(notify.status.contains("no new runs, the history cannot be kept"))
            #expect(try daemon.intentctl("list").code == 0)
            #expect(try daemon.intentctl("describe", "Probe").code == 0)
            #expect(try daemon.intentctl("ps").code == 0)
            #expect(try daemon.intentctl("metrics").output.contains("intentd_history_up 0\n"))
        }

        /// Runs are taken again by the same process, and the status says nothing of it any more.
        func recovers() throws {
            let number = daemon.number
            var ran = (code: Int32(0), output: "", errors: "")
            try eventually("a run is taken: \(ran)") {
                ran = try daemon.intentctl("run", "Probe/Echo", "--text", "after")
                return ran.code == 0
            }
            try eventually("the status is as before: \(notify.status)") {
                let status = notify.newest()
                return status.contains("0 running") && !status.contains("history")
            }
            #expect(daemon.isRunning && daemon.number == number)
            #expect(try daemon.intentctl("metrics").output.contains("intentd_history_up 1\n"))
        }

        func texts() throws -> [String] {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return try runs.compactMap { run in
                let shown = try daemon.json("show", try #require(run["run"] as? String))
                return (shown["parameters"] as? [String: Any])?["text"] as? String
            }
        }
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"))
    func `a full disk takes no new runs, keeps the ends of old ones, and is enough again when there is room`() throws {
        let scene = try Scene(disk: .memory(6 << 20))
        let running = try scene.daemon.start(["run", "--limit", "9min", "Probe/Slow", "--seconds", "600"])
        let run = try scene.daemon.run()
        _ = try Scene.run("dd", "if=/dev/zero", "of=\(scene.state)/filler", "bs=4096")
        // The log has some room of its own: until that is used, runs go on record.
        let large = String(repeating: "x", count: 60_000)
        try eventually("the disk is full") {
            try scene.daemon.intentctl("run", "Probe/Echo", "--text", large).code == 75
        }
        try scene.refuses(because: "no space is left on its disk", status: "the disk is full")
        #expect(try scene.texts().contains("before"))
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        unlink(scene.state + "/filler")
        try scene.recovers()
        #expect(try scene.daemon.json("show", run)["outcome"] as? String == "cancelled")
        #expect(try !scene.texts().contains("refused"))
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"))
    func `a read-only disk takes no new runs, shows the old ones, and does when it can be written`() throws {
        var mount = ""
        let scene = try Scene(disk: .memory(8 << 20)) { (file: String) throws in
            mount = URL(fileURLWithPath: file).deletingLastPathComponent().path
            #expect(try Scene.run("mount", "-o", "remount,ro", mount).code == 0)
        }
        try scene.refuses(because: "read-only", status: "the disk is read-only")
        #expect(try Scene.run("mount", "-o", "remount,rw", mount).code == 0)
        try scene.recovers()
        #expect(try scene.texts() == ["after", "before"])
    }

    @Test(.enabled(if: isRoot, "needs root, to freeze a disk"))
    func `a disk that does not answer stops no clock, and who waits hears the end when it does`() throws {
        let scene: Scene
        do {
            scene = try Scene(disk: .image(32))
        } catch is NoImages {
            try skipTest("this host mounts no disk images")
        }
        let running = try scene.daemon.start(["run", "--limit", "10s", "Probe/Slow", "--seconds", "600"])
        let run = try scene.daemon.run()
        _ = try scene.daemon.settledWorkers()
        #expect(try Scene.run("fsfreeze", "-f", scene.state).code == 0)
        do {
            defer { _ = try? Scene.run("fsfreeze", "-u", scene.state) }
            // Its limit is enforced; that it was is told when it is on record.
            try eventually("nothing is left of the run") { scene.daemon.workers.isEmpty }
            #expect(running.isRunning)
            // Who asks before that is known waits with the disk: nobody can take back what is on its way there.
            try eventually("it is known that the disk does not answer") {
                try scene.daemon.intentctl("metrics").output.contains("intentd_history_up 0\n")
            }
            try scene.refuses(because: "has not answered for", status: "the disk does not answer")
        }
        #expect(running.exitCode() == 124)
        try scene.recovers()
        #expect(try scene.daemon.json("show", run)["reason"] as? String == "timeout")
    }

    @Test(arguments: ["truncated", "foreign"])
    func `a file that cannot be read stays as it is, and a new history begins when it is moved away`(
        kind: String
    ) throws {
        var before = Data()
        let scene = try Scene { (file: String) throws in
            if kind == "truncated" {
                // All is in the file itself, and then the half of it.
                #expect(try Scene.run("sqlite3", file, "PRAGMA wal_checkpoint(TRUNCATE)").code == 0)
                for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
                #expect(truncate(file, 20_000) == 0)
            } else {
                for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
                #expect(
                    try Scene.run("sqlite3", file, "CREATE TABLE notes (text); INSERT INTO notes VALUES (1)").code == 0
                )
            }
            before = try Data(contentsOf: URL(fileURLWithPath: file))
        }
        let isForeign = kind == "foreign"
        try scene.refuses(
            because: isForeign ? "is not a database of intentd" : "is corrupt",
            status: isForeign ? "the file is not ours" : "the file is corrupt"
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == before)
        for suffix in ["", "-wal", "-shm"] { rename(scene.file + suffix, scene.file + ".away" + suffix) }
        try scene.recovers()
        #expect(try scene.texts() == ["after"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file + ".away")) == before)
    }

    @Test func `while another sqlite3 holds the file nothing is accepted, and the past can be read`() throws {
        let scene = try Scene()
        let holder = Process()
        let input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // intentd may be writing at that moment.
        holder.arguments = ["sqlite3", "-bail", "-cmd", ".timeout 20000", scene.file]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("held"))
        try scene.refuses(because: "is locked by another program", status: "locked by another program")
        #expect(try scene.texts().contains("before"))
        input.fileHandleForWriting.write(Data("COMMIT;\n.quit\n".utf8))
        holder.waitUntilExit()
        try scene.recovers()
        #expect(try !scene.texts().contains("refused"))
    }
}
