import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport
import Testing

@testable import IntentLauncher

/// The parts that create sandboxes, without processes. Only a single-threaded process, such as the launcher, may start
/// a sandbox's processes.
///
/// The app is /usr/bin/true.
final class SandboxParts {
    let base: LauncherParts
    let isolation: HostIsolation
    let sandboxes: Sandboxes
    let disk: DiskQuotas
    let forkServers: ForkServers

    init() throws {
        base = try LauncherParts()
        try base.connect()
        var arguments = try LauncherArguments(["--cache", base.folder("cache"), "--state", base.folder("state")])
        if getuid() == 0 { arguments.ids = .success(.forRoot) }
        isolation = HostIsolation(
            of: SandboxHost(),
            SandboxIdentities(arguments, states: base.context.states),
            requires: .none
        )
        sandboxes = Sandboxes(base.context, isolation, workers: base.workers)
        disk = DiskQuotas(base.context, workers: base.workers, sandboxes: sandboxes)
        forkServers = ForkServers(
            base.context,
            landlock: isolation.host.landlock,
            workers: base.workers,
            sandboxes: sandboxes,
            disk: disk
        )
        // Workers of other users must be able to reach their folders below this one.
        chmod(base.folder.path, 0o711)
    }

    deinit { isolation.host.cgroups?.remove() }

    func app(_ executable: String = "/usr/bin/true") throws -> AppSettings {
        let alone = Installation(appFolders: [], executables: [executable], user: nil)
        guard let name = alone.appNames(on: .kernel).first, case .found(let app) = alone.app(name, on: .kernel) else {
            throw UnmetRequirement("no app at '\(executable)'")
        }
        return app
    }

    func request(_ number: UInt64) throws -> LaunchRequest {
        var request = LaunchRequest(slot: SlotID(number: number), app: try app().name, mode: .once)
        request.user = 1000
        return request
    }
}
