import Foundation
import IntentLinux
import Testing

/// The units under a real systemd, with the programs as they were built.
@Suite(
    .serialized,
    .enabled(if: BootedSystemd.obstacle == nil, Comment(rawValue: BootedSystemd.obstacle ?? "")),
    .timeLimit(.minutes(5))
)
struct SystemdTests {
    @Test(arguments: BootedSystemd.cgroupModes)
    func `the socket starts the service, a run is served, and a stop leaves nothing`(cgroups: String) async throws {
        let built = try URL(filePath: ProcessFacts.executablePath()).deletingLastPathComponent().path
        let project = BootedSystemd.project
        let ending = try await BootedSystemd.run(
            ["\(project)/Tests/Systemd/serve-one-run.sh", project, built],
            cgroups: cgroups,
            bindings: [project, built]
        )
        let lines = ending.output.split(separator: "\n")
        for line in lines where line.hasPrefix("not ok ") { Issue.record("\(line)\n\(ending.output)") }
        #expect(ending.exitCode == 0, "\(ending.output)")
        #expect(lines.last { $0.hasPrefix("ok ") } == "ok nothing of intentd is left after uninstalling")
    }

    @Test func `a booted system has no failed unit, and hands on the command's exit code and output`() async throws {
        let ending = try await BootedSystemd.run(
            ["bash", "-c", "systemctl is-system-running --wait; echo words >&2; exit 7"],
            cgroups: "unified",
            bindings: []
        )
        #expect(ending.exitCode == 7)
        #expect(Set(ending.output.split(separator: "\n")) == ["running", "words"])
    }
}
