package import IntentLauncherMessages

/// The daemon's own configuration, from `intentd.conf` and `intentd.conf.d/*.conf`.
package struct DaemonSettings: Equatable, Sendable, DefaultSettings {
    /// The default limits of runs.
    package var limits = RunLimits()
    /// The maximum number of concurrent runs (`MaxRuns=`).
    package var runCount = 64
    /// The maximum number of concurrent runs per user (`MaxRunsPerUser=`).
    package var runCountPerUser = 32
    /// The default capacity of apps (`MaxRunsPerApp=`, `Spare=`).
    package var capacity = CapacitySettings()
    /// The weights of users, by name or uid (`Weight=`).
    package var weights: [UserWeight] = []
    /// The maximum number of runs in the backlog (`MaxQueued=`).
    package var queueCount = 1024
    /// The maximum number of runs that release their slots while they are waiting for an answer (`MaxWaiting=`).
    package var waitingCount = 256
    /// The maximum number of fork servers for all apps and users together (`ForkServers=`). Fork servers with live runs
    /// are never stopped.
    package var forkServerCount = 64
    /// The range of host ids for sandboxes (`IdRange=`); nil for the built-in range.
    package var idRange: HostIDs?
    package var history = HistorySettings()
    /// The default sandbox settings of apps (`[Sandbox]`).
    package var sandbox = SandboxSettings()
    /// The default notification rule of apps (`[Notify]`).
    package var notify = NotifyRule()
    /// The owner of notification runs (`User=`); nil for intentd's user.
    package var notifyUser: String?
    /// The maximum number of notifications per hour about the runs of one app and user (`PerHour=`).
    package var notifyPerHour = 20
    /// The permissions of agents (`[Agents]`).
    package var agents = AgentSettings()
    /// The user of the fleet's service (`User=` in `[Fleet]`), by name or uid; nil if this host belongs to no fleet.
    package var fleetUser: String?
    /// The service of the HTTP API (`[Web]`).
    package var web = WebSettings()
    package var problems: [ConfigurationProblem] = []
    /// The valid assignments, in the order of the files.
    private(set) var assignments: [UnitFile.Assignment] = []
    /// The error that prevents every app from running: an invalid line that the operator may have intended for
    /// `[Sandbox]`, `[Agents]` or `[Fleet]`. Nil if apps may run.
    var sandboxProblem: ConfigurationProblem?

    package init() {}

    init(_ files: [UnitFile]) {
        problems = files.flatMap(\.problems)
        sandboxProblem = files.lazy.compactMap(\.sandboxProblem).first
        for assignment in files.flatMap(\.assignments) {
            do {
                try apply(assignment)
                assignments.append(assignment)
            } catch {
                problems.append(error)
            }
        }
    }

    private mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        if let key = ServiceKey(rawValue: assignment.key), key.section == assignment.section {
            return try key.setting.apply(assignment, &self)
        }
        switch assignment.section {
        case "Sandbox", "Agents", "Fleet": try applyProtection(assignment)
        case "History": try history.apply(assignment)
        case "Web": try applyWeb(assignment)
        case "Notify":
            guard try notify.apply(assignment) else { throw assignment.unknownKey.ignorable }
        case _ where SandboxKey(rawValue: assignment.key) != nil: try applyProtection(assignment)
        case "Limits":
            if try capacity.apply(assignment, as: CapacityKey.self) { return }
            if try limits.apply(assignment) { return }
            throw assignment.unknownKey.ignorable
        default:
            throw assignment.unknownKey.ignorable
        }
    }

    /// Applies an assignment without which no app may run.
    private mutating func applyProtection(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        do throws(ConfigurationProblem) {
            switch assignment.section {
            case "Sandbox": try sandbox.apply(assignment)
            case "Agents": try agents.apply(assignment)
            case "Fleet": try applyFleet(assignment)
            default: throw assignment.misplaced
            }
        } catch {
            sandboxProblem = sandboxProblem ?? error
            throw error
        }
    }

    /// Applies an assignment without which the service of the HTTP API acts for no user.
    private mutating func applyWeb(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        do throws(ConfigurationProblem) {
            guard try web.apply(assignment, as: WebKey.self) else { throw assignment.problem("unknown key in [Web]") }
            guard web.hasDistinctRealms else {
                throw assignment.problem("another Realm= has this name or issuer: '\(assignment.excerpt)'")
            }
        } catch {
            web.isBroken = true
            throw error.adding("; until it is corrected, intentd-web acts for no user").ignorable
        }
    }

    private mutating func applyFleet(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        switch FleetKey(rawValue: assignment.key) {
        case .user:
            let names = try assignment.plainNames()
            guard names.count <= 1, names.first != "root", names.first != "0" else {
                throw assignment.problem("expected one user other than root, got '\(assignment.excerpt)'")
            }
            fleetUser = names.first
        case .fleet, .hosts, nil: throw assignment.unknownKey
        }
    }

    /// The largest number that a key accepts, which exceeds the capacity of any host.
    static let countMax = 1_000_000
}

extension UnitFile.Assignment {
    /// The error for a `[Sandbox]` key in another section.
    var misplaced: ConfigurationProblem {
        problem("move it from [\(section)] to [Sandbox], where it applies to the whole app")
            .keepingAppsFromRunning
    }
}

extension Installation {
    /// Reads the daemon's configuration from the disk.
    package func daemon(on disk: DiskView) -> DaemonSettings {
        var (paths, problems) = paths(of: "intentd.conf", in: configurationFolders, on: disk)
        var files: [UnitFile] = []
        for path in paths {
            guard let facts = disk.facts(path), facts.isRegular else { continue }
            let distrust = facts.distrust(by: user, path: path)
            if distrust == nil, let bytes = disk.bytes(path) {
                files.append(UnitFile(bytes, file: path))
            } else {
                // No app may run, because the file may contain sandbox settings, which can be neither trusted nor
                // ignored.
                let message = distrust ?? "cannot read the file"
                problems.append(ConfigurationProblem(file: path, line: nil, message: message))
            }
        }
        problems = problems.map(\.keepingAppsFromRunning)
        var settings = DaemonSettings(files)
        settings.sandboxProblem = problems.first ?? settings.sandboxProblem
        settings.problems = problems + settings.problems
        return settings
    }
}
