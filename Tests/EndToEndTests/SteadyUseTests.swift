import Foundation
import TestSupport
import Testing

/// Tests huge pages for the code of an app with many runs.
@Suite(.ownThread) struct SteadyUseTests {
    /// Performs `count` runs, eight at a time.
    private func runMany(_ daemon: Daemon, count: Int) throws {
        let client = try SocketClient(daemon)
        for _ in 0..<(count / 8) {
            for _ in 0..<8 {
                let request = UUID().uuidString.replacing("-", with: "").lowercased()
                let answer = try client.ask([
                    "type": "perform", "app": "Probe", "intent": "Echo", "request": request, "values": ["text": "on"],
                ])
                #expect(answer["type"] as? String == "accepted", "\(answer)")
            }
            var endedCount = 0
            while endedCount < 8 {
                if try client.nextEvent()["type"] as? String == "finished" { endedCount += 1 }
            }
        }
    }

    /// The memory of a process on huge pages (proc_pid_smaps(5)).
    private func hugeKilobytes(of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("AnonHugePages:") }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    }

    private var hasHugePages: Bool {
        let choice = try? String(contentsOfFile: "/sys/kernel/mm/transparent_hugepage/enabled", encoding: .utf8)
        return choice.map { !$0.contains("[never]") } ?? false
    }

    @Test func `after many runs an app's code moves to huge pages, and its runs end as before`() throws {
        let daemon = try Daemon()
        try runMany(daemon, count: 16)
        let server = try daemon.forkServer()
        #expect(try hugeKilobytes(of: server) == 0)
        try runMany(daemon, count: 96)
        #expect(try daemon.forkServer() == server)
        if hasHugePages {
            try eventually("the code is on huge pages") { try hugeKilobytes(of: server) > 0 }
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still").output == "still\n")
        let crashed = try daemon.intentctl("run", "Probe/Crash")
        #expect(crashed.errors.contains("signal"), "\(crashed.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        if !hasHugePages { try skipTest("this kernel provides no huge pages") }
    }

    @Test func `the code of an app with a low memory limit stays on small pages`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=200M"])
        try runMany(daemon, count: 96)
        #expect(try hugeKilobytes(of: daemon.forkServer()) == 0)
    }
}
