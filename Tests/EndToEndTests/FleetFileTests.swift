import Foundation
import Glibc
import TestSupport
import Testing

/// Files that a run receives on another host: a real PostgreSQL server, and for each host a real intentd and
/// intentd-fleet.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
struct FleetFileTests {
    @Test func `files reach the host that performs the run, and remain on no host after its end`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let (host, folder) = (fleet["web1"], try fleet["web1"].daemon.makeFolder("in"))
        let small = try write("small", to: folder.appending(path: "a.txt"))
        // More than the database stores at a time.
        let large = try write(
            String(repeating: "0123456789abcde\n", count: 300_000),
            to: folder.appending(path: "b.txt")
        )
        let weighed = try host.intentctl("run", "Probe/WeighFile", "--file", large.path)
        #expect(weighed.output == "4800000 cde\n\n", "\(weighed.errors)")
        let both = try host.intentctl("run", "Probe/ReadFiles", "--files", small.path, "--files", small.path)
        #expect(both.output == "a.txt=small a.txt=small\n", "\(both.errors)")
        let empty = try write("", to: folder.appending(path: "c.txt"))
        #expect(try host.intentctl("run", "Probe/ReadFiles", "--files", empty.path).output == "c.txt=\n")
        #expect(try fleet.query("select distinct node, state from fleet.history") == "web2|done")
        try eventually("no host stores a file") { try fleet.hosts.allSatisfy { try stored($0) == [] } }
        #expect(try fleet.query("select count(*) from fleet.errand") == "0")
    }

    @Test
    func `another process with the name of a host neither answers requests for the host's files nor accepts files`()
        throws
    {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let host = fleet["web1"]
        let file = try write("small", to: try host.daemon.makeFolder("in").appending(path: "a.txt"))
        let namesake = try host.startNamesake()
        for number in 1...8 {
            let read = try host.intentctl("run", "Probe/ReadFiles", "--files", file.path)
            #expect(read.output == "a.txt=small\n", "\(number): \(read.errors)")
        }
        // No host could request a file from the other process, which also publishes no apps.
        let refused = try host.namesakeIntentctl("run", "Probe/ReadFiles", "--files", file.path)
        #expect(refused.code == 75 && refused.errors.contains("has this host's name"), "\(refused)")
        let echoed = try host.namesakeIntentctl("run", "Probe/Echo", "--text", "here")
        #expect(echoed.output == "here\n", "\(echoed)")
        #expect(!namesake.errors.contains("connected to the fleet's database"), "\(namesake.errors)")
        namesake.signal(SIGKILL)
        _ = namesake.exitCode()
    }

    @Test func `a repeated request with the same file is one run, and one with another file is refused`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let file = try write("one", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        func request() throws -> (code: Int32, output: String, errors: String) {
            try fleet["web1"].intentctl("run", "--detach", "--key", "k", "Probe/ReadFileLater", "--file", file.path)
        }
        let (first, again) = (try request(), try request())
        #expect(first.code == 0 && first.output == again.output, "\(first.errors)\(again.errors)")
        try write("two", to: file)
        let other = try request()
        #expect(other.code == 64, "\(other.errors)")
        // The files of the other two requests are removed when the database does not list them.
        try eventually("one file is stored") { try stored(fleet["web1"], in: "inputs").count == 1 }
        try fleet["web2"].daemon.bring()
        let run = first.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try fleet["web1"].intentctl("wait", run).output == "one\n")
        let retried = try fleet["web1"].intentctl("retry", run)
        #expect(
            retried.code != 0 && retried.errors.contains("history contains no secrets or files"),
            "\(retried.errors)"
        )
    }

    @Test func `another host receives the files again for the next attempt`() throws {
        let fleet = try FleetHosts(
            ["web1", "web2", "web3"],
            fleet: ["Fleet=retryable", "Hosts=web2 web3"],
            service: ["Lease=2s"]
        )
        let file = try write("again", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        let waiting = try fleet["web1"].start(["run", "Probe/ReadFileLater", "--file", file.path])
        try eventually("a host performs the run") { try fleet.query("select state from fleet.run") == "running" }
        let first = fleet[try fleet.query("select node from fleet.run")]
        _ = try first.daemon.runFolder(holding: "go.awaited")
        first.kill()
        try eventually("another host performs the run") { try fleet.query("select attempt from fleet.run") == "2" }
        let second = fleet[try fleet.query("select node from fleet.run")]
        #expect(second.name != first.name)
        try second.daemon.bring()
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "again\n")
        #expect(try fleet.query("select attempt, node from fleet.history") == "2|\(second.name)")
        // The first host removes its copy when it learns that it no longer holds the run.
        #expect(try stored(first, in: "received").count == 1)
        try first.start()
        try eventually("no host stores a file") { try fleet.hosts.allSatisfy { try stored($0) == [] } }
    }

    @Test func `a run with files survives the death of intentd-fleet on both hosts`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], service: ["Lease=30s"])
        let file = try write("kept", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        let run = try fleet["web1"].intentctl("run", "--detach", "Probe/ReadFileLater", "--file", file.path).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try fleet["web2"].daemon.runFolder(holding: "go.awaited")
        // The host that performs the run needs the other host no longer.
        fleet["web1"].kill()
        fleet["web2"].kill()
        try fleet["web2"].start()
        try fleet["web2"].daemon.bring()
        try eventually("the run ends") { try fleet.query("select state from fleet.history") == "done" }
        try fleet["web1"].start()
        #expect(try fleet["web1"].intentctl("wait", run).output == "kept\n")
        #expect(try fleet.query("select count(*), max(attempt) from fleet.history") == "1|1")
    }

    @Test func `a run is not started if the host with its files is lost, or sends another file`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"], service: ["Lease=2s"])
        let file = try write("true", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        func submit() throws -> String {
            let made = try fleet["web1"].intentctl("run", "--detach", "Probe/ReadFiles", "--files", file.path)
            try #require(made.code == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        try fleet.command("drain", "web2")
        let orphan = try submit()
        fleet["web1"].kill()
        try eventually("the host is lost") { try fleet.command("nodes").contains("lost") }
        try fleet.command("drain", "web2", "--undo")
        try eventually("the run ends") { try fleet.query("select count(*) from fleet.history") == "1" }
        try fleet["web1"].start()
        let lost = try fleet["web1"].intentctl("wait", orphan)
        #expect(
            lost.code != 0 && lost.errors.contains("'web1' was lost, with the files"),
            "\(lost.code) \(lost.errors)"
        )
        // A host replaces the contents after the submission.
        try fleet.command("drain", "web2")
        // The new process of the service keeps the file of the first run for some time.
        let earlier = try stored(fleet["web1"], in: "inputs")
        let forged = try submit()
        let copy = try #require(stored(fleet["web1"], in: "inputs").first { !earlier.contains($0) })
        try write("fake", to: folder(fleet["web1"], "inputs").appending(path: copy))
        try fleet.command("drain", "web2", "--undo")
        let refused = try fleet["web1"].intentctl("wait", forged)
        #expect(refused.code != 0 && refused.errors.contains("not the file that was submitted"), "\(refused.errors)")
        let outcomes = "select distinct result #>> '{outcome,kind}' from fleet.history"
        #expect(try fleet.query(outcomes) == "notStarted")
        #expect((try fleet["web2"].daemon.json("history", "--by", "all")["runs"] as? [[String: Any]])?.isEmpty == true)
        try eventually("no file of the second run is stored") {
            try stored(fleet["web1"]) == earlier && stored(fleet["web2"]) == []
        }
    }

    @Test func `a submission that is repeated after a lost answer keeps its files`() throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let file = try write("kept", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        try fleet.command("drain", "web2")
        // The server confirms no commit while the standby that it waits for is absent.
        try fleet.setStandbys("'absent'")
        let submission = try fleet["web1"].start(["run", "--detach", "Probe/ReadFiles", "--files", file.path])
        let waits = "from pg_stat_activity where usename = 'web1' and wait_event = 'SyncRep'"
        try eventually("the run waits for the standby") { try fleet.query("select count(*) \(waits)") != "0" }
        #expect(try fleet.query("select count(*) from fleet.run") == "1")
        let process = try fleet.query("select pid \(waits)")
        _ = try fleet.query("select pg_terminate_backend(\(process))")
        try eventually("the submission is repeated: \(fleet["web1"].errors)") {
            try fleet.query("select count(*) \(waits) and pid <> \(process)") != "0"
        }
        try fleet.setStandbys("''")
        try #require(submission.exitCode() == 0, "\(submission.errors)")
        try fleet.command("drain", "web2", "--undo")
        let run = submission.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try fleet["web1"].intentctl("wait", run).output == "a.txt=kept\n")
        #expect(try fleet.query("select count(*) from fleet.history") == "1")
        try eventually("no host stores a file") { try fleet.hosts.allSatisfy { try stored($0) == [] } }
    }

    @Test(arguments: [true, false])
    func `a run waits for its files while its host or the database cannot store them`(isHost: Bool) throws {
        let fleet = try FleetHosts(["web1", "web2"], fleet: ["Fleet=once", "Hosts=web2"])
        let file = try write("late", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        let received = folder(fleet["web2"], "received").path
        if isHost {
            chmod(received, 0)
        } else {
            _ = try fleet.query(
                """
                create function refuse_space() returns trigger language plpgsql as
                  $$ begin raise 'no space' using errcode = '53100'; end $$;
                create trigger no_space before insert on fleet.errand for each row execute function refuse_space()
                """
            )
        }
        let waiting = try fleet["web1"].start(["run", "Probe/ReadFiles", "--files", file.path])
        let problem =
            isHost ? "this host cannot store a file" : "the fleet's database cannot perform the request: no space"
        try fleet["web2"].service?.waitFor("waits for its files: \(problem)")
        if isHost { chmod(received, 0o700) } else { _ = try fleet.query("drop trigger no_space on fleet.errand") }
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "a.txt=late\n")
        try eventually("no host stores a file") { try fleet.hosts.allSatisfy { try stored($0) == [] } }
    }

    @Test func `descriptors that a fleet cannot transfer are refused, and the service continues`() throws {
        let fleet = try FleetHosts(["web1"])
        let text = try write("x", to: try fleet["web1"].daemon.makeFolder("in").appending(path: "a.txt"))
        let script = """
            import json, os, socket, struct, sys
            def ask(files, more={}, count=None):
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
                def send(body, files=()):
                    data = json.dumps(body).encode()
                    socket.send_fds(s, [struct.pack(">I", len(data)) + data], list(files))
                    head = s.recv(4, socket.MSG_WAITALL)
                    return s.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL).decode() if len(head) == 4 else "closed"
                send({"type": "hello", "protocolVersion": 1, "software": "test", "id": 1})
                body = {"type": "perform", "app": "Probe", "intent": "ReadFiles", "id": 2, "onDisconnect": "continue",
                        "values": {"files": []}, "request": os.urandom(16).hex(), "files": count if count is not None else len(files)}
                answer = send(dict(body, **more), files)
                print(json.loads(answer).get("error", {}).get("code", "accepted") if answer != "closed" else answer)
            text = os.open(sys.argv[2], os.O_RDONLY)
            memory = os.memfd_create("m"); os.write(memory, b"m")
            ask([text])
            ask([memory])
            ask([os.pipe()[0]])
            ask([os.open("/", os.O_RDONLY)])
            ask([os.open("/dev/zero", os.O_RDONLY)])
            ask([os.open(sys.argv[2], os.O_WRONLY)])
            ask([text], count=2)
            ask([text], {"writable": [0]})
            ask([text] * 16, count=17)
            ask([text] * 17)
            sparse = os.memfd_create("s"); os.truncate(sparse, (1 << 30) + 1)
            ask([sparse])
            """
        let command = try Command(
            URL(filePath: "/usr/bin/python3"),
            ["-c", script, fleet["web1"].socket, text.path]
        )
        command.exitCode()
        #expect(
            command.output.split(separator: "\n") == [
                "accepted", "accepted", "badParameter", "badParameter", "badParameter", "badParameter", "badRequest",
                "badParameter", "tooLarge", "closed", "tooLarge",
            ],
            "\(command.output)\(command.errors)"
        )
        #expect(try fleet["web1"].intentctl("run", "Probe/Echo", "--text", "a").output == "a\n")
    }

    private func folder(_ host: FleetHost, _ name: String) -> URL { host.daemon.folder.appending("fleet/\(name)") }

    private func stored(_ host: FleetHost, in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder(host, name).path)
    }

    private func stored(_ host: FleetHost) throws -> [String] {
        try stored(host, in: "inputs") + stored(host, in: "received")
    }

    @discardableResult
    private func write(_ text: String, to file: URL) throws -> URL {
        try Data(text.utf8).write(to: file)
        return file
    }
}
