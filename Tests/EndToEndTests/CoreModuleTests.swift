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
