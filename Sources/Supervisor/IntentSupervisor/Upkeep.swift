import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The daemon's periodic work: reporting the status, checking the machine's pressure, and requesting measurements of
/// the runs from the launcher.
///
/// Must be used only on the event loop's thread.
final class Upkeep {
    private static let measurePause: Int64 = 250_000_000

    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let recorder: Recorder
    private let apps: AppDirectory
    /// True if the usage of runs is measured. Samples are only recorded, so they are useless without a history.
    private let samplesUsage: Bool
    private let pressure: PressureWatch
    private var status: StatusReporter?
    /// The pacer that limits the rate of requests to measure runs.
    private var measurePacer: Pacer?

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        recorder: Recorder,
        apps: AppDirectory,
        samplesUsage: Bool
    ) {
        self.decisions = decisions
        self.launcher = launcher
        self.recorder = recorder
        self.apps = apps
        self.samplesUsage = samplesUsage
        pressure = PressureWatch(on: loop, journal: journal)
        status = StatusReporter(on: loop) { [weak self] in self?.statusText ?? "" }
        measurePacer = Pacer(on: loop, nanoseconds: Self.measurePause) { [weak self] in self?.measure() }
    }

    func start() throws(SystemError) { try pressure.start() }

    /// Reports to systemd that the service has started, once all apps have described their intents. Clients are served
    /// even before the report. A private daemon also records the catalogues of its apps.
    ///
    /// The status is sent first: `systemctl start` returns at `READY=1`, and the status is then complete.
    func reportReady() {
        updateStatus()
        ServiceNotification.ready.send()
        apps.catalogs.write { decisions.table.catalog(of: $0) }
    }

    /// Reports a change of the status to systemd immediately.
    func updateStatus() { status?.update() }

    /// Schedules an update of the status, because runs have changed.
    func runsChanged() {
        status?.schedule()
        measurePacer?.schedule(if: decisions.table.load.runningCount > 0)
    }

    private var statusText: String {
        let now = Now.current
        return StatusLine.text(
            decisions.table.load,
            nextDeadline: decisions.table.nextDeadline.map { $0 - now.monotonic },
            problem: recorder.problem(at: now),
            launcherProblem: launcher.problem,
            brokenApps: Set(decisions.table.brokenApps.keys).union(apps.refused.keys).sorted(),
            configuration: apps.problems
        )
    }

    /// Requests a measurement of the runs, and schedules the next measurement while a run is live.
    private func measure() {
        guard decisions.table.load.runningCount > 0 else { return }
        launcher.send(.measure(reportsUsage: samplesUsage))
        measurePacer?.schedule()
    }
}
