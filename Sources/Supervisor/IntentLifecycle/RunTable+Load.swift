package import IntentLauncherMessages

extension RunTable {
    /// The parts of a status that the run table does not know.
    package struct StatusFacts: Sendable {
        package var installedAppCount: Int
        /// The problems that concern the caller, except those of apps that cannot describe their intents.
        package var problems: [ServiceProblem]
        package var agentUsers: Set<UInt32> = []
        package var agentRoots: [String]?
        package var missingWeight: String?

        package init(installedAppCount: Int, problems: [ServiceProblem]) {
            self.installedAppCount = installedAppCount
            self.problems = problems
        }
    }

    /// Returns a status that contains the apps that have failed to describe their intents.
    func status(_ facts: StatusFacts, to origin: RequestOrigin, visible: Set<AppName>, at now: Now) -> DaemonStatus {
        // A fleet's service needs the total load, because it takes fewer runs from other hosts while this host's users
        // need the slots.
        let load = origin.rank == .operator || origin.fleet == .service ? load : load(of: origin.user)
        let ofApps = brokenApps.filter { origin.rank == .operator || visible.contains($0.key) }
            .map { ServiceProblem(app: $0.key.text, message: $0.value) }
        var status = DaemonStatus(
            software: "intentd \(Hello.softwareVersion)",
            uptime: now.monotonic - start.monotonic,
            runningCount: load.runningCount,
            queuedCount: load.queuedCount,
            waitingCount: load.waitingCount,
            endedCount: load.endedCount,
            appCount: facts.installedAppCount,
            isolation: isolation,
            problems: (facts.problems + ofApps).sorted { ($0.app ?? "") < ($1.app ?? "") }
        )
        status.agentUsers = facts.agentUsers.isEmpty ? nil : facts.agentUsers.sorted()
        status.agentRoots = facts.agentRoots
        status.missingWeight = facts.missingWeight
        status.time = Timestamp(millisecondsSince1970: now.wall / 1_000_000)
        let outdated = runs.values.filter {
            $0.changedPath != nil && ($0.owner == origin.user || origin.rank == .operator)
        }
        .map { OutdatedRun(run: $0.id, app: $0.app.name.text, path: $0.changedPath ?? "") }
        status.outdatedRuns = outdated.isEmpty ? nil : outdated.sorted { $0.run.text < $1.run.text }
        status.standingApprovals = standingApprovals(visibleTo: origin, at: now)
        return status
    }

    /// The number of runs in each state.
    package struct Load: Equatable, Sendable {
        package var runningCount: Int
        package var queuedCount: Int
        /// The number of runs with an open question.
        package var waitingCount: Int
        /// The number of runs that have ended since `intentd` started.
        package var endedCount: Int
    }

    package var load: Load {
        Load(
            runningCount: admission.count - admission.queuedCount - admission.askingCount,
            queuedCount: admission.queuedCount,
            // Runs that a person must approve first are not in the admission queue.
            waitingCount: admission.askingCount + runs.count - admission.count,
            endedCount: endedCount
        )
    }

    /// Counts a user's own runs, by state.
    func load(of user: Caller) -> Load {
        var load = Load(
            runningCount: 0,
            queuedCount: 0,
            waitingCount: 0,
            endedCount: endedCounts[account(of: user)] ?? 0
        )
        for run in runs.values where run.owner == user {
            switch run.machine.visibleState {
            case .queued: load.queuedCount += 1
            case .asking: load.waitingCount += 1
            case .starting, .running, .stopping, .unknown: load.runningCount += 1
            case nil: break
            }
        }
        return load
    }

    /// The longest time that any live run may take from cancellation to SIGKILL; nil if no run is live.
    package var longestStop: Duration? {
        runs.values.map(\.machine.longestStop).max()
    }

    /// The earliest deadline of all runs; nil if no run has a deadline.
    package var nextDeadline: Now.Monotonic? {
        runs.values.compactMap(\.machine.deadline).min()
    }
}
