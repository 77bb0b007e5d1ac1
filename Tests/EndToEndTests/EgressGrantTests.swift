import Foundation
import Glibc
import TestSupport
import Testing

/// Tests hosts that only one intent may reach, what a run can learn about grants, and permissions that last.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressGrantTests {
    /// A file with one intent for each list of hosts; nil for an intent without a list of its own.
    private func write(_ intents: [(name: String, hosts: String?)], of app: String, in scene: EgressScene) throws {
        let sections = intents.map { name, hosts in
            """
            [Intent \(name)]
            Exec=\(scene.file("do")) %{script}
            \(hosts.map { "AllowHosts=\($0)" } ?? "")
            [Intent \(name).Parameter script]
            """
        }
        _ = try scene.daemon.writeCommands(
            """
            [Sandbox]
            Programs=system \(scene.daemon.folder.appending("bin").path)
            AllowHosts=\(app)
            MemoryMax=infinity
            \(sections.joined(separator: "\n"))
            """,
            as: "several"
        )
        #expect(try scene.daemon.intentctl("reload").code == 0)
    }

    private func run(_ intent: String, _ script: String, in scene: EgressScene) throws -> (code: Int32, text: String) {
        let ran = try scene.daemon.intentctl("run", "several/\(intent)", "--script", script)
        return (ran.code, ran.errors)
    }

    @Test func `an intent reaches its own hosts, and no other intent does`() throws {
        let servers = try WebServers(on: "127.0.89.1", names: ["api.example", "own.example"])
        let scene = try EgressScene("absent.example:1", hosts: ["127.0.89.1 api.example own.example"])
        let intents = [("Plain", nil), ("Own", "own.example:80,private"), ("None", "")] as [(String, String?)]
        try write(intents, of: "api.example:80,private", in: scene)
        let both = "curl -sS http://api.example/; curl -sS http://own.example/"
        // The fork server of each sandbox lives on, so the second round uses what the first has made.
        for _ in 0..<2 {
            #expect(try run("Own", both, in: scene).text.contains("host api.examplehost own.example"))
            let plain = try run("Plain", both, in: scene)
            #expect(plain.code != 0 && plain.text.contains("host api.example"), "\(plain)")
            #expect(plain.text.contains("could not connect to own.example"), "\(plain)")
            let none = try run("None", "curl -sS http://api.example/", in: scene)
            #expect(none.code != 0 && !none.text.contains("host api.example"), "\(none)")
        }
        #expect(servers.requests.count == 6)
        let refused = try run("Own", "curl -sS http://other.example/", in: scene)
        #expect(refused.text.contains("in [Intent Own] of \(scene.daemon.folder.url.path)"), "\(refused)")

        let described = try scene.daemon.intentctl("describe", "several").output
        #expect(
            described.contains("AllowHosts=api.example:80,private own.example:80,private  ([Intent Own]"),
            "\(described)"
        )
        #expect(described.contains("AllowHosts=none  ([Intent None]"), "\(described)")
        let intent = try scene.daemon.intentctl("describe", "several/Own").output
        #expect(intent.contains("own.example:80,private  ([Intent Own]"), "\(intent)")

        try write([("Own", nil)], of: "api.example:80,private", in: scene)
        let later = try run("Own", both, in: scene)
        #expect(later.code != 0 && later.text.contains("could not connect to own.example"), "\(later)")
    }

    @Test func `verify and check find a mistake in the hosts of an intent, and verify shows them`() throws {
        let scene = try EgressScene("absent.example:1", hosts: [])
        let file = scene.daemon.folder.appending("commands/several.intents").path
        try write([("Own", "own.example:443")], of: "api.example:80", in: scene)
        let verified = try scene.daemon.intentctl("verify", file)
        #expect(verified.code == 0, "\(verified)")
        #expect(verified.output.contains("AllowHosts=api.example:80 own.example:443  ([Intent Own]"), "\(verified)")
        let mistaken = try String(contentsOfFile: file, encoding: .utf8).replacing(
            "own.example:443",
            with: "own.example"
        )
        _ = try scene.daemon.writeCommands(mistaken, as: "several")
        let refused = try scene.daemon.intentctl("verify", file)
        #expect(refused.code == 78 && refused.output.contains("AllowHosts=: expected HOST:PORT"), "\(refused)")
        let folder = scene.daemon.folder
        let check = try Command(
            Programs.intentd,
            ["--check", "--commands", folder.appending("commands").path, "--units", folder.appending("units").path]
                + ["--apps", folder.appending("apps").path, "--configuration", folder.appending("etc").path]
        )
        #expect(check.exitCode() == 78)
        #expect(check.output.contains("AllowHosts=: expected HOST:PORT"), "\(check.output) \(check.errors)")
    }

    @Test func `learn permits nothing, and prints the lines that a run would need`() throws {
        let servers = try WebServers(on: "127.0.89.2", names: ["api.example"])
        let scene = try EgressScene("other.example:80,private", hosts: ["127.0.89.2 api.example other.example"])
        let script = """
            /usr/bin/python3 -c 'import socket; socket.create_connection(("api.example", 80))'
            curl -sS http://tracker.example/; exit 1
            """
        let learned = try scene.daemon.intentctl("learn", "tools/Do", "--", "--script", script)
        #expect(learned.code == 1, "\(learned)")
        #expect(learned.errors.contains("review these lines before you add them to [Sandbox] of "), "\(learned.errors)")
        let lines = learned.errors.split(separator: "\n").filter { $0.hasPrefix("AllowHosts=") }
        #expect(Set(lines) == ["AllowHosts=api.example:PORT", "AllowHosts=tracker.example:PORT"], "\(learned.errors)")
        #expect(servers.connections == 0)
        let path = try scene.daemon.intentctl("learn", "tools/Do", "--script", "cat /etc/machine-id")
        #expect(path.errors.contains("\nReadPaths=/etc/machine-id\n"), "\(path.errors)")
        let nothing = try scene.daemon.intentctl("learn", "tools/Do", "--script", "true")
        #expect(nothing.code == 0)
        #expect(nothing.errors.contains("the sandbox refused nothing that a line could permit"), "\(nothing.errors)")
        let file = scene.daemon.folder.appending("commands/tools.intents").path
        let alone = try Command(
            Programs.intentctl,
            ["learn", "--local", file, "Do", "--script", "curl -sS http://new.example/"]
        )
        #expect(alone.exitCode() != 0)
        #expect(alone.errors.contains("\nAllowHosts=new.example:PORT\n"), "\(alone.errors)")
    }

    @Test func `an answer for a day outlives a reload, intentd-egress and intentd, until the user revokes it`() throws {
        let servers = try WebServers(on: "127.0.89.3", names: ["api.example"])
        let scene = try EgressScene("ask,private", hosts: ["127.0.89.3 api.example"], sharesLauncher: true)
        var daemon = scene.daemon
        func fetch(_ path: String) throws -> Command {
            try daemon.start(["run", "tools/Do", "--script", "curl -sS http://api.example/\(path)"])
        }
        let first = try fetch("1")
        let run = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", run, "day").code == 0)
        #expect(first.exitCode() == 0, "\(first.errors)")
        #expect(try daemon.intentctl("reload").code == 0)
        #expect(try fetch("2").exitCode() == 0)
        kill(try #require(scene.egress), SIGKILL)
        #expect(try fetch("3").exitCode() == 0)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        daemon = try Daemon(after: daemon)
        #expect(try fetch("4").exitCode() == 0)
        #expect(servers.requests == ["GET /1", "GET /2", "GET /3", "GET /4"])
        let status = try daemon.intentctl("status").output
        #expect(
            status.contains("connections of tools to api.example:80 for its user (AllowHosts=ask,private)"),
            "\(status)"
        )
        #expect(try daemon.intentctl("revoke", run).code == 0)
        let asking = try fetch("5")
        let next = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", next, "refuse").code == 0)
        #expect(asking.exitCode() != 0)
        #expect(servers.requests.count == 4)
    }

    @Test func `32 sandboxes that are made and removed leave nothing`() throws {
        let servers = try WebServers(on: "127.0.89.4", names: ["api.example"])
        let scene = try EgressScene("absent.example:1", hosts: ["127.0.89.4 api.example"])
        let names = (1...32).map { "Do\($0)" }
        try write(names.map { ($0, "api.example:80,private") }, of: "api.example:81,private", in: scene)
        for name in names {
            #expect(try run(name, "curl -sS http://api.example/", in: scene).text.contains("host api.example"))
        }
        #expect(servers.requests.count == 32)
        let egress = try #require(scene.egress)
        // Each sandbox has two sockets for DNS, and one for each of two ports.
        try eventually("all sandboxes are served") { scene.namespaceSockets(of: egress) == 4 * 32 }
        // Their settings have changed.
        try write(names.map { ($0, nil) }, of: "api.example:82,private", in: scene)
        try eventually("no sandbox is served") { scene.namespaceSockets(of: egress) == 0 }
        #expect(scene.egress == egress)
        try eventually("no process of a sandbox remains") {
            scene.daemon.family.values.allSatisfy { !["intentd-init", "intentd-roots", "intentd-fork"].contains($0) }
        }
    }
}
