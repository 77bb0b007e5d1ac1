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
        let beyond = Self.beyondRuns.map { $0.replacing("{executable}", with: program) }
        var refusedCount = 0
        for (attempt, outcome) in server.sorted(by: { $0.key < $1.key }) {
            let isRefused = outcome.wholeMatch(of: /E[A-Z0-9]+/) != nil
            refusedCount += isRefused ? 1 : 0
            #expect(isRefused || outcome == run[attempt] || beyond.contains(attempt), "\(attempt): \(outcome)")
        }
        #expect(refusedCount > 200)
    }

    /// Attempts with another outcome than in a run of an app, with the reason why they are not an escape.
    private static let beyondRuns = [
        // The program of the server, which Programs= permits it to execute, in the same sandbox.
        "execute\t{executable}", "execute script\t{executable}",
        // Its own folder, in which the folder of its program is mounted, because the program is below /tmp here.
        "list\t.",
        // An open file of its own. In a worker of an app, the descriptor is the run's folder.
        "change\t/proc/self/fd/4",
        // Its own processes: itself, and the worker that started it.
        "processes\t", "kill\t0",
        // Programs of command files report progress with datagrams (sd_notify(3)).
        "socket\tunix datagrams",
    ]
}
