import IntentLauncherMessages

extension RunTable {
    func status(
        of load: Load,
        at now: Now,
        installedAppCount: Int,
        problems: [ServiceProblem]
    ) -> DaemonStatus {
        DaemonStatus(
            software: "intentd \(Hello.softwareVersion)",
            uptime: now.monotonic - start.monotonic,
            runningCount: load.runningCount,
            queuedCount: load.queuedCount,
            waitingCount: load.waitingCount,
            endedCount: load.endedCount,
            appCount: installedAppCount,
            isolation: isolation,
            problems: problems
        )
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
