import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that a person decides about hosts that are not granted (`AllowHosts=ask`), with real servers.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressQuestionTests {
    private func scene(_ address: String) throws -> EgressScene {
        try EgressScene("ask", hosts: ["\(address) api.example"])
    }

    @Test func `a connection to a new host waits for a person, and a refusal names the grant`() throws {
        let scene = try scene("127.0.94.1")
        let ran = try scene.start("curl -sS http://api.example/; exit 1")
        let run = try scene.daemon.run(in: "asking")
        let question = try scene.daemon.intentctl("answer", run).output
        #expect(question.contains("May tools/Do connect to api.example, port 80?"), "\(question)")
        #expect(try scene.daemon.intentctl("answer", run, "refuse").code == 0)
        _ = ran.exitCode()
        #expect(ran.errors.contains("could not connect to api.example:80: a person declined it"), "\(ran.errors)")
        #expect(ran.errors.contains("set AllowHosts=api.example:80 in [Sandbox]"), "\(ran.errors)")
    }

    @Test func `a person's permission does not lead to a private address`() throws {
        let servers = try WebServers(on: "127.0.94.2", names: ["api.example"])
        let scene = try scene("127.0.94.2")
        let ran = try scene.start("curl -sS http://api.example/; exit 1")
        let run = try scene.daemon.run(in: "asking")
        #expect(try scene.daemon.intentctl("answer", run, "run").code == 0)
        _ = ran.exitCode()
        #expect(
            ran.errors.contains("could not connect to api.example:80: its address belongs to this host"),
            "\(ran.errors)"
        )
        #expect(servers.requests.isEmpty)
    }

    @Test func `a permitted host is reached, for a day without another question`() throws {
        let servers = try WebServers(on: "127.0.94.3", names: ["api.example"])
        let scene = try EgressScene("ask,private", hosts: ["127.0.94.3 api.example"])
        let ran = try scene.start("curl -sS http://api.example/one; curl -sS http://api.example/two")
        let run = try scene.daemon.run(in: "asking")
        #expect(try scene.daemon.intentctl("answer", run, "day").code == 0)
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.errors.contains("host api.examplehost api.example"), "\(ran.errors)")
        #expect(try scene.run("curl -sS http://api.example/three").text.contains("host api.example"))
        #expect(servers.requests == ["GET /one", "GET /two", "GET /three"])
        let answer = try #require(
            (try scene.daemon.json("show", run)["changes"] as? [[String: Any]])?.first {
                $0["kind"] as? String == "answer"
            }
        )
        #expect(answer["value"] as? String == "day", "\(answer)")
    }

    @Test func `the next run of the user waits until the sandbox is free`() throws {
        let scene = try scene("127.0.94.6")
        let first = try scene.start("curl -sS http://api.example/; true")
        let run = try scene.daemon.run(in: "asking")
        let second = try scene.start("true")
        try eventually("the second run waits") { try scene.daemon.intentctl("ps").output.contains("queued") }
        #expect(try scene.daemon.intentctl("answer", run, "refuse").code == 0)
        #expect(first.exitCode() == 0, "\(first.errors)")
        #expect(second.exitCode() == 0, "\(second.errors)")
    }

    @Test func `a killed intentd-egress closes the question, and the run continues`() throws {
        let scene = try scene("127.0.94.7")
        let ran = try scene.start("curl -sS http://api.example/; echo over")
        _ = try scene.daemon.run(in: "asking")
        kill(try #require(scene.egress), SIGKILL)
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.errors.contains("over"), "\(ran.errors)")
    }

    @Test func `a question that the app no longer waits for is closed`() throws {
        let scene = try scene("127.0.94.4")
        let ran = try scene.start("timeout 2 curl -sS http://api.example/; echo over; sleep 0.1; echo done")
        _ = try scene.daemon.run(in: "asking")
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.errors.contains("done"), "\(ran.errors)")
    }

    @Test func `describe says that a person is asked`() throws {
        let scene = try scene("127.0.94.5")
        #expect(try scene.run("true").code == 0)
        let text = try scene.daemon.intentctl("describe", "tools").output
        #expect(text.contains("and of others if a person permits it"), "\(text)")
    }
}
