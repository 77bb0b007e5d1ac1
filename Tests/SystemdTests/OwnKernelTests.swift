import Foundation
import TestSupport
import Testing

/// The units under a systemd in a kernel of its own, which has cgroup controllers and a clock that tests can set.
@Suite(
    .ownThread,
    .enabled(if: BootedSystemd.kernelObstacle == nil, Comment(rawValue: BootedSystemd.kernelObstacle ?? "")),
    .timeLimit(.minutes(10))
)
struct OwnKernelTests {
    @Test func `the controllers limit the memory, tasks and processor time of a whole run`() async throws {
        #expect(try await check("controllers.sh") == "ok a leaf is removed with its run")
    }

    @Test func `changing the clock affects no order, duration, limit or history`()
        async throws
    {
        #expect(try await check("clock.sh") == "ok intentd reports no problem with the history")
    }

    @Test(.enabled(if: BootedSystemd.builtKernel != nil, "needs a kernel that Tests/Systemd/build-kernel.sh has built"))
    func `GPU=yes permits the requests of a driver of DRM, and nothing else does`() async throws {
        let sentence = try await check("graphics.sh", kernel: BootedSystemd.builtKernel)
        #expect(sentence == "ok without a grant, the device does not exist")
    }

    private func check(_ script: String, kernel: String? = nil) async throws -> String {
        let (project, built) = (BootedSystemd.project, try BootedSystemd.built)
        // Installed here, because an installation in the slow kernel takes longer than all checks.
        let installed = URL.temporaryDirectory.appending(path: "intentd-installed-\(UUID().uuidString)").path
        // A folder that cannot be removed stays in the system's temporary folder, where it is harmless.
        defer { try? FileManager.default.removeItem(atPath: installed) }
        let installing = Process()
        installing.executableURL = URL(filePath: "\(project)/units/install")
        installing.arguments = ["--from", built, "--no-example", "--destdir", installed]
        installing.standardOutput = FileHandle.nullDevice
        installing.standardError = FileHandle.nullDevice
        try installing.run()
        installing.waitUntilExit()
        try #require(installing.terminationStatus == 0, "units/install --destdir")
        let words = (kernel.map { ["-k", $0, "-m", "4G"] } ?? []) + ["\(project)/Tests/Systemd/\(script)"]
        return try await BootedSystemd.runInOwnKernel(words + [project, built, installed])
            .lastCheck
    }
}
