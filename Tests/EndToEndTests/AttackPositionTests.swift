import Foundation
import Glibc
import Testing

/// The attempts of a run, made by an app's code where it has more rights than in a run.
@Suite(.fromEveryPosition) struct AttackPositionTests {
    @Test(arguments: Position.allCases, Daemon.Owner.testable)
    func `a fork server reaches nothing that its runs do not reach, but what is written down here`(
        _ position: Position,
        _ owner: Daemon.Owner
    ) throws {
        let scene = try #require(FromEveryPosition.scenes[owner])
        var count = 0
        // Without cgroups an app that starts programs has a sandbox for each run, and no fork server.
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

/// Where an app's own code can be beside a run.
enum Position: String, CaseIterable, Sendable {
    /// Before main, while the app is being loaded.
    case constructor
    /// In the fork server that waits for commands.
    case forkServer = "serving"
}

extension Attempt {
    /// What came of it is what comes of it in a run, or is among what a fork server may do beyond.
    func fits(_ text: String, at position: Position) -> Bool {
        if let more = beyondRuns.first(where: { $0.name == name && ($0.details?.contains(detail) ?? true) }) {
            return more.words.contains { text == $0 || text.hasPrefix($0 + " ") }
        }
        switch outcome {
        case .refused(let errors): return errors.contains(text)
        case .done(let words): return text == words
        case .ends(let words): return text.hasPrefix("ended with") && text.contains(words)
        }
    }

    private var beyondRuns: [Beyond] { Beyond.all }
}

/// What a fork server may do and a run may not, and why that is no way out.
struct Beyond: Sendable {
    var name: String
    /// Nil: whatever the detail is.
    var details: Set<String>?
    var words: [String]

    init(_ name: String, _ details: Set<String>? = nil, _ words: String...) {
        self.name = name
        self.details = details
        self.words = words
    }

    static let all: [Beyond] = [
        // It makes workers, within TasksMax= of its own leaf. CLONE_PARENT is how a worker is the launcher's child; the
        // launcher believes of it only what the kernel confirms, and ends what it did not ask for with the sandbox.
        Beyond("fork", nil, "done"),
        Beyond("clone", ["parent", "nothing"], "done"),
        Beyond("clone3", ["parent", "nothing"], "done"),
        // It has clone3(2), for CLONE_INTO_CGROUP. A new user namespace would be the first step: there may be none of
        // them (ENOSPC), and without one nothing else may be made, nor a process's number chosen (EPERM).
        Beyond("clone3", nil, "EPERM", "ENOSPC"),
        Beyond("clone3 flags", nil, "EPERM", "ENOSPC"),
        Beyond("own number", nil, "EPERM"),
        // How it learns whether it has one thread.
        Beyond("unshare", ["threads"], "done"),
        // Its workers take these from themselves, by a filter and a layer of their own. Both only ever take away.
        Beyond("filter", nil, "done"),
        Beyond("ruleset", nil, "done"),
        // The app itself is executed behind this filter, and can be again: it is the same program with the same filter.
        // What is not in the sandbox is not there, and what the app wrote is on a mount without execution.
        Beyond("execute", nil, "ended", "ENOENT"),
        Beyond("execute by loader", nil, "ended"),
        Beyond("execute script", nil, "EACCES"),
        Beyond("execute in a child", nil, "ENOENT", "EACCES"),
        // The attempts are made in a folder below /state, which is the app's.
        Beyond("change", [".", "/proc/self/cwd"], "done"),
        Beyond("change in a thread", ["."], "done"),
        Beyond("change in a child", ["."], "done"),
        // The runs of the sandbox came out of this process: it knows them, and each of their folders. The folder above
        // them is the launcher's; where launcher and app are one user, names can be made in it, and go with the sandbox.
        Beyond("list", ["/runs", "/proc/1", "/proc/2"], "done", "ENOENT", "EPERM", "EACCES"),
        Beyond("create", ["/runs/new"], "done", "EACCES"),
        Beyond("processes", nil, "done"),
        // It has no folder of its own as descriptor 4.
        Beyond("list", ["/proc/self/fd/4/.."], "ENOTDIR", "ENOENT"),
        // Its own group.
        Beyond("kill", ["0"], "ended"),
    ]
}

/// A daemon whose apps make attempts before their runs.
// SAFETY: nothing of it changes after `init` — its parts are constants.
final class PositionScene: @unchecked Sendable {
    static let apps: [AttackScene.App] = [.closed, .network, .ports, .socket, .subprocesses]

    private let scene: AttackScene

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

    /// All that do not need another run of the same sandbox, and take no long time.
    static func attempts(of app: AttackScene.App) -> [Attempt] {
        let all =
            Attempt.hostFiles + Attempt.escalatingFiles + Attempt.metadata + Attempt.signals + Attempt.siblings
            + Attempt.programs + Attempt.namespaces + Attempt.mounts + Attempt.identity + Attempt.kernel
            + Attempt.sockets + Attempt.calls + Attempt.options + Attempt.requests + Attempt.devices + Attempt.clone3
            + Attempt.growth + Attempt.longWalks
        let needed = ["{process}", "{neighbour}", "{name}"]
        return all.filter { attempt in
            // The fork server itself, process 2, and all that it may signal: a sandbox ends with its fork server.
            if attempt.name.hasSuffix("kill"), ["-1", "2", "-2"].contains(attempt.detail) { return false }
            guard attempt.app == app, !attempt.name.contains("swapped") else { return false }
            return !needed.contains { attempt.detail.contains($0) }
        }
    }

    func fill(_ text: String, for app: AttackScene.App, at position: Position) -> String {
        let executable = scene.daemon.folder.appending("apps/\(Self.name(of: app, at: position))").path
        return scene.fill(text.replacing("{executable}", with: executable), for: app)
    }

    /// What came of the attempts, by name and detail.
    func outcomes(of app: AttackScene.App, at position: Position) throws -> [String: String] {
        let name = Self.name(of: app, at: position)
        // In the order of the installation: the first run starts the fork server.
        let run = try scene.daemon.intentctl("run", "--limit", "5min", "\(name)/Outcomes")
        try #require(run.code == 0, "\(name): \(run.errors)")
        var outcomes: [String: String] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 3 { outcomes["\(parts[0])\t\(parts[1])"] = parts[2].trimmingCharacters(in: .whitespaces) }
        }
        return outcomes
    }

    /// Before Landlock 6 only the PID namespace says whom a fork server may signal.
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

/// Gives the suite one scene for each owner.
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
