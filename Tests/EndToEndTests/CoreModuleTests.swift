import Foundation
import TestSupport
import Testing

/// CoreSpotlight, CoreLocation and CoreTransferable in the sandbox of a worker.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct CoreModuleTests {
    private static let zoo = #"{"name":"Zoo","location":{"latitude":52.5,"longitude":13.3}}"#

    @Test func `the index of an app lasts from run to run in its state folder, and a result is a converted file`()
        throws
    {
        let daemon = try Daemon(app: ["State=yes"])
        let folder = try daemon.makeFolder("saved")
        let words = ["run", "--out", folder.path, "Probe/KeepNote", "--place", Self.zoo, "--text"]
        let first = try daemon.start(words + ["lion"])
        #expect(first.exitCode() == 0 && first.errors.contains("Notes about this place: lion"), "\(first.errors)")
        let second = try daemon.start(words + ["ape"])
        #expect(second.exitCode() == 0, "\(second.errors)")
        #expect(second.errors.contains("Notes about this place: ape, lion"), "\(second.errors)")
        let path = second.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let file = try String(contentsOfFile: path, encoding: .utf8)
        #expect(file.contains(#""text":"ape""#) && file.contains(#""latitude":52.5"#), "\(file)")
    }

    @Test func `runs that change the index at the same time lose no change`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let folder = try daemon.makeFolder("saved")
        let words = ["run", "--out", folder.path, "Probe/KeepNote", "--place", Self.zoo, "--text"]
        let names = (0..<8).map { "note\($0)" }
        let runs = try names.map { try daemon.start(words + [$0]) }
        for run in runs { #expect(run.exitCode() == 0, "\(run.errors)") }
        let last = try daemon.start(words + ["zzz"])
        #expect(last.exitCode() == 0, "\(last.errors)")
        #expect(last.errors.contains((names + ["zzz"]).joined(separator: ", ")), "\(last.errors)")
    }

    @Test func `a Transferable entity that an intent returns is also a file, which is saved in the folder of --out`()
        throws
    {
        let daemon = try Daemon()
        let folder = try daemon.makeFolder("saved")
        func returned(_ note: String, _ options: [String] = []) throws -> (members: [String: Any], errors: String) {
            let run = try daemon.start(["run"] + options + ["Probe/ReturnNote", "--note", note])
            #expect(run.exitCode() == 0, "\(run.errors)")
            let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            return (try #require(value as? [String: Any]), run.errors)
        }
        let saved = try returned("lion", ["--out", folder.path]).members
        let path = try #require(saved["file"] as? String, "\(saved)")
        #expect(path.hasPrefix(folder.path) && path.hasSuffix("/IndexedNote.txt"), "\(path)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "lion")
        // Without --out, the caller did not ask for a file.
        let named = try returned("ape").members
        #expect(named["file"] as? String == "IndexedNote.txt" && named["id"] as? String == "ape", "\(named)")
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.appending("IndexedNote.txt").path))
        // An entity without a permitted export, and an export that fails.
        #expect(try returned("hidden").members["file"] == nil)
        let broken = try returned("broken")
        #expect(broken.members["file"] == nil && broken.errors.contains("cannot export the result"), "\(broken)")
    }

    @Test func `a place outside the earth is refused before the intent is performed`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let place = #"{"name":"X","location":{"latitude":91,"longitude":0}}"#
        let refused = try daemon.intentctl("run", "Probe/KeepNote", "--text", "far", "--place", place)
        #expect(refused.code != 0 && !refused.errors.contains("Notes about"), "\(refused.errors)")
    }

    @Test func `without a state folder, an index is refused and the next step is named`() throws {
        let daemon = try Daemon(app: ["State=no"])
        let refused = try daemon.intentctl("run", "Probe/KeepNote", "--text", "lion", "--place", Self.zoo)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("remove State=no"), "\(refused.errors)")
    }
}
