import Foundation
import Testing

/// Kills intentd two hundred times under load, by Tests/Systemd/crash-loop.
@Suite struct CrashLoopTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(.timeLimit(.minutes(5))) func `no kill of intentd loses a run or performs one twice`()
        throws
    {
        let rounds = 200
        let loop = try Command(
            URL(filePath: "/usr/bin/env"),
            [
                "python3", Self.project.appending(path: "Tests/Systemd/crash-loop").path, "\(rounds)",
                "--built", Programs.intentd.deletingLastPathComponent().path,
            ],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        let code = loop.exitCode()
        let verdict = loop.output.split(separator: "\n").first { $0.hasPrefix("rounds") } ?? ""
        #expect(verdict == "rounds \(rounds) lost 0 doubled 0 orphaned 0 leaked 0", "\(loop.output)\(loop.errors)")
        #expect(code == 0, "\(loop.output)\(loop.errors)")
    }
}
