import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox

/// Determines the isolation that this host provides by running a trial, and compares it with the grade that an app
/// requires.
final class HostIsolation {
    let host: SandboxHost
    let identities: SandboxIdentities
    /// The grade that is required for apps without `Require=`.
    private let requiredGrade: IsolationGrade
    /// The record because of which the trial was skipped, and the folder for the trial. Nil once the trial has run.
    private var skipped: (record: TrialRecord, runsFolder: String)?

    init(of host: SandboxHost, _ identities: SandboxIdentities, requires requiredGrade: IsolationGrade) {
        self.host = host
        self.identities = identities
        self.requiredGrade = requiredGrade
    }

    /// Runs the trial, unless an earlier launcher of the same user recorded its success under the same conditions.
    ///
    /// - Parameter path: The file for the record; nil to run the trial in any case.
    /// - Throws: The error of a shortage, which says nothing about the host's isolation.
    func runTrial(in runsFolder: String, recordedAt path: String?) throws {
        guard let path, let conditions = TrialRecord.conditions(of: host, identities) else {
            return try runTrial(in: runsFolder)
        }
        let record = TrialRecord(at: path, under: conditions)
        if record.applies { return skipped = (record, runsFolder) }
        try runTrial(in: runsFolder)
        guard host.sandboxProblem == nil, host.metadataProblem == nil else { return }
        // Continue without a record if it cannot be written. The next launcher then runs the trial again.
        try? record.write()
    }

    /// Runs the trial that was skipped because of a record, and removes the record. Call this method when a sandbox could
    /// not be started.
    ///
    /// - Returns: False if the trial has already run, or a shortage was the reason, because a trial would fail, too.
    func runSkippedTrial(after failure: LaunchFailure) -> Bool {
        guard failure.isTemporary != true, let (record, runsFolder) = skipped else { return false }
        do {
            try runTrial(in: runsFolder)
        } catch {
            return false
        }
        skipped = nil
        // Continue if the record cannot be removed: the trial of this launcher has run.
        try? record.remove()
        return true
    }

    /// Runs this program in a sandbox with all protections, and waits until it exits. Records the protections that
    /// fail.
    private func runTrial(in runsFolder: String) throws {
        do {
            try runTrial([], in: runsFolder)
        } catch {
            if LaunchFailure(of: error).isTemporary == true { throw error }
            do {
                // Try again without the filter's listener. The kernel does not allow a second listener if the
                // container's filter already has one (seccomp(2), EBUSY).
                try runTrial(.metadata, in: runsFolder)
                host.metadataProblem = "\(error)"
            } catch {
                if LaunchFailure(of: error).isTemporary == true { throw error }
                host.sandboxProblem = "\(error)"
            }
        }
    }

    private func runTrial(_ permissions: SystemCallFilter.Permissions, in runsFolder: String) throws {
        guard identities.isAvailable || getuid() != 0 else {
            throw UnmetRequirement(
                """
                apps must not run as root, and no other user ids are available \
                (\(identities.problem ?? "unknown reason"))
                """
            )
        }
        let executable = try ProcessFacts.executablePath()
        // Use the default settings, which apply to an app without a unit file.
        let alone = Installation(appFolders: [], executables: [executable], user: nil)
        guard let name = alone.appNames(on: .kernel).first, case .found(let app) = alone.app(name, on: .kernel) else {
            throw UnmetRequirement("the launcher's executable was not found at '\(executable)'")
        }
        let folder = "\(runsFolder)/trial"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        defer { _ = rmdir(folder) }
        let run = try RunFolder(at: "\(folder)/\(Trial.run)", for: identities.trial?.app)
        defer { run.remove() }
        let group = try host.cgroups?.makeGroup(named: "trial", user: identities.trial?.app)
        defer { group?.remove() }
        let folders = WritableFolders(runs: run.path, isOfOneRun: true, state: nil)
        var plan = try SandboxPlan(for: app, folders, as: identities.trial, grantsGroup: identities.grantsGroup)
        plan.isForkServer = true
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        let processes = try plan.start(
            LaunchPlan(
                executable: executable,
                arguments: [LauncherArguments.trial] + (permissions.contains(.metadata) ? [] : [Trial.metadata]),
                environment: plan.libraryFolders.isEmpty
                    ? [:] : ["LD_LIBRARY_PATH": plan.libraryFolders.joined(separator: ":")],
                directory: "/",
                socket: null
            ),
            mountPoint: runsFolder,
            filter: host.filter(app.unit.sandbox.filterPermissions(on: host).union(permissions)),
            landlock: host.landlock,
            group: group
        )
        let end = ChildReaper.waitForEnd(of: processes.server)
        let failure = plan.failure(in: processes.report, of: executable)
        _ = kill(processes.initProcess, SIGKILL)
        _ = ChildReaper.waitForEnd(of: processes.initProcess)
        if let failure { throw failure }
        if let end, !end.isSignal, end.number == Trial.failed {
            throw UnmetRequirement("pid 1 of the trial sandbox cannot identify the file that a system call changes")
        }
        guard let end, !end.isSignal, end.number == 0 else {
            let status =
                end.map { $0.isSignal ? "killed by signal \($0.number)" : "exit code \($0.number)" } ?? "unknown status"
            throw UnmetRequirement("the program in the trial sandbox failed: \(status)")
        }
    }

    /// The isolation of apps with the default `[Sandbox]`.
    var common: Isolation {
        var isolation = of(SandboxSettings(), isExecuted: false)
        if let part = sandboxPerRun { isolation.parts.append(part) }
        return isolation
    }

    /// Describes why each run of an app that starts programs has a sandbox of its own on this host, and the price; nil
    /// if the runs of an app and a user share a sandbox.
    var sandboxPerRun: String? {
        guard host.sandboxProblem == nil else { return nil }
        if host.cgroups == nil {
            return Isolation.sandboxPerRun(because: "without cgroups, only the end of a sandbox ends all its processes")
        }
        guard host.landlock.scopes == 0 else { return nil }
        return Isolation.sandboxPerRun(
            because: "before Landlock ABI 6 (Linux 6.12), runs in one sandbox could send signals to each other"
        )
    }

    /// Returns the reason why the app must not run with this isolation, or nil if it may run.
    func refusal(of app: AppSettings, _ isolation: Isolation) -> String? {
        let required = app.unit.sandbox.require ?? requiredGrade
        guard isolation.grade < required else { return nil }
        return """
            the app requires '\(required.rawValue)' isolation, but this host provides '\(isolation.grade.rawValue)'. \
            Missing: \(isolation.missing.joined(separator: "; ")). Provide these features, or set \
            Require=\(isolation.grade.rawValue) in [Sandbox] of \(app.name).conf.
            """
    }

    /// Returns the isolation on this host of an app with these settings.
    ///
    /// - Parameter isExecuted: True if the app cannot be forked and is executed for each run.
    func of(_ settings: SandboxSettings, isExecuted: Bool) -> Isolation {
        let network = settings.network
        if let problem = host.sandboxProblem {
            return Isolation(
                grade: .none,
                parts: ["own process", "no new privileges", "own directory"],
                missing: ["a sandbox (\(problem))"],
                needs: [.sandbox]
            )
        }
        var parts = [
            "own process", "own root", "own processes and /proc", "no new privileges", "system call filter",
            network
                ? "the host's network without a restriction (AllowHosts= grants single hosts)"
                : settings.hosts.isEmpty
                    ? "no network"
                    : "no network except for the hosts of AllowHosts="
                        + (settings.credentials.isEmpty ? "" : " and Credential=")
                        + (settings.asksForHosts ? ", and of others if a person permits it" : ""),
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
            lack(.users, "separate user ids: all apps share one user id (\(identities.problem ?? "unknown reason"))")
        }
        if host.landlock.version > 0 {
            parts.append("Landlock \(host.landlock.version)")
        } else {
            lack(.landlock, "Landlock (needs kernel 5.13 or later, with lsm=landlock)")
        }
        if host.landlock.scopes == 0, network {
            lack(
                .newerLandlock,
                "isolation of apps with Network= from the host's abstract sockets (needs Landlock ABI 6, Linux 6.12)"
            )
        }
        if let problem = host.metadataProblem {
            lack(
                .fileMetadata,
                """
                protection of files outside the run's folders that belong to the run's user: the run can change their \
                mode and times (\(problem))
                """
            )
        }
        if let cgroups = host.cgroups {
            let controllers = cgroups.controllers
            parts.append(
                controllers.isEmpty
                    ? "own cgroup, limits for each process" : "own cgroup with \(controllers.joined(separator: ", "))"
            )
        } else {
            lack(.cgroup, "a separate cgroup for each run (\(host.cgroupProblem ?? "unknown reason"))")
        }
        if settings.memoryMax != nil, host.cgroups?.controllers.contains("memory") != true {
            parts.append("no shared memory and no memfd, which have no limit without a memory controller")
            lack(
                .memoryController,
                """
                enforcement of MemoryMax= for whole runs: it limits only the private memory of each process (needs a \
                memory controller: cgroup v2 and Delegate=memory)
                """
            )
        }
        if settings.startsPrograms, let part = sandboxPerRun { parts.append(part) }
        if settings.cpuQuotaPercent != nil, host.cgroups?.controllers.contains("cpu") != true {
            lack(
                .cpuController,
                "enforcement of CPUQuota= (needs a cpu controller: cgroup v2 and Delegate=cpu)"
            )
        }
        if isExecuted {
            parts.append("executed for each run, because it starts threads before a run and cannot be forked")
        }
        return Isolation(grade: missing.isEmpty ? .full : .reduced, parts: parts, missing: missing, needs: needs)
    }
}
