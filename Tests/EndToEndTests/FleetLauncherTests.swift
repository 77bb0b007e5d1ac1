import Foundation
import Glibc
import TestSupport
import Testing

/// The death of a host's launcher, and with it of all its workers, while the host performs runs of the fleet.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
struct FleetLauncherTests {
    @Test func `when a launcher is killed, retryable runs are performed again, and others end as lost, each once`()
        throws
    {
        let rules = ["Fleet=once", "Hosts=web2 web3", "[Intent AwaitFile]", "Fleet=retryable", "Hosts=web2 web3"]
        let fleet = try FleetHosts(["web1", "web2", "web3"], fleet: rules, service: ["Slots=8"])
        try fleet.command("drain", "web3")
        func submit(_ words: String...) throws -> String {
            let made = try fleet["web1"].start(["run", "--detach"] + words)
            try #require(made.exitCode() == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let retryable = try (1...2).map { try submit("Probe/AwaitFile", "--file", "go\($0)") }
        let once = try (1...2).map { _ in try submit("Probe/StepByFile", "--count", "1") }
        let ended = try submit("Probe/Echo", "--text", "before")
        #expect(try fleet["web1"].intentctl("wait", ended).output == "before\n")
        try eventually("web2 performs all runs") {
            try fleet.query("select count(*) from fleet.run where state = 'running' and node = 'web2'") == "4"
        }
        for number in 1...2 { _ = try fleet["web2"].daemon.runFolder(holding: "go\(number).awaited") }
        let workers = fleet["web2"].daemon.workers.keys
        #expect(workers.count >= 4)
        try fleet["web2"].killLauncher()
        try eventually("the workers end with their launcher") { workers.allSatisfy { !Self.isRunning($0) } }
        // Neither performed nor repeated: the owner is told that the outcome is unknown.
        for run in once {
            let (code, _, errors) = try fleet["web1"].intentctl("wait", run)
            #expect(code == 70 && errors.contains("lost: "), "\(code) \(errors)")
        }
        try fleet.command("drain", "web3", "--undo")
        try eventually("the retryable runs are attempted again") {
            try fleet.query("select min(attempt), count(*) from fleet.run where state = 'running'") == "2|2"
        }
        for (index, run) in retryable.enumerated() {
            let host = fleet[
                try fleet.query("select node from fleet.run where args #>> '{values,file}' = 'go\(index + 1)'")
            ]
            try host.daemon.bring("go\(index + 1)")
            #expect(try fleet["web1"].intentctl("wait", run).output == "waited\n")
        }
        let ends =
            "select split_part(intent, '/', 2), attempt, result #>> '{outcome,kind}', count(*) from fleet.history"
        #expect(
            try fleet.query("\(ends) group by 1, 2, 3 order by 1")
                == "AwaitFile|2|done|2\nEcho|1|done|1\nStepByFile|1|lost|2"
        )
        #expect(try fleet.query("select count(*) from fleet.run") == "0")
        for host in fleet.hosts {
            try eventually("no worker is left") { host.daemon.workers.isEmpty }
        }
    }

    /// Returns false for a process that has exited, even if its parent has not reaped it yet.
    private static func isRunning(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return false }
        return !status.contains("State:\tZ")
    }
}
