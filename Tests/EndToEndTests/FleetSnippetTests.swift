import Foundation
import TestSupport
import Testing

/// What the runs of a fleet show, with a real PostgreSQL server and real services.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
struct FleetSnippetTests {
    /// Starts a run that asks a question, and returns its identifier.
    private func detached(_ host: FleetHost) throws -> String {
        let run = try host.intentctl("run", "--detach", "Probe/AskWithView")
        try #require(run.code == 0, "\(run.errors)")
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `a control of a run is used from another host, and is performed where the run was`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], state: "yes")
        let shown = try fleet["web1"].intentctl("run", "Probe/ShowBowls")
        #expect(shown.errors.contains("Bowls: 1\n"), "\(shown.errors)")
        let run = try #require(shown.errors.firstMatch(of: /intentctl --fleet press (\w+) 1…2/)?.1, "\(shown.errors)")
        let pressed = try fleet["web1"].intentctl("press", String(run), "1")
        #expect(pressed.code == 0 && pressed.errors.contains("The order has 2 bowls."), "\(pressed.errors)")
        #expect(pressed.errors.contains("Bowls: 2\n") && pressed.errors.contains("--fleet press"), "\(pressed.errors)")
        #expect(try fleet.query("select string_agg(distinct node, ' ') from fleet.history") == "web2")
        // The controls of a question can be used before the answer.
        let asking = try detached(fleet["web1"])
        try eventually("the run asks") { try fleet["web1"].intentctl("ps").output.contains("asking") }
        let one = try fleet["web1"].intentctl("press", asking, "1")
        #expect(one.code == 0 && one.errors.contains("The order has 1 bowls."), "\(one.errors)")
        #expect(try fleet["web1"].intentctl("answer", asking, "yes").code == 0)
        #expect(try fleet["web1"].intentctl("wait", asking).output == "ordered\n")
    }

    @Test func `a control of an intent that no host offers is refused with the next step`() throws {
        let fleet = try FleetHosts(["web1"], fleet: ["Hosts=web1", "[Intent ShowBowls]", "Fleet=once"], state: "yes")
        let shown = try fleet["web1"].intentctl("run", "Probe/ShowBowls")
        let run = try #require(shown.errors.firstMatch(of: /intentctl --fleet press (\w+) 1…2/)?.1, "\(shown.errors)")
        let refused = try fleet["web1"].intentctl("press", String(run), "1")
        #expect(refused.code == 66)
        #expect(refused.errors.contains("'SetBowls', which no host of the fleet offers"), "\(refused.errors)")
        #expect(refused.errors.contains("permit it with Fleet="), "\(refused.errors)")
    }
}
