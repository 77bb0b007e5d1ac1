import Foundation
import Glibc
import TestSupport
import Testing

/// Tests real faults of the history, caused by its disk or by another program.
@Suite(.ownThread) struct HistoryFaultTests {
    private static let isRoot = geteuid() == 0

    private enum Disk {
        /// A tmpfs with a size in bytes.
        case memory(Int)
        /// An ext4 image with a size in megabytes, which can be frozen.
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

    /// A daemon, its notifications to systemd, and its history file.
    private final class Scene {
        let daemon: Daemon
        let notify: NotifySocket
        var state: String { daemon.folder.appending("state").path }
        var file: String { state + "/history.sqlite" }
        private var isMounted = false

        /// Records one run, an Echo of "before", and starts the daemon again.
        ///
        /// - Parameters:
        ///   - disk: The disk for the daemon's state; nil for the host's.
        ///   - prepare: Changes the history file while no intentd runs.
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

        /// Expects new runs to be refused for this reason, the status line to report it, and other requests to work.
        func expectRefusal(because reason: String, status: String) throws {
            var refused = (code: Int32(0), output: "", errors: "")
            try eventually("a run is refused: \(refused)") {
                refused = try daemon.intentctl("run", "Probe/Echo", "--text", "refused")
                return refused.code == 75
            }
            #expect(refused.errors.contains(reason), "\(refused.errors)")
            try eventually("the status line reports it: \(notify.status)") { notify.newest().contains(status) }
            #expect(notify.status.contains("no new runs because the history cannot be written"))
            let told = try daemon.intentctl("status")
            #expect(told.code == 75 && told.output.contains("problem: no new runs: "), "\(told)")
            #expect(told.output.contains(reason), "\(told.output)")
            #expect(try daemon.intentctl("list").code == 0)
            #expect(try daemon.intentctl("describe", "Probe").code == 0)
            #expect(try daemon.intentctl("ps").code == 0)
            #expect(try daemon.intentctl("metrics").output.contains("intentd_history_up 0\n"))
        }

        /// Expects the same process to accept runs again, and the status line to be normal.
        func expectRecovery() throws {
            let number = daemon.number
            var ran = (code: Int32(0), output: "", errors: "")
            try eventually("a run is accepted: \(ran)") {
                ran = try daemon.intentctl("run", "Probe/Echo", "--text", "after")
                return ran.code == 0
            }
            try eventually("the status line is normal: \(notify.status)") {
                let status = notify.newest()
                return status.contains("0 running") && !status.contains("history")
            }
            #expect(daemon.isRunning && daemon.number == number)
            #expect(try daemon.intentctl("status").code == 0)
            #expect(try daemon.intentctl("metrics").output.contains("intentd_history_up 1\n"))
        }

        /// The `text` parameters of all recorded runs, newest first.
        func texts() throws -> [String] {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return try runs.compactMap { run in
                let shown = try daemon.json("show", try #require(run["run"] as? String))
                return (shown["parameters"] as? [String: Any])?["text"] as? String
            }
        }
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"))
    func `while the disk is full, new runs are refused, and outcomes are still recorded`() throws {
        let scene = try Scene(disk: .memory(6 << 20))
        let running = try scene.daemon.start(["run", "--limit", "9min", "Probe/Slow", "--seconds", "600"])
        let run = try scene.daemon.run()
        _ = try Scene.run("dd", "if=/dev/zero", "of=\(scene.state)/filler", "bs=4096")
        // Runs are recorded until the space reserved for the log is used up.
        let large = String(repeating: "x", count: 60_000)
        try eventually("the disk is full") {
            try scene.daemon.intentctl("run", "Probe/Echo", "--text", large).code == 75
        }
        try scene.expectRefusal(because: "no space is left on its disk", status: "the disk is full")
        #expect(try scene.texts().contains("before"))
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        unlink(scene.state + "/filler")
        try scene.expectRecovery()
        #expect(try scene.daemon.json("show", run)["outcome"] as? String == "cancelled")
        #expect(try !scene.texts().contains("refused"))
    }

    @Test(.enabled(if: isRoot, "needs root, to mount a disk"))
    func `while the disk is read-only, new runs are refused, and old runs can be read`() throws {
        var mount = ""
        let scene = try Scene(disk: .memory(8 << 20)) { (file: String) throws in
            mount = URL(fileURLWithPath: file).deletingLastPathComponent().path
            #expect(try Scene.run("mount", "-o", "remount,ro", mount).code == 0)
        }
        try scene.expectRefusal(because: "read-only", status: "the disk is read-only")
        #expect(try Scene.run("mount", "-o", "remount,rw", mount).code == 0)
        try scene.expectRecovery()
        #expect(try scene.texts() == ["after", "before"])
    }

    @Test(.enabled(if: isRoot, "needs root, to freeze a disk"))
    func `limits are enforced while the disk hangs, and outcomes are reported once it responds`() throws {
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
            // The limit is enforced now; the outcome is reported once it is recorded.
            try eventually("the worker has exited") { scene.daemon.workers.isEmpty }
            #expect(running.isRunning)
            // A run requested before intentd detects the fault would wait for the disk: its record cannot be withdrawn.
            try eventually("intentd notices that the disk does not answer") {
                try scene.daemon.intentctl("metrics").output.contains("intentd_history_up 0\n")
            }
            try scene.expectRefusal(because: "has not responded for", status: "the disk does not respond")
        }
        #expect(running.exitCode() == 124)
        try scene.expectRecovery()
        #expect(try scene.daemon.json("show", run)["reason"] as? String == "timeout")
    }

    @Test(arguments: ["truncated", "foreign"])
    func `an unreadable history file is not changed, and a new one is created when it is moved away`(
        kind: String
    ) throws {
        var before = Data()
        let scene = try Scene { (file: String) throws in
            if kind == "truncated" {
                // Moves all data from the log into the file, and then truncates the file.
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
        try scene.expectRefusal(
            because: isForeign ? "is not an intentd database" : "is corrupt",
            status: isForeign ? "not an intentd history" : "the file is corrupt"
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == before)
        for suffix in ["", "-wal", "-shm"] { rename(scene.file + suffix, scene.file + ".away" + suffix) }
        try scene.expectRecovery()
        #expect(try scene.texts() == ["after"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file + ".away")) == before)
    }

    @Test func `while another program locks the history, new runs are refused, and old runs can be read`() throws {
        let scene = try Scene()
        let holder = Process()
        let input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The timeout covers a transaction of intentd that is under way.
        holder.arguments = ["sqlite3", "-bail", "-cmd", ".timeout 20000", scene.file]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("held"))
        try scene.expectRefusal(because: "is locked by another program", status: "locked by another program")
        #expect(try scene.texts().contains("before"))
        input.fileHandleForWriting.write(Data("COMMIT;\n.quit\n".utf8))
        holder.waitUntilExit()
        try scene.expectRecovery()
        #expect(try !scene.texts().contains("refused"))
    }
}
