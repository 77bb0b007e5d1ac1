import IntentConfiguration
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Performs the daemon's periodic work: reporting the status, checking the machine's pressure, and requesting
/// measurements of disk usage from the launcher.
///
/// Belongs to the loop's thread.
final class Upkeep {
    private static let measurePause: Int64 = 250_000_000

    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let recorder: Recorder
    private let apps: AppDirectory
    private let pressure: PressureWatch
    private var status: StatusReporter?
    /// Paces the requests to measure the disk usage of runs.
    private var diskPacer: Pacer?

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        recorder: Recorder,
        apps: AppDirectory
    ) {
        self.decisions = decisions
        self.launcher = launcher
        self.recorder = recorder
        self.apps = apps
        pressure = PressureWatch(on: loop, journal: journal)
        status = StatusReporter(on: loop) { [weak self] in self?.statusText ?? "" }
        diskPacer = Pacer(on: loop, nanoseconds: Self.measurePause) { [weak self] in self?.measureDisk() }
    }

    func start() throws(SystemError) { try pressure.start() }

    /// Reports to systemd that the service has started, once all apps have described their intents. Clients are served
    /// even before the report.
    ///
    /// The status is sent first: `systemctl start` returns at `READY=1`, and the status is then complete.
    func reportReady() {
        updateStatus()
        ServiceNotification.ready.send()
    }

    /// Updates the status now.
    func updateStatus() { status?.update() }

    /// Schedules an update of the status, because runs have changed.
    func runsChanged() {
        status?.schedule()
        if decisions.table.load.runningCount > 0 { diskPacer?.schedule() }
    }

    private var statusText: String {
        let now = Now.current
        return StatusLine.text(
            decisions.table.load,
            nextDeadline: decisions.table.nextDeadline.map { $0 - now.monotonic },
            problem: recorder.problem(at: now),
            brokenApps: Set(decisions.table.brokenApps.keys).union(apps.refused.keys).sorted(),
            configuration: apps.problems
        )
    }

    /// Requests a measurement of the disk usage of runs, and schedules the next measurement while a run is live.
    private func measureDisk() {
        guard decisions.table.load.runningCount > 0 else { return }
        launcher.send(.measure)
        diskPacer?.schedule()
    }
}
