import Foundation
import Glibc
import TestSupport
import Testing

/// Repeats the attempts of a run from places where an app's code has more privileges than in a run.
@Suite(.ownThread, .fromEveryPosition) struct AttackPositionTests {
    @Test(arguments: Position.allCases, Daemon.Owner.testable)
    func `a fork server has no access beyond that of its runs, except for the listed exceptions`(
        _ position: Position,
        _ owner: Daemon.Owner
    ) throws {
        let scene = try #require(FromEveryPosition.scenes[owner])
        var count = 0
        // Without cgroups, an app that starts programs has one sandbox per run, and no fork server.
        for app in PositionScene.apps where app != .subprocesses || scene.hasCgroups {
            let outcomes = try scene.outcomes(of: app, at: position)
            for attempt in PositionScene.attempts(of: app) where scene.canRefuse(attempt) {
                let detail = scene.fill(attempt.detail, for: app, at: position)
                let outcome = outcomes["\(attempt.name)\t\(detail)"] ?? "not made"
                #expect(attempt.fits(outcome, at: position), "\(app): \(attempt.name) \(attempt.detail): \(outcome)")
                count += 1
            }
        }
        #expect(count > 300)
    }
}

/// The positions from which an app's code runs outside a worker.
enum Position: String, CaseIterable, Sendable {
    /// Before main, while the app is being loaded.
    case constructor
    /// In the fork server that waits for commands.
    case forkServer = "serving"
}

extension Attempt {
    /// True when the outcome is the one expected of a run, or one of the exceptions for a fork server.
    func fits(_ text: String, at position: Position) -> Bool {
        if let more = beyondRuns.first(where: { $0.name == name && ($0.details?.contains(detail) ?? true) }) {
            return more.outcomes.contains { text == $0 || text.hasPrefix($0 + " ") }
        }
        switch outcome {
        case .refused(let errors): return errors.contains(text)
        case .done(let words): return text == words
        case .ends(let words): return text.hasPrefix("ended with") && text.contains(words)
        }
    }

    private var beyondRuns: [Beyond] { Beyond.all }
}

/// An attempt that succeeds in a fork server but not in a run, with the reason why it is not an escape.
struct Beyond: Sendable {
    var name: String
    /// The details to which the exception applies; nil for all.
    var details: Set<String>?
    var outcomes: [String]

    init(_ name: String, _ details: Set<String>? = nil, _ outcomes: String...) {
        self.name = name
        self.details = details
        self.outcomes = outcomes
    }

    static let all: [Beyond] = [
        // The fork server creates workers, within TasksMax= of its own leaf. CLONE_PARENT makes a worker the launcher's
        // child. The launcher trusts only what the kernel confirms about it, and kills unrequested processes with the
        // sandbox.
        Beyond("fork", nil, "done"),
        Beyond("clone", ["parent", "nothing"], "done"),
        Beyond("clone3", ["parent", "nothing"], "done"),
        // The fork server has clone3(2), for CLONE_INTO_CGROUP. An attack would start with a new user namespace, of
        // which none is allowed (ENOSPC). Without one, no other namespace can be created and no pid chosen (EPERM).
        Beyond("clone3", nil, "EPERM", "ENOSPC"),
        Beyond("clone3 flags", nil, "EPERM", "ENOSPC"),
        Beyond("own number", nil, "EPERM"),
        // The fork server uses it to check that it has only one thread.
        Beyond("unshare", ["threads"], "done"),
        // With CAP_SYS_CHROOT, which the fork server of an app that starts programs has, the worker of a run changes to the
        // run's own root. The top of all roots is the sandbox's own root, without a file of the host.
        Beyond("chroot", nil, "done", "EPERM"),
        // Each worker installs a filter and a Landlock layer of its own. Both can only remove privileges.
        Beyond("filter", nil, "done"),
        // A memory controller ends a process that makes layers until MemoryMax= is used up.
        Beyond("ruleset", ["65536"], "done", "ended"),
        Beyond("ruleset", nil, "done"),
        // The app itself may be executed again: it is the same program behind the same filter. No other program exists
        // in the sandbox, and files that the app wrote are on a noexec mount.
        Beyond("execute", nil, "ended", "ENOENT"),
        Beyond("execute by loader", nil, "ended"),
        // A copy of the app in a memory file, which exists only where a memory controller limits it: code that the app
        // could also map into its own process.
        Beyond("execute memory", nil, "ended", "EPERM", "EACCES"),
        Beyond("execute script", nil, "EACCES"),
        Beyond("execute in a child", nil, "ENOENT", "EACCES"),
        // The attempts are made in a folder below /state, which belongs to the app.
        Beyond("change", [".", "/proc/self/cwd"], "done"),
        Beyond("change in a thread", ["."], "done"),
        Beyond("change in a child", ["."], "done"),
        // The sandbox's runs are forked from this process, so it knows them and their folders. The folder above belongs
        // to the launcher. Where launcher and app share a user, names can be created in it; they are removed with the
        // sandbox.
        Beyond("list", ["/runs", "/proc/1", "/proc/2"], "done", "ENOENT", "EPERM", "EACCES"),
        Beyond("create", ["/runs/new"], "done", "EACCES"),
        Beyond("processes", nil, "done"),
        // The fork server has no run folder as descriptor 4.
        Beyond("list", ["/proc/self/fd/4/.."], "ENOTDIR", "ENOENT"),
        // The signal reaches only the fork server's own process group.
        Beyond("kill", ["0"], "ended"),
    ]
}

/// A daemon with apps that make the attempts before their runs.
// SAFETY: every stored property is a constant — nothing is mutated after `init`.
final class PositionScene: @unchecked Sendable {
    static let apps: [AttackScene.App] = [.closed, .network, .ports, .socket, .subprocesses]

    let scene: AttackScene

    init(_ owner: Daemon.Owner) throws {
        scene = try AttackScene(owner)
        let folder = scene.daemon.folder
        for app in Self.apps {
            for position in Position.allCases {
                let list = folder.appending("attempts-\(Self.name(of: app, at: position))")
                let lines = Self.attempts(of: app).map { "\($0.name)\t\(fill($0.detail, for: app, at: position))\n" }
                try Data(lines.joined().utf8).write(to: list)
                chmod(list.path, 0o644)
                try scene.daemon.install(
                    "Attacker",
                    as: Self.name(of: app, at: position),
                    app: [
                        "State=yes", "Environment=ATTACKER_POSITION=\(position.rawValue) ATTACKER_LIST=\(list.path)",
                    ],
                    sandbox: app.sandbox.map { $0.replacing("{folder}", with: folder.url.path) }
                        + ["ReadPaths=\(list.path)"]
                )
            }
        }
    }

    private static func name(of app: AttackScene.App, at position: Position) -> String {
        app.rawValue + (position == .constructor ? "Early" : "Serving")
    }

    /// The attempts that are quick and need no other run of the same sandbox.
    static func attempts(of app: AttackScene.App) -> [Attempt] {
        let all =
            Attempt.hostFiles + Attempt.escalatingFiles + Attempt.metadata + Attempt.signals + Attempt.siblings
            + Attempt.programs + Attempt.namespaces + Attempt.mounts + Attempt.identity + Attempt.kernel
            + Attempt.sockets + Attempt.calls + Attempt.options + Attempt.requests + Attempt.devices + Attempt.clone3
            + Attempt.growth + Attempt.longWalks
        let needed = ["{process}", "{neighbour}", "{name}"]
        return all.filter { attempt in
            // These would kill the fork server itself, process 2, and with it the sandbox.
            if attempt.name.hasSuffix("kill"), ["-1", "2", "-2"].contains(attempt.detail) { return false }
            guard attempt.app == app, !attempt.name.contains("swapped") else { return false }
            return !needed.contains { attempt.detail.contains($0) }
        }
    }

    func fill(_ text: String, for app: AttackScene.App, at position: Position) -> String {
        let executable = scene.daemon.folder.appending("apps/\(Self.name(of: app, at: position))").path
        return scene.fill(text.replacing("{executable}", with: executable), for: app)
    }

    /// The outcomes of the attempts, by name and detail.
    func outcomes(of app: AttackScene.App, at position: Position) throws -> [String: String] {
        let name = Self.name(of: app, at: position)
        // The first run starts the fork server.
        return try outcomes(of: ["\(name)/Outcomes"])
    }

    /// Performs an intent of Attacker that returns outcomes, with these words of a command line.
    func outcomes(of words: [String]) throws -> [String: String] {
        let run = try scene.daemon.start(["run", "--limit", "5min"] + words)
        try #require(run.exitCode() == 0, "\(words): \(run.errors)")
        var outcomes: [String: String] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 3 { outcomes["\(parts[0])\t\(parts[1])"] = parts[2].trimmingCharacters(in: .whitespaces) }
        }
        return outcomes
    }

    /// False for signals on kernels before Landlock 6, where only the PID namespace limits what a fork server may
    /// signal.
    func canRefuse(_ attempt: Attempt) -> Bool {
        let isSignal = attempt.name.hasSuffix("kill")
        return scene.landlockVersion >= max(attempt.landlockVersion, isSignal ? 6 : 0)
    }

    var hasCgroups: Bool { scene.isolation.contains { $0.hasPrefix("own cgroup") } }

    func end() throws {
        try scene.expectUntouched()
        try scene.end()
    }
}

/// Provides the suite with one scene per owner.
struct FromEveryPosition: SuiteTrait, TestScoping {
    @TaskLocal static var scenes: [Daemon.Owner: PositionScene] = [:]

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        var scenes: [Daemon.Owner: PositionScene] = [:]
        for owner in Daemon.Owner.testable { scenes[owner] = try PositionScene(owner) }
        try await Self.$scenes.withValue(scenes) { try await function() }
        for scene in scenes.values { try scene.end() }
    }
}

extension Trait where Self == FromEveryPosition {
    static var fromEveryPosition: Self { Self() }
}
