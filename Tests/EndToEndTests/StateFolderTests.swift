import Foundation
import Glibc
import TestSupport
import Testing

/// The state folder of intentd (`--state`).
@Suite(.ownThread) struct StateFolderTests {
    @Test func `a second intentd with the state folder of another is refused, and the runs of the first go on`() throws
    {
        let daemon = try Daemon()
        let run = try daemon.detach("Probe/Slow", "--seconds", "600")
        _ = try daemon.settledWorkers()
        let second = try Command(
            Programs.intentd,
            [
                "--socket", daemon.folder.appending("second.sock").path, "--state", Daemon.state(in: daemon.folder),
                "--cache", daemon.folder.appending("second").path,
            ]
                + Daemon.places(in: daemon.folder)
        )
        #expect(second.exitCode() == 1)
        #expect(second.errors.contains("the process \(daemon.number) uses the state folder"), "\(second.errors)")
        #expect(second.errors.contains("choose another --state"))
        #expect(try daemon.settledWorkers().count == 1)
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(try daemon.intentctl("wait", run).code == 130)
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
