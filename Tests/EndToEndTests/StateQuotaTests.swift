import Foundation
import TestSupport
import Testing

/// Tests the limit on the size of an app's state folder (`StateMax=`).
@Suite(.ownThread, .timeLimit(.minutes(5))) struct StateQuotaTests {
    /// The state folder on the host that contains a file.
    private func stateFolder(of daemon: Daemon, holding name: String) throws -> URL {
        let names = FileManager.default.enumerator(atPath: daemon.folder.url.path)?.compactMap { $0 as? String } ?? []
        let path = try #require(names.first { $0.hasSuffix("/\(name)") }, "\(names)")
        return daemon.folder.appending(path).deletingLastPathComponent()
    }

    @Test func `a run that exceeds StateMax= is killed, and the next one is refused until there is space`() throws {
        let daemon = try Daemon(sandbox: ["StateMax=20M"])
        let filling = try daemon.intentctl("run", "Probe/FillState", "--count", "40")
        #expect(filling.code == 71, "\(filling)")
        #expect(filling.errors.contains("StateMax="), "\(filling)")
        let folder = try stateFolder(of: daemon, holding: "filled-0")
        let refused = try daemon.intentctl("run", "Probe/Echo", "--text", "a")
        #expect(refused.code != 0)
        #expect(refused.errors.contains("StateMax= allows 20971520 bytes"), "\(refused)")
        #expect(refused.errors.contains(folder.lastPathComponent), "\(refused)")
        // Another app has a separate state folder.
        let digits = daemon.folder.appending("digits")
        try Data("123456789".utf8).write(to: digits)
        #expect(try daemon.intentctl("run", "Archive/Checksum", "--file", digits.path).code == 0)
        // Remove the files that the run wrote before it was killed.
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            try FileManager.default.removeItem(at: file)
        }
        let again = try daemon.intentctl("run", "Probe/Echo", "--text", "a")
        #expect(again.code == 0, "\(again)")
    }

    @Test func `unlinked files of the state folder count towards StateMax=`() throws {
        let daemon = try Daemon(sandbox: ["StateMax=20M", "DiskMax=infinity"])
        let filling = try daemon.intentctl("run", "Probe/FillState", "--count", "40", "--is-nameless")
        #expect(filling.code == 71, "\(filling)")
        #expect(filling.errors.contains("StateMax="), "\(filling)")
        // The files were freed when the run ended.
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
    }

    @Test func `a state folder that exceeds its limit when the daemon starts prevents the first run`() throws {
        let daemon = try Daemon(sandbox: ["StateMax=infinity"])
        let filling = try daemon.intentctl("run", "Probe/FillState", "--count", "3", "--no-waits")
        #expect(filling.code == 0, "\(filling)")
        try Data("[Sandbox]\nStateMax=2M\n".utf8).write(to: daemon.folder.appending("units/Probe.conf"))
        daemon.signal(SIGTERM)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let refused = try next.intentctl("run", "Probe/Echo", "--text", "a")
        #expect(refused.code != 0)
        #expect(refused.errors.contains("StateMax= allows 2097152 bytes"), "\(refused)")
        // The app can still be described.
        #expect(try next.intentctl("describe", "Probe/Echo").code == 0)
    }
}
