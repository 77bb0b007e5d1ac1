import Foundation
import Glibc
import TestSupport
import Testing

/// The folders that one intentd uses alone (`--state`, `--cache`).
@Suite(.ownThread) struct StateFolderTests {
    @Test(arguments: ["--state", "--cache"])
    func `a second intentd with a folder of another is refused, and the runs of the first go on`(shared: String) throws
    {
        let daemon = try Daemon()
        let run = try daemon.detach("Probe/Slow", "--seconds", "600")
        _ = try daemon.settledWorkers()
        let second = try Command(
            Programs.intentd,
            [
                "--socket", daemon.folder.appending("second.sock").path,
                "--state",
                shared == "--state" ? Daemon.state(in: daemon.folder) : daemon.folder.appending("second").path,
                "--cache", daemon.folder.appending(shared == "--cache" ? "cache" : "third").path,
            ]
                + Daemon.places(in: daemon.folder).dropLast(2)
        )
        #expect(second.exitCode() == 1)
        #expect(second.errors.contains("the process \(daemon.number) uses the folder"), "\(second.errors)")
        #expect(second.errors.contains("choose another \(shared)"))
        #expect(try daemon.settledWorkers().count == 1)
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(try daemon.intentctl("wait", run).code == 130)
    }

    @Test(arguments: ["--state", "--cache"])
    func `a folder that was removed and made again is refused to a second intentd, too`(shared: String) throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        let folder = daemon.folder.appending(String(shared.dropFirst(2)))
        let moved = daemon.folder.appending("moved")
        #expect(rename(folder.path, moved.path) == 0)
        try eventually("the daemon uses the new folder") {
            daemon.errors.contains("the folder '\(folder.path)' had been removed or replaced; using the new one")
        }
        let second = try Command(
            Programs.intentd,
            [
                "--socket", daemon.folder.appending("second.sock").path,
                "--state", shared == "--state" ? folder.path : daemon.folder.appending("second").path,
                "--cache", shared == "--cache" ? folder.path : daemon.folder.appending("third").path,
            ]
                + Daemon.places(in: daemon.folder).dropLast(2)
        )
        #expect(second.exitCode() == 1)
        #expect(second.errors.contains("the process \(daemon.number) uses the folder"), "\(second.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "b").output == "b\n")
        #expect(try daemon.intentctl("history").output.contains("Probe/Echo"))
    }

    @Test func `a private daemon that finds its socket in use leaves the socket of the other daemon`() throws {
        let daemon = try Daemon()
        let probe = daemon.folder.appending("apps/Probe").path
        let refused = try daemon.intentctl("run", "--local", probe, "Echo", "--text", "a")
        #expect(refused.code == 69 && refused.errors.contains("another intentd listens on"), "\(refused)")
        #expect(access(daemon.socket, F_OK) == 0)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "b").output == "b\n")
    }

    @Test func `a removed cache folder is made again, its live run goes on, and later runs succeed`() throws {
        let daemon = try Daemon(limits: ["Spare=1"])
        let live = try daemon.start(["run", "Probe/Slow", "--seconds", "3"])
        _ = try daemon.run()
        try FileManager.default.removeItem(at: daemon.folder.appending("cache"))
        for text in ["one", "two"] {
            let ran = try daemon.intentctl("run", "Probe/Echo", "--text", text)
            #expect(ran.output == "\(text)\n", "\(ran.errors)")
        }
        // Files of results have a folder again, too.
        let out = try daemon.makeFolder("out")
        let made = try daemon.intentctl("run", "--out", out.path, "Probe/MakeFiles", "--count", "1")
        #expect(made.code == 0, "\(made.errors)")
        #expect(live.exitCode() == 0, "\(live.errors)")
        #expect(!live.errors.contains("DiskMax"), "\(live.errors)")
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test func `a cache folder that cannot be made again is a problem in the status until it can`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "x").code == 0)
        let cache = daemon.folder.appending("cache")
        let obstacle = daemon.folder.appending("obstacle")
        try Data().write(to: obstacle)
        // The daemon can make the folder again in between.
        try eventually("a file has taken the place of the folder") {
            rename(cache.path, daemon.folder.appending("moved-\(UUID())").path)
            return rename(obstacle.path, cache.path) == 0
        }
        // No run is necessary.
        try eventually("the status names the problem") {
            let status = try daemon.intentctl("status")
            return status.code == 75 && status.output.contains("folder was removed, and cannot be made again: mkdir")
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "x").code != 0)
        try FileManager.default.removeItem(at: cache)
        try eventually("the launcher has made the folder") { try daemon.intentctl("status").code == 0 }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "x").output == "x\n")
    }

    @Test func `a daemon listens again when its socket file or the folder of the file is removed`() throws {
        let daemon = try Daemon()
        let folder = try daemon.makeFolder("sockets")
        let path = folder.appending(path: "intentd.sock").path
        let other = try Command(
            Programs.intentd,
            [
                "--socket", path, "--state", daemon.folder.appending("second").path, "--cache",
                daemon.folder.appending("third").path,
            ]
                + Daemon.places(in: daemon.folder).dropLast(2)
        )
        defer { kill(other.number, SIGTERM) }
        func answers() throws -> Bool {
            try Command(Programs.intentctl, ["--socket", path, "status"]).exitCode() == 0
        }
        try eventually("the daemon answers") { try answers() }
        unlink(path)
        try eventually("the daemon listens again") { try answers() }
        try FileManager.default.moveItem(at: folder, to: daemon.folder.appending("moved"))
        try eventually("the daemon makes the folder again") { try answers() }
    }

    @Test func `a state folder that does not exist is created, also by a relative path`() throws {
        let daemon = try Daemon()
        let folder = try daemon.makeFolder("other")
        let other = try Command(
            Programs.intentd,
            ["--socket", folder.appending(path: "intentd.sock").path, "--state", "new/state", "--cache", "cache"]
                + Daemon.places(in: daemon.folder).dropLast(2),
            directory: folder
        )
        defer { kill(other.number, SIGTERM) }
        let database = folder.appending(path: "new/state/history.sqlite").path
        try eventually("intentd creates its database") { access(database, F_OK) == 0 }
        #expect(!other.errors.contains("cannot"), "\(other.errors)")
    }
}
