import Foundation
import TestSupport
import Testing

/// Kills intentd under load, by Tests/Systemd/crash-loop: sixty times in every run of the tests, two hundred times by
/// `Tests/endurance crashes`.
@Suite(.ownThread) struct CrashLoopTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(.timeLimit(.minutes(5))) func `no kill of intentd loses a run or performs one twice`()
        throws
    {
        let rounds = Endurance.isWhole ? 200 : 60
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
