import FoundationEssentials
import IntentLinux

/// `systemd-run` in a temporary systemd, which performs all measurements at once because it accepts no commands.
enum SystemdPeer {
    /// Boots the systemd, and returns its samples by the name of the measurement.
    static func measure(_ options: BenchmarkOptions, app: String) throws -> [String: Samples] {
        Console.say("  booting a systemd")
        let (process, socket) = try Peer.start(
            "/bin/bash",
            ["\(options.peerFolder)/systemd-peer", options.isQuick ? "quick" : "full", app]
        )
        Cleanup.add(process.number)
        defer { Cleanup.remove(process.number) }
        let text = String(decoding: try File.readAll(socket.rawValue, limit: 1 << 20) ?? [], as: UTF8.self)
        if let problem = process.waitForEnd() { throw BenchmarkError("the systemd that was booted \(problem)") }
        var measured: [String: Samples] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let name = words.first, let value = words.last.flatMap({ Double($0) }) else { continue }
            measured[String(name), default: Samples()].append(value)
        }
        return measured
    }
}
