import Foundation
import Glibc
import TestSupport
import Testing

/// Hosts that share runs: a real PostgreSQL server, and for each host a real intentd and a real intentd-fleet.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
struct FleetTests {
    @Test func `a run that one host submits is performed on another, for the user of the first`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let (code, output, errors) = try fleet["web1"].intentctl("run", "Probe/Echo", "--text", "from afar")
        #expect(code == 0, "\(errors)")
        #expect(output == "from afar\n")
        #expect(try fleet.query("select state, node, owner from fleet.history") == "done|web2|root@web1")
        // At web2, the run belongs to the user of web1, and not to the service or to the local root.
        let runs = try fleet["web2"].daemon.json("history", "--by", "all")["runs"] as? [[String: Any]] ?? []
        #expect(runs.map { $0["userName"] as? String } == ["root@web1"])
        #expect(runs.map { $0["user"] as? Int } == [Int(FleetHost.user)])
        #expect((try fleet["web1"].daemon.json("history", "--by", "all")["runs"] as? [[String: Any]])?.isEmpty == true)
        let listed = try fleet["web1"].intentctl("history")
        #expect(
            listed.output.contains("Probe/Echo") && listed.output.contains("done"),
            "\(listed.output)\(listed.errors)"
        )
    }

    @Test func `requests with one key are one run, from whichever host they come, and other values are refused`() throws
    {
        let fleet = try FleetHosts(["web1", "web2"])
        try fleet.command("allow", "web2", "*@web1")
        let first = try fleet["web1"].intentctl("run", "--key", "k", "--detach", "Probe/Echo", "--text", "a")
        #expect(first.code == 0, "\(first.errors)")
        let again = try fleet["web1"].intentctl("run", "--key", "k", "--detach", "Probe/Echo", "--text", "a")
        #expect(again.output == first.output)
        let other = try fleet["web1"].intentctl("run", "--key", "k", "Probe/Echo", "--text", "b")
        #expect(other.code == 64, "\(other.errors)")
        let run = first.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let result = try fleet["web1"].intentctl("wait", run)
        #expect(result.output == "a\n", "\(result.errors)")
        #expect(try fleet.query("select count(*) from fleet.history") == "1")
    }

    @Test func `progress and a question reach the submitting host, and the answer returns`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let ticking = try fleet["web1"].start(["run", "Probe/StepByFile", "--count", "2"])
        try fleet["web2"].daemon.bring("1")
        try eventually("the progress arrives; \(ticking.errors)") {
            try fleet["web1"].intentctl("ps").output.contains("50")
        }
        try fleet["web2"].daemon.bring("2")
        #expect(ticking.exitCode() == 0, "\(ticking.errors)")
        let asking = try fleet["web1"].start(["run", "Probe/AskSomething", "--way", "value"])
        try asking.waitFor("How many cups?")
        let run = try fleet.query("select id from fleet.run")
        #expect(run != "")
        try eventually("ps shows the question") {
            try fleet["web1"].intentctl("ps").output.contains("asking")
        }
        let id = try #require(try fleet["web1"].intentctl("ps").output.split(whereSeparator: \.isNewline).last)
            .prefix { $0 != " " }
        // An answer that does not fit leaves the question open.
        let wrong = try fleet["web1"].intentctl("answer", String(id), "9")
        let right = try fleet["web1"].intentctl("answer", String(id), "3")
        #expect(wrong.code == 64, "\(wrong.errors)")
        #expect(right.code == 0, "\(right.errors)")
        #expect(asking.exitCode() == 0, "\(asking.errors)")
        #expect(asking.output == "3\n")
    }

    @Test func `a cancellation reaches the performing host with its reason, and ends when the run has ended`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let run = try fleet["web1"].intentctl("run", "--detach", "Probe/AwaitFile").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        let (code, _, errors) = try fleet["web1"].intentctl("cancel", run)
        #expect(code == 0, "\(errors)")
        #expect(try fleet.query("select state, reason from fleet.history") == "cancelled|userCancelled")
        #expect(try fleet["web1"].intentctl("wait", run).code == 130)
        // The client of an attached run disconnects.
        let attached = try fleet["web1"].start(["run", "Probe/AwaitFile"])
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        attached.signal(SIGKILL)
        try eventually("the run is cancelled") {
            try fleet.query("select state, result #>> '{outcome,reason}' from fleet.history order by id desc limit 1")
                == "cancelled|clientDisconnected"
        }
        try eventually("no run is left") {
            (try fleet["web2"].daemon.json("ps")["runs"] as? [[String: Any]])?.isEmpty == true
        }
    }

    @Test func `a run survives the death of intentd-fleet on both hosts and of intentd, and is performed once`() throws
    {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], service: ["Lease=30s"])
        let waiting = try fleet["web1"].start(["run", "Probe/AwaitFile"])
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        try fleet["web2"].killDaemon()
        fleet["web2"].kill()
        try fleet["web2"].start()
        fleet["web1"].kill()
        try fleet["web1"].start()
        try fleet["web2"].daemon.bring()
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "waited\n")
        #expect(try fleet.query("select count(*), max(attempt) from fleet.history") == "1|1")
        let runs = try fleet["web2"].daemon.json("history", "--by", "all")["runs"] as? [[String: Any]] ?? []
        #expect(runs.count == 1)
    }

    @Test
    func `when a host is lost, another performs a retryable run, and a run that must not repeat ends as hostLost`()
        throws
    {
        let rules = ["Fleet=once", "[Intent AwaitFile]", "Fleet=retryable"]
        let fleet = try FleetHosts(["web1", "web2", "web3"], fleet: rules, service: ["Lease=2s", "Slots=1"])
        let repeated = try fleet["web1"].start(["run", "Probe/AwaitFile"])
        try eventually("a host performs the run") { try fleet.query("select state from fleet.run") == "running" }
        let first = fleet[try fleet.query("select node from fleet.run")]
        _ = try first.daemon.runFolder(holding: "go.awaited")
        first.service?.signal(SIGSTOP)
        try eventually("another host performs the run") { try fleet.query("select attempt from fleet.run") == "2" }
        let second = fleet[try fleet.query("select node from fleet.run")]
        #expect(second.name != first.name)
        try second.daemon.bring()
        // The result of the first attempt, which ends late, is void.
        try first.daemon.bring()
        if first.name == "web1" { first.service?.signal(SIGCONT) }
        #expect(repeated.exitCode() == 0, "\(repeated.errors)")
        first.service?.signal(SIGCONT)
        #expect(try fleet.query("select attempt, node from fleet.history") == "2|\(second.name)")
        let once = try fleet["web1"].intentctl("run", "--detach", "Probe/StepByFile", "--count", "1").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try eventually("a host performs the run") { try fleet.query("select state from fleet.run") == "running" }
        let host = fleet[try fleet.query("select node from fleet.run")]
        host.kill()
        try eventually("the run ends") {
            try fleet.query("select reason from fleet.history order by id desc limit 1") == "hostLost"
        }
        if host.name == "web1" { try host.start() }
        let (code, _, errors) = try fleet["web1"].intentctl("wait", once)
        #expect(code == 70, "\(errors)")
        #expect(errors.contains("host lost"), "\(errors)")
        #expect(try fleet.command("lost").contains(once))
    }

    @Test func `the output of a run on another host, live or ended, is read from any host`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let ended = try detach(fleet["web1"], "Probe/Prints", "--text", "printed there")
        #expect(try fleet["web1"].intentctl("wait", ended).code == 0)
        let logs = try fleet["web1"].intentctl("logs", ended)
        #expect(logs.output == "printed there\n", "\(logs.errors)")
        let live = try detach(fleet["web1"], "Probe/PrintBytes", "--hex", "6c6976650a", "--stays")
        try eventually("the output of the live run arrives") {
            try fleet["web1"].intentctl("logs", live).output == "live\n"
        }
        #expect(try fleet["web1"].intentctl("cancel", live).code == 0)
        // More than one part.
        let long = try detach(fleet["web1"], "Probe/PrintBytes", "--hex", "78797a0a", "--count", "20000")
        #expect(try fleet["web1"].intentctl("wait", long).code == 0)
        let page = try fleet["web1"].intentctl("logs", long)
        #expect(page.output.split(separator: "\n").allSatisfy { $0 == "xyz" } && page.output.utf8.count > 60_000)
        // A dead host is reported, and leaves nothing.
        fleet["web2"].kill()
        let away = try fleet["web1"].intentctl("logs", ended)
        #expect(away.code == 75 && away.errors.contains("'web2'"), "\(away.code) \(away.errors)")
        #expect(try fleet.query("select count(*) from fleet.errand") == "0")
    }

    @Test func `the files of a result are fetched from the host that made them`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let out = try fleet["web1"].daemon.makeFolder("out")
        let run = try detach(fleet["web1"], "Probe/MakeFiles", "--count", "3", "--byte-count", "3000000")
        #expect(try fleet["web1"].intentctl("wait", run).code == 0)
        let kept = try fleet["web1"].intentctl("fetch", "--keep", "--out", out.path, run)
        #expect(kept.code == 0, "\(kept.errors)")
        let fetched = try fleet["web1"].intentctl("fetch", "--out", out.path, run)
        let paths = (kept.output + fetched.output).split(separator: "\n").map(String.init)
        #expect(paths.count == 6, "\(fetched.errors)")
        for path in paths { #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 7, count: 3_000_000)) }
        #expect(try fleet["web1"].intentctl("fetch", "--out", out.path, run).code == 66)
        // A client that waits receives them with the result.
        let waiting = try fleet["web1"].start([
            "run", "--out", out.path, "Probe/MakeFile", "--place", "here", "--text", "a",
        ])
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        let path = waiting.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a")
        try eventually("the host keeps no file") { try fleet["web2"].daemon.keptResults.isEmpty }
        #expect(try fleet.query("select count(*) from fleet.parcel") == "0")
    }

    @Test func `a run is undone on the host that performed it`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], state: "yes")
        let done = try fleet["web1"].intentctl("run", "Probe/RememberWord", "--word", "oops")
        #expect(done.output == "oops\n", "\(done.errors)")
        let run = try #require(done.errors.split(separator: " ").last).trimmingCharacters(in: .whitespacesAndNewlines)
        let undone = try fleet["web1"].intentctl("undo", run)
        #expect(undone.code == 0 && undone.output.hasPrefix(" by "), "\(undone.output)\(undone.errors)")
        // A repeated request joins the first.
        #expect(try fleet["web1"].intentctl("undo", run).output == undone.output)
        #expect(try fleet.query("select count(*), count(distinct node) from fleet.history") == "2|1")
        let none = try detach(fleet["web1"], "Probe/Prints", "--text", "a")
        #expect(try fleet["web1"].intentctl("wait", none).code == 0)
        let refused = try fleet["web1"].intentctl("undo", none)
        #expect(refused.code != 0 && refused.errors.contains("registered no undo"), "\(refused.errors)")
    }

    @Test func `an exclusive run is stopped before its host's lease ends, and is not attempted again`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=exclusive", "Hosts=web2"], service: ["Lease=4s"])
        let run = try detach(fleet["web1"], "Probe/AwaitFile")
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        try fleet.server.kill()
        try eventually("the host stops the run while the database is away") {
            (try fleet["web2"].daemon.json("ps")["runs"] as? [[String: Any]])?.isEmpty == true
        }
        try fleet.server.start()
        #expect(try fleet["web1"].intentctl("wait", run).code != 0)
        #expect(try fleet.query("select count(*), max(attempt) from fleet.history") == "1|1")
        #expect(try fleet.query("select state from fleet.history") != "done")
    }

    @Test func `status, metrics and doctor show the fleet and what troubles its server`() throws {
        let fleet = try FleetHosts(["web1", "web2"])
        let status = try fleet["web1"].intentctl("status")
        #expect(status.code == 0, "\(status.output)\(status.errors)")
        #expect(status.output.contains("a fleet of 2 hosts, of which 2 are alive"), "\(status.output)")
        #expect(status.output.contains("\nhost web2: alive, seen "), "\(status.output)")
        #expect(!status.output.contains("isolation: "), "\(status.output)")
        #expect(try fleet["web1"].intentctl("metrics").output.contains("intentd_fleet_hosts_alive 2\n"))
        try fleet.server.execute("alter system set synchronous_standby_names = 'absent'")
        try fleet.server.execute("select pg_reload_conf()")
        defer { _ = try? fleet.server.execute("alter system reset synchronous_standby_names") }
        try eventually("the missing standby is a problem") {
            try fleet["web1"].intentctl("status").output.contains("no synchronous standby is connected")
        }
        let doctor = try Command(
            Programs.intentctl,
            ["--socket", fleet["web1"].daemon.socket, "doctor"],
            environment: ["INTENTD_FLEET_SOCKET": fleet["web1"].socket]
        )
        #expect(doctor.exitCode() != 0)
        #expect(doctor.output.contains("! fleet: no synchronous standby"), "\(doctor.output)")
    }

    @Test func `a host that connects with another host's role does nothing, and reports the role`() throws {
        let fleet = try FleetHosts(["web1", "web2"])
        let (code, errors) = try fleet["web2"].startMisnamed(connecting: "web1")
        #expect(code == 78, "\(errors)")
        #expect(errors.contains("Name=web2") && errors.contains("the role 'web1'"), "\(errors)")
    }

    @Test func `a host performs the runs of its own users first`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], service: ["Slots=1"])
        let own = try fleet["web2"].daemon.detach("Probe/AwaitFile")
        try eventually("the fleet knows of the run") {
            try fleet.query("select free from fleet.node where name = 'web2'") == "0"
        }
        let shared = try detach(fleet["web1"], "Probe/Echo", "--text", "a")
        // Another host's run is taken after the local one has ended.
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        #expect(try fleet.query("select state from fleet.run") == "queued")
        try fleet["web2"].daemon.bring()
        #expect(try fleet["web2"].daemon.intentctl("wait", own).code == 0)
        #expect(try fleet["web1"].intentctl("wait", shared).output == "a\n")
    }

    private func detach(_ host: FleetHost, _ words: String...) throws -> String {
        let command = try host.start(["run", "--detach"] + words)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `the example of a fleet loses a host and a database server, and no result`() throws {
        let folder = try TemporaryFolder()
        let programs = [
            "intentd", "intentd-launcher", "intentd-starter", "intentd-egress", "intentd-command", "intent-ask",
            "intentctl",
            "intentd-fleet",
        ]
        // The example runs as the user postgres, who may lack search permission on the build folder.
        for name in programs { try Programs.install(Programs.url(name), as: folder.appending(name)) }
        let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/fleet")
        let command = try Command(example, ["--from", folder.url.path, "--runs", "60"])
        #expect(command.exitCode() == 0, "\(command.output)\(command.errors)")
        #expect(command.output.contains("runs 60 results 60 lost 0 doubled 0"), "\(command.output)\(command.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: "/tmp").filter { $0.hasPrefix("intentd-fleet.") }
        #expect(left == [])
    }

    @Test func `intentd-fleet stops without a failure while a request waits for the database`() throws {
        let fleet = try FleetHosts(["web1"])
        let service = try #require(fleet["web1"].service)
        let limits = try String(contentsOfFile: "/proc/\(service.number)/limits", encoding: .utf8).split(
            separator: "\n"
        )
        let files = try #require(limits.first { $0.hasPrefix("Max open files") }).split(separator: " ").dropFirst(3)
        let numbers = files.compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] >= min(numbers[1], 16_384), "\(limits)")
        // The server confirms no commit while the standby that it waits for is absent.
        try fleet.setStandbys("'absent'")
        let waiting = try fleet["web1"].start(["run", "Probe/Echo", "--text", "a"])
        try eventually("the run waits for the standby") {
            try fleet.query("select count(*) from pg_stat_activity where wait_event = 'SyncRep'") != "0"
        }
        service.signal(SIGTERM)
        #expect(service.exitCode() == 0, "\(service.errors)")
        try fleet.setStandbys("''")
        try fleet["web1"].start()
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "a\n")
    }

    @Test func `a host that is drained takes no runs, and its users can submit`() throws {
        let fleet = try FleetHosts(["web1", "web2"])
        try fleet.command("drain", "web1")
        for number in 1...5 {
            let result = try fleet["web1"].intentctl("run", "Probe/Echo", "--text", "\(number)")
            #expect(result.output == "\(number)\n", "\(result.errors)")
        }
        #expect(try fleet.query("select distinct node from fleet.history") == "web2")
        let nodes = try fleet.command("nodes")
        #expect(nodes.contains("draining") && nodes.contains("alive"), "\(nodes)")
    }

    @Test func `a result that the dead database could not take waits on the disk, and counts once afterwards`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let waiting = try fleet["web1"].start(["run", "Probe/AwaitFile"])
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        try fleet.server.kill()
        // The run ends while the database is away.
        try fleet["web2"].daemon.bring()
        let ends = fleet["web2"].daemon.folder.appending("fleet/ends").path
        try eventually("the end waits on the disk") {
            try FileManager.default.contentsOfDirectory(atPath: ends).contains { $0.hasSuffix(".end") }
        }
        fleet["web2"].kill()
        try fleet["web2"].start()
        try fleet.server.start()
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "waited\n")
        #expect(try fleet.query("select count(*), max(attempt) from fleet.history") == "1|1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: ends) == [])
    }
}
