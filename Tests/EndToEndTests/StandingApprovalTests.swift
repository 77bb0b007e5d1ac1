import Foundation
import TestSupport
import Testing

/// `intentctl answer --for`, `revoke` and `status`: approvals that stay open, with a real agent's server.
@Suite(.ownThread) struct StandingApprovalTests {
    /// Calls a tool that a person must approve, and returns its run.
    private func waiting(_ server: MCPProcess, _ text: String) throws -> String {
        let result = try server.call("Probe_Echo", ["text": text])
        #expect(result.structured["state"] as? String == "waiting", "\(result)")
        return try #require(result.structured["run"] as? String, "\(result)")
    }

    @Test func `an approval for a time covers later calls of the tool, until it is revoked`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=always", "ApproveFor=1h"])
        let server = try MCPProcess(daemon)
        let run = try waiting(server, "first")
        let shown = try daemon.intentctl("answer", run)
        #expect(shown.output.contains("with --for TIME, of at most 1 h"), "\(shown.output)")
        #expect(shown.output.contains("later requests of agents of this user for Probe/Echo, with any values"))
        let tooLong = try daemon.intentctl("answer", run, "yes", "--for", "2h")
        #expect(tooLong.code == 64 && tooLong.errors.contains("ApproveFor="), "\(tooLong)")
        let answered = try daemon.intentctl("answer", run, "yes", "--for", "30m")
        #expect(answered.code == 0, "\(answered.errors)")
        _ = try server.call("intent_run_result", ["run": run])

        let second = try server.call("Probe_Echo", ["text": "second"])
        #expect(second.structured["value"] as? String == "second", "\(second)")
        // The approval does not cover another intent.
        #expect(try server.call("Probe_Add", ["first": 1, "second": 2]).structured["state"] as? String == "waiting")
        let covered = try #require(second.structured["run"] as? String)
        #expect(try daemon.intentctl("show", covered).output.contains("with the standing approval of run \(run)"))
        #expect(try daemon.intentctl("show", run).output.contains(", for 30 min also for later requests"))
        let decisions = try #require(try daemon.json("audit")["decisions"] as? [[String: Any]])
        #expect(decisions.count == 2)
        #expect(decisions.allSatisfy { ($0["standing"] as? [String: Any])?["run"] as? String == run }, "\(decisions)")
        let table = try daemon.intentctl("audit").output
        #expect(table.contains("approved, open for 30 min") && table.contains("approved with \(run)"), "\(table)")

        let status = try daemon.intentctl("status").output
        #expect(status.contains("approval of run \(run)") && status.contains("'intentctl revoke \(run)'"), "\(status)")
        #expect(try daemon.intentctl("revoke", run).code == 0)
        #expect(try daemon.json("status")["standingApprovals"] == nil)
        _ = try waiting(server, "third")
        let again = try daemon.intentctl("revoke", run)
        #expect(again.code == 66 && again.errors.contains("no standing approval"), "\(again)")
    }

    @Test func `without the operator's setting, an approval covers one run, and the error names the setting`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=always"])
        let server = try MCPProcess(daemon)
        let run = try waiting(server, "first")
        #expect(try !daemon.intentctl("answer", run).output.contains("--for"))
        let refused = try daemon.intentctl("answer", run, "yes", "--for", "1h")
        #expect(refused.code == 64 && refused.errors.contains("ApproveFor= in [Agents]"), "\(refused)")
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        _ = try waiting(server, "second")
    }
}
