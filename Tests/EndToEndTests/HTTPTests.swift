import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the HTTP API of `intentctl web` with the scenarios of Tests/Web/api.py. The commands of units/http.md are in
/// DocumentTests.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct HTTPTests {
    @Test(arguments: ["basics", "questions", "events", "files", "refusals", "attached", "raw", "private"])
    func `the API performs, follows, answers, cancels and refuses`(_ scenario: String) throws {
        let api = try HTTPFront(Daemon())
        api.finish(try api.start(scenario))
    }

    @Test func `a stream of events continues after intentd was killed`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let api = try HTTPFront(daemon)
        let scenario = try api.start("restart")
        try eventually("the run advances: \(scenario.errors)") { scenario.output.contains("running") }
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        try Data().write(to: daemon.folder.appending("restarted"))
        api.finish(scenario)
        #expect(try next.intentctl("history").output.contains("done"))
    }

    @Test func `the OpenAPI document is valid, and describes what the API answers`() throws {
        let api = try HTTPFront(Daemon())
        api.finish(try api.start("description", python: "openapi"))
    }
}

/// A running `intentctl web --api`, on a Unix socket or a port.
final class HTTPFront {
    let server: Command
    let header: String
    private let daemon: Daemon
    private let socket: String

    init(_ daemon: Daemon, port: Bool = false) throws {
        self.daemon = daemon
        (socket, header) = (daemon.folder.appending("api.sock").path, daemon.folder.appending("api.header").path)
        let listener = port ? ["--port", "0"] : ["--listen-socket", socket]
        server = try daemon.start(["web", "--api", "--header-file", header] + listener)
        let server = server
        try eventually("the server listens; it printed: \(server.errors)") { server.output.hasSuffix("\n") }
    }

    /// The address of a server with a port, without a path.
    var address: String { server.output.components(separatedBy: "/enter").first ?? "" }

    /// Starts a scenario of Tests/Web/api.py.
    ///
    /// - Parameter packages: The packages of Tests/Web that the scenario needs. Without them, the test is skipped.
    func start(_ scenario: String, python packages: String? = nil) throws -> Command {
        var python = URL(filePath: "/usr/bin/python3")
        if let packages {
            let installing = try Command(
                DocumentScript.url.deletingLastPathComponent().appending(path: "install-python"),
                [packages]
            )
            guard installing.exitCode() == 0 else {
                try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            let folder = installing.output.trimmingCharacters(in: .whitespacesAndNewlines)
            python = URL(filePath: folder).appending(path: "bin/python")
        }
        return try Command(
            python,
            [WebPage.script("api.py"), scenario, socket, header, daemon.folder.url.path],
            environment: [
                "PYTHONDONTWRITEBYTECODE": "1", "INTENTD_SOCKET": daemon.socket, "INTENTCTL": Programs.intentctl.path,
            ]
        )
    }

    /// Waits until the scenario ends. The server runs until then.
    func finish(_ scenario: Command) {
        #expect(scenario.exitCode() == 0, "\(scenario.output)\(scenario.errors)\(server.errors)")
    }
}
