import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux
import IntentSandbox
import IntentWire

/// The isolation that this host provides, which a trial determines, and the grade that apps require.
final class HostIsolation {
    let host: SandboxHost
    private let identities: SandboxIdentities
    /// The grade that apps without `Require=` require.
    private let requiredGrade: IsolationGrade

    init(of host: SandboxHost, _ identities: SandboxIdentities, requires requiredGrade: IsolationGrade) {
        self.host = host
        self.identities = identities
        self.requiredGrade = requiredGrade
    }

    /// Tries every protection: runs this program in a sandbox, below the folder, and waits until it exits.
    func tryOut(in runsFolder: String) {
        do {
            try tryOut([], in: runsFolder)
        } catch {
            do {
                // If a container's filter already has a listener, the kernel allows no second one (seccomp(2), EBUSY).
                try tryOut(.metadata, in: runsFolder)
                host.metadataProblem = "\(error)"
            } catch {
                host.sandboxProblem = "\(error)"
            }
        }
    }

    private func tryOut(_ permissions: SystemCallFilter.Permissions, in runsFolder: String) throws {
        guard identities.isAvailable || getuid() != 0 else {
            throw UnmetNeed(
                "apps never run as root, and no user ids are available for them (\(identities.problem ?? "unknown reason"))"
            )
        }
        let executable = try ProcessFacts.executablePath()
        // Use the settings of an app without a unit file: all defaults.
        let alone = Installation(appFolders: [], executables: [executable], user: nil)
        guard let name = alone.appNames(on: .kernel).first, case .found(let app) = alone.app(name, on: .kernel) else {
            throw UnmetNeed("the launcher's executable was not found at '\(executable)'")
        }
        let folder = "\(runsFolder)/trial"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        defer { _ = rmdir(folder) }
        let run = try RunDirectory(at: "\(folder)/\(Trial.run)", for: identities.trial?.app)
        defer { run.remove() }
        let group = try host.cgroups?.makeGroup(named: "trial", user: identities.trial?.app)
        defer { group?.remove() }
        let folders = WritableFolders(runs: run.path, onlyRun: Trial.run, state: nil)
        var plan = try SandboxPlan(for: app, folders, user: identities.trial?.app ?? getuid())
        plan.ids = identities.trial
        plan.grantsGroup = identities.grantsGroup
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        let processes = try plan.start(
            SandboxedProgram(
                executable: executable,
                arguments: [LauncherArguments.trial] + (permissions.contains(.metadata) ? [] : [Trial.metadata]),
                environment: plan.libraryFolders.isEmpty
                    ? [:] : ["LD_LIBRARY_PATH": plan.libraryFolders.joined(separator: ":")],
                directory: "/",
                socket: null,
                isForkServer: true
            ),
            mountPoint: runsFolder,
            filter: host.filter(app.sandbox.filterPermissions(on: host).union(permissions)),
            landlock: host.landlock,
            group: group
        )
        let end = ChildReaper.waitForEnd(of: processes.server)
        let failure = plan.failure(in: processes.report, of: executable)
        _ = kill(processes.initProcess, SIGKILL)
        _ = ChildReaper.waitForEnd(of: processes.initProcess)
        if let failure { throw failure }
        if let end, !end.isSignal, end.number == Trial.failed {
            throw UnmetNeed("pid 1 of a sandbox cannot identify the file of a system call")
        }
        guard let end, !end.isSignal, end.number == 0 else {
            throw UnmetNeed("a program in a sandbox ended before its report: \(end.map { "\($0)" } ?? "unknown")")
        }
    }

    /// The isolation of apps with the default `[Sandbox]`.
    var common: Isolation { isolation(for: SandboxSettings(), isExecuted: false) }

    /// - Parameter isExecuted: True if the app cannot be forked and is executed for each run.
    func of(_ app: AppSettings, isExecuted: Bool) -> Isolation { isolation(for: app.sandbox, isExecuted: isExecuted) }

    /// Why the app may not run with this isolation; nil when it may.
    func refusal(of app: AppSettings, _ isolation: Isolation) -> String? {
        let required = app.sandbox.require ?? requiredGrade
        guard isolation.grade < required else { return nil }
        return """
            it requires '\(required.rawValue)' isolation, and this host provides '\(isolation.grade.rawValue)': \
            \(isolation.missing.joined(separator: "; ")). Provide what is missing, or write \
            Require=\(isolation.grade.rawValue) into [Sandbox] of \(app.name).conf.
            """
    }

    private func isolation(for settings: SandboxSettings, isExecuted: Bool) -> Isolation {
        let connectPorts = !settings.connectPorts.isEmpty
        let network = settings.network
        if let problem = host.sandboxProblem {
            return Isolation(
                grade: .none,
                parts: ["own process", "no new privileges", "own directory"],
                missing: [problem],
                needs: [.sandbox]
            )
        }
        var parts = [
            "own process", "own root", "own processes and /proc", "no new privileges", "system call filter",
            network || connectPorts ? "the host's network" : "no network",
        ]
        var missing: [String] = []
        var needs: [Isolation.Need] = []
        func lack(_ need: Isolation.Need, _ text: String) {
            needs.append(need)
            missing.append(text)
        }
        if identities.isAvailable {
            parts.append("own user")
        } else {
            lack(.users, "a user id of its own: all apps share one (\(identities.problem ?? "unknown reason"))")
        }
        if host.landlock.version > 0 {
            parts.append("Landlock \(host.landlock.version)")
        } else {
            lack(.landlock, "Landlock (kernel 5.13 or later, with lsm=landlock)")
        }
        if host.landlock.scopes == 0, network || connectPorts {
            lack(
                .newerLandlock,
                "the host's abstract sockets are reachable along with its network (Landlock 6, kernel 6.12)"
            )
        }
        if connectPorts, host.landlock.networkRights == 0 {
            lack(.newerLandlock, "ConnectPorts= is not enforced (needs Landlock 4, kernel 6.7)")
        }
        if let problem = host.metadataProblem {
            lack(
                .fileMetadata,
                "a run can change the mode and times of its user's files outside of the run's folders (\(problem))"
            )
        }
        if let cgroups = host.cgroups {
            let controllers = cgroups.controllers
            parts.append(
                controllers.isEmpty
                    ? "own cgroup, limits for each process" : "own cgroup with \(controllers.joined(separator: ", "))"
            )
        } else {
            lack(.cgroup, "a cgroup of its own (\(host.cgroupProblem ?? "unknown reason"))")
        }
        if settings.memoryMax != nil, host.cgroups?.controllers.contains("memory") != true {
            parts.append("no shared memory and no memfd: without a memory controller, they would not be limited")
            lack(
                .memoryController,
                """
                MemoryMax= holds for the private memory of each process, and not for a run and what the kernel keeps for \
                it (no memory controller for its cgroup: Delegate=memory, and cgroup v2)
                """
            )
        }
        if settings.startsPrograms, host.landlock.scopes == 0 {
            lack(.newerLandlock, "a run may signal other runs of its app (Landlock 6, kernel 6.12)")
        }
        if settings.cpuQuotaPercent != nil, host.cgroups?.controllers.contains("cpu") != true {
            lack(
                .cpuController,
                "CPUQuota= is not enforced (needs a cpu controller: cgroup v2 and Delegate=cpu)"
            )
        }
        if isExecuted {
            parts.append("executed for each run: it starts threads before a run, so it cannot be forked")
        }
        return Isolation(grade: missing.isEmpty ? .full : .reduced, parts: parts, missing: missing, needs: needs)
    }
}
