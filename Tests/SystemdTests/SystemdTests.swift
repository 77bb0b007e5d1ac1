import Foundation
import TestSupport
import Testing

/// The units under a real systemd, with the programs as they were built.
@Suite(
    .ownThread,
    .enabled(if: BootedSystemd.obstacle == nil, Comment(rawValue: BootedSystemd.obstacle ?? "")),
    .timeLimit(.minutes(10))
)
struct SystemdTests {
    @Test(arguments: BootedSystemd.cgroupModes(for: "serve-one-run.sh"))
    func `the socket starts the service, a run is served, and a stop leaves nothing`(cgroups: String) async throws {
        let last = try await check("serve-one-run.sh", cgroups: cgroups)
        #expect(last == "ok nothing of intentd is left after uninstalling")
    }

    @Test func `the commands of README and the operator guide run as they are written`() async throws {
        let last = try await check("documents.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok the service of the documents stops without a failure")
    }

    @Test func `programs can be intents of the installed service, once their file is installed`() async throws {
        let last = try await check("commands.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok the service stops without a failure")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "stop-and-watchdog.sh"))
    func `a stop waits for a run's clean-up, and the watchdog finds a hung loop`(cgroups: String) async throws {
        let last = try await check("stop-and-watchdog.sh", cgroups: cgroups)
        #expect(
            [
                "ok runs are served after the launcher's restart",
                "ok runs are served when intentd gets processor time again",
            ].contains(last)
        )
    }

    @Test func `packages are installed, upgraded and downgraded with a run in flight, removed and purged`() async throws
    {
        let last = try await check("packages.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok the archive is uninstalled")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "operator.sh"))
    func `an operator installs, adds sockets, schedules runs, and removes all of it`(cgroups: String) async throws {
        let last = try await check("operator.sh", cgroups: cgroups)
        #expect(last == "ok no socket is left")
    }

    @Test func `the failure of an operator's first schedule arrives as mail within a minute`() async throws {
        let last = try await check("first-mail.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok the service stops without a failure")
    }

    @Test func `schedules of root and of a user start their runs, and are removed completely`() async throws {
        let last = try await check("schedules.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok no timer is active")
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/lib/systemd/systemd-logind"),
            "a session needs systemd-logind, which this host does not have"
        )
    )
    func `an intent that requires local authentication runs for the user of the foreground session`() async throws {
        let last = try await check("presence.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok a user who has logged out is refused")
    }

    @Test(.enabled(if: access("/usr/lib/postgresql", F_OK) == 0, "needs PostgreSQL 15"))
    func `the service of a fleet survives kills, restarts and an upgrade of the schema, and loses no run`() async throws
    {
        let last = try await check("fleet.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok no process of the service is left")
    }

    @Test func `an agent's task survives intentd, and a person approves what the agent may not`() async throws {
        let last = try await check("agents.sh", cgroups: BootedSystemd.cgroupModes.last ?? "unified")
        #expect(last == "ok no process is left after the stop")
    }

    @Test(.enabled(if: BootedSystemd.browserPython != nil, "needs Chromium, Cockpit, and packages for Python"))
    func `the page in Cockpit has the rights of the login, and with administrative access those of an operator`()
        async throws
    {
        let ending = try await run("cockpit.sh", with: BootedSystemd.browserPython)
        #expect(ending.lastCheck == "ok the runs belong to their users")
    }

    @Test(.enabled(if: BootedSystemd.clientPython != nil, "needs nginx and packages for Python"))
    func `clients reach the service through nginx with tokens, signed webhooks, and an issuer's access tokens`()
        async throws
    {
        let ending = try await run("front.sh", with: BootedSystemd.clientPython)
        #expect(ending.lastCheck == "ok the journal names the subjects that cannot be callers")
    }

    /// Runs a script that needs an environment of Python.
    private func run(_ script: String, with python: String?) async throws -> BootedSystemd.Ending {
        let python = try #require(python)
        let (project, built) = (BootedSystemd.project, try BootedSystemd.built)
        return try await BootedSystemd.run(
            ["\(project)/Tests/Systemd/\(script)", project, built, python + "/bin/python"],
            cgroups: BootedSystemd.cgroupModes.last ?? "unified",
            bindings: [project, built, URL(filePath: python).deletingLastPathComponent().path]
        )
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "users-own.sh"))
    func `a user has a private intentd under the user's own systemd`(cgroups: String) async throws {
        let last = try await check("users-own.sh", cgroups: cgroups)
        #expect(last == "ok no process of a user with subordinate ids is left")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "journal.sh"))
    func `the journal contains every run and its output`(cgroups: String) async throws {
        let last = try await check("journal.sh", cgroups: cgroups)
        #expect(last == "ok later output reaches the journal")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "reload.sh"))
    func `a reload accepts all files or none, and a start serves all valid apps`(cgroups: String) async throws {
        let last = try await check("reload.sh", cgroups: cgroups)
        #expect(last == "ok runs are served when the state folder is writable again")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "host-changes.sh"))
    func `a run that begins after a change of the host's files and mounts sees it`(cgroups: String) async throws {
        let last = try await check("host-changes.sh", cgroups: cgroups)
        #expect(last == "ok no run was lost")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "users.sh"))
    func `intentd, its workers and its operators have users of their own`(
        cgroups: String
    ) async throws {
        let last = try await check("users.sh", cgroups: cgroups)
        #expect(last == "ok no process of either user is left")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "sandbox-keys.sh"))
    func `the sandbox works as documented under the shipped units`(cgroups: String) async throws {
        let last = try await check("sandbox-keys.sh", cgroups: cgroups)
        #expect(last == "ok no process of the user intentd is left")
    }

    @Test(arguments: BootedSystemd.cgroupModes(for: "crashes.sh"))
    func `neither kills nor upgrades lose a run`(cgroups: String) async throws {
        let last = try await check("crashes.sh", Endurance.isWhole ? ["2"] : [], cgroups: cgroups)
        #expect(last == "ok no process is left after the stop")
    }

    /// Runs a script of checks under a booted systemd, and returns the last check that passed.
    private func check(_ script: String, _ arguments: [String] = [], cgroups: String) async throws -> String {
        let (project, built) = (BootedSystemd.project, try BootedSystemd.built)
        return try await BootedSystemd.run(
            ["\(project)/Tests/Systemd/\(script)", project, built] + arguments,
            cgroups: cgroups,
            bindings: [project, built]
        )
        .lastCheck
    }

    @Test func `a booted system has no failed unit, and passes on the command's exit code and output`() async throws {
        let ending = try await BootedSystemd.run(
            ["bash", "-c", "systemctl is-system-running --wait; echo words >&2; exit 7"],
            cgroups: "unified",
            bindings: []
        )
        #expect(ending.exitCode == 7)
        #expect(Set(ending.output.split(separator: "\n")) == ["running", "words"])
    }
}
