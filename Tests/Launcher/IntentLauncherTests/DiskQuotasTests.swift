import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests quotas on real folders, without measurements. A measurement forks, which is not safe in this multithreaded
/// process. `StateQuotaTests` tests measurements.
@Suite(.timeLimit(.minutes(1))) struct DiskQuotasTests {
    @Test func `a request with an empty state folder does not wait`() throws {
        let parts = try SandboxParts()
        let (sandbox, _) = try parts.sandboxWithState(maximum: 1 << 20)
        #expect(parts.disk.hasRoom(for: try parts.request(1), in: sandbox))
        #expect(!parts.disk.removeWaiter(SlotID(number: 1)))
    }
}

extension SandboxParts {
    /// Returns a sandbox without processes that has a state folder with this maximum size.
    func sandboxWithState(maximum: Int64) throws -> (Sandbox, path: String) {
        let path = base.folder("app-state")
        try File.makeFolders(path, permissions: 0o700)
        var app = try app()
        app.unit.sandbox.stateMax = maximum
        let sandbox = try base.endedSandbox(in: base.folder("sandbox"))
        sandbox.state = StateQuota(path, of: app)
        return (sandbox, path)
    }
}

extension LauncherParts {
    /// Returns a sandbox with two reaped processes.
    func endedSandbox(in folder: String) throws -> Sandbox {
        let sandbox = Sandbox(
            number: 1,
            owner: SandboxOwner(app: try #require(AppName("Probe")), user: nil, account: nil),
            ids: nil,
            folder: folder,
            group: nil,
            isolation: Isolation(grade: .none, parts: []),
            use: .worker(nil)
        )
        sandbox.isInitReaped = true
        sandbox.serverEnd = .exited(code: 0)
        return sandbox
    }
}
