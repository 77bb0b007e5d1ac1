import Foundation
import Glibc
import Testing

/// Runs that outlive the intentd that began them.
@Suite(.timeLimit(.minutes(5))) struct AdoptionTests {
    @Test func `a run goes on when intentd is killed, and its client hears of its end from the next one`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let client = try SocketClient(daemon)
        let request = SocketClient.performance(of: "Slow", ["seconds": 2.0])
        let run = try #require(try client.ask(request)["run"] as? String)
        _ = try daemon.run()
        let workers = daemon.workers
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        #expect(daemon.workers == workers)
        let next = try Daemon(after: daemon)
        #expect(next.workers == workers)
        let again = try SocketClient(next)
        #expect(try again.ask(request)["run"] as? String == run)
        #expect(try again.outcome(of: run)["kind"] as? String == "done")
        try eventually("nothing of it is left") { next.workers.isEmpty && next.isCleared }
        let shown = try next.json("show", run)
        #expect(shown["outcome"] as? String == "done")
    }
}
