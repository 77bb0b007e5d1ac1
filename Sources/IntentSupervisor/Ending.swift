import Glibc
import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Ends this program after a signal, after a failure, or when its only client has disconnected.
///
/// Belongs to the loop's thread.
final class Ending {
    /// How long to wait for PID 1, which answers within milliseconds on a host with little load. The clocks of runs
    /// stand still meanwhile. Without an answer a restart counts as a stop, which ends all runs.
    private static let jobPatience: Duration = .seconds(5)
    /// The stop timeout is extended by this much again and again while runs end, so that systemd soon notices a stop
    /// that hangs (systemd.service(5), TimeoutStopSec=).
    private static let stopExtension: Duration = .seconds(5)
    private static let extensionPause: Int64 = 2_000_000_000
    /// How long clients have to read their last messages once all runs have ended.
    private static let farewell: Int64 = 1_000_000_000
    /// How long the launcher then has to end all its processes. On a machine with little load it takes milliseconds.
    private static let launcherFarewell: Int64 = 10_000_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let clients: ClientSessions
    private let unit: ServiceUnit?
    /// True when another `intentd` can continue the runs.
    private let leavesRuns: () -> Bool
    private var sources: [EventSource] = []
    /// The job that systemd had queued for the unit when the first signal arrived.
    private var job: UnitJob?
    private var isStopping = false
    private var extensionTimer: EventSource?
    private var exitCode: Int32?
    private var exitTimer: EventSource?
    /// The program that this process executes at its end.
    private(set) var successor: String?
    /// True once the launcher was told to end all its processes and to exit.
    private var isLauncherLeaving = false
    /// True once the time for clients to read their last messages is over.
    private var hasWaitedForClients = false

    init(
        of unit: ServiceUnit?,
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        clients: ClientSessions,
        leavesRuns: @escaping () -> Bool
    ) {
        self.unit = unit
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.clients = clients
        self.leavesRuns = leavesRuns
    }

    /// - Parameter isPrivate: True if this program shares the terminal of its only client, and that client handles
    ///   SIGINT.
    func start(isPrivate: Bool) throws(SystemError) {
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(signal) { [weak self] in
                    if signal == SIGTERM || !isPrivate { self?.signalled() }
                }
            )
        }
    }

    /// True once a signal or a failure has begun to end the program.
    var hasBegun: Bool { job != nil || isStopping }

    private func signalled() {
        guard job == nil else { return }
        let job = unit.map { $0.job(within: Self.jobPatience) } ?? .unknown("no unit")
        self.job = job
        if unit != nil { journal.write(.info, "told to end: \(job)", .ending) }
        switch job {
        // The next intentd starts at once and adopts all runs.
        case .restart, .none: leave()
        case .stop, .unknown: stop()
        }
    }

    /// Ends at once, and leaves all runs to the next `intentd`. Ends the runs that no other `intentd` could continue.
    private func leave() {
        guard leavesRuns() else { return stop() }
        ServiceNotification.stopping.send()
        loop.exit(0)
    }

    /// Executes another program at once, in the same process.
    func become(_ program: String) {
        successor = program
        loop.exit(0)
    }

    /// Cancels all runs, and ends the loop when none is left.
    func stop() {
        isStopping = true
        ServiceNotification.stopping.send()
        decisions.handle(.stopRequested)
        extendStop()
    }

    /// Asks systemd to wait for as long as the grace periods of the runs.
    private func extendStop() {
        guard decisions.table.longestStop != nil else {
            extensionTimer = nil
            return
        }
        ServiceNotification.extendTimeout(Self.stopExtension).send()
        do {
            let instant = ClockReading.monotonicNanoseconds() + Self.extensionPause
            extensionTimer = try loop.timer(atNanoseconds: instant) { [weak self] in self?.extendStop() }
        } catch {
            // Extend once, by the longest time that a run can take to end.
            if let longest = decisions.table.longestStop {
                ServiceNotification.extendTimeout(longest + .seconds(1)).send()
            }
        }
    }

    /// Ends the loop once every client has read its messages, or after one second.
    func quit(_ cause: RunTable.QuitCause) {
        switch cause {
        case .stopped:
            exitCode = 0
            if job == .stop {
                // A caller that waits for the stop must find no process afterwards, not even a worker without a run.
                isLauncherLeaving = true
                launcher.send(.quit)
            }
        case .launcherLost: exitCode = 1
        }
        after(Self.farewell) { $0.clientsHadTheirTime() }
        clients.endAllAfterWriting()
        exitIfDrained()
    }

    private func clientsHadTheirTime() {
        hasWaitedForClients = true
        if isLauncherLeaving {
            ServiceNotification.extendTimeout(.nanoseconds(Self.launcherFarewell + Self.farewell)).send()
            after(Self.launcherFarewell) { $0.loop.exit($0.exitCode ?? 1) }
        }
        exitIfDrained()
    }

    private func after(_ nanoseconds: Int64, _ body: @escaping (Ending) -> Void) {
        do {
            let instant = ClockReading.monotonicNanoseconds() + nanoseconds
            exitTimer = try loop.timer(atNanoseconds: instant) { [weak self] in
                if let self { body(self) }
            }
        } catch {
            loop.exit(exitCode ?? 1)
        }
    }

    /// Handles the end of the connection to the launcher; true if the launcher was told to exit.
    func launcherLeft() -> Bool {
        guard isLauncherLeaving else { return false }
        isLauncherLeaving = false
        exitIfDrained()
        return true
    }

    func exitIfDrained() {
        guard let exitCode, !isLauncherLeaving else { return }
        if hasWaitedForClients || clients.isDrained { loop.exit(exitCode) }
    }
}
