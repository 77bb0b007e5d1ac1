import Foundation
import Glibc
import Testing

extension AttackPositionTests {
    @Test(arguments: Daemon.Owner.testable)
    func `an MCP server has no access beyond that of a run that starts programs`(_ owner: Daemon.Owner) throws {
        let scene = try #require(FromEveryPosition.scenes[owner])
        let daemon = scene.scene.daemon
        let attempts = [AttackScene.App.closed, .subprocesses].flatMap { PositionScene.attempts(of: $0) }
        let list = daemon.folder.appending("attempts-of-servers")
        let program = daemon.folder.appending("apps/\(AttackScene.App.subprocesses.rawValue)").path
        // Both positions execute the same file.
        func detail(_ attempt: Attempt) -> String { scene.scene.fill(attempt.detail, for: .subprocesses) }
        let lines = Set(attempts.map { "\($0.name)\t\(detail($0))\n" }) + ["every descriptor\t..\n"]
        try Data(lines.sorted().joined().utf8).write(to: list)
        chmod(list.path, 0o644)
        try daemon.writeCommands(
            """
            [App]
            MCPServer=\(program) tool-server
            [Sandbox]
            Programs=\(program)
            ReadPaths=\(list.path)
            MemoryMax=1G
            """,
            as: "hostile"
        )
        try daemon.install(
            "Attacker",
            as: "StarterOfAttempts",
            sandbox: AttackScene.App.subprocesses.sandbox + ["ReadPaths=\(list.path)", "MemoryMax=1G"]
        )
        let words = ["--list", list.path]
        let server = try scene.outcomes(of: ["hostile/Attempts"] + words)
        let run = try scene.outcomes(of: ["StarterOfAttempts/Attempts"] + words)
        #expect(server.count > 250 && Set(server.keys) == Set(run.keys), "\(server.count)")
        for (attempt, outcome) in server.sorted(by: { $0.key < $1.key }) {
            #expect(outcome == run[attempt], "\(attempt)")
        }
    }
}
