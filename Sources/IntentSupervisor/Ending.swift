import Glibc
import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// The end of this program: by a signal, a failure, or because its only client left.
///
/// Belongs to the loop's thread.
final class Ending {
    /// How long to wait for PID 1, which needs some milliseconds on a host with little load. The clocks of runs stand
    /// meanwhile. Without its answer a restart counts as a stop, which ends all runs.
    private static let jobPatience: Duration = .seconds(5)
    /// Requested again and again while runs end, so that a stop that hangs is noticed soon (systemd.service(5),
    /// TimeoutStopSec=).
    private static let stopExtension: Duration = .seconds(5)
    private static let extensionPause: Int64 = 2_000_000_000
    /// How long clients have to read their last messages, once no run is left.
    private static let farewell: Int64 = 1_000_000_000
    /// How long the launcher then has to end all its processes. On a machine with little load it needs milliseconds.
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
    /// What systemd was about to do with the unit when the first signal came.
    private var job: UnitJob?
    private var isStopping = false
    private var extensionTimer: EventSource?
    private var exitCode: Int32?
    private var exitTimer: EventSource?
    /// The program that this process executes when it ends.
    private(set) var successor: String?
    /// The launcher was told to end all that is left, and to exit.
    private var isLauncherLeaving = false
    /// Clients have had their time to read their last messages.
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

    /// - Parameter isPrivate: This program shares its only client's terminal, and that client decides about SIGINT.
    func start(isPrivate: Bool) throws(SystemError) {
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(signal) { [weak self] in
                    if signal == SIGTERM || !isPrivate { self?.signalled() }
                }
            )
        }
    }

    /// A signal was received, or a failure ends the program.
    var hasBegun: Bool { job != nil || isStopping }

    private func signalled() {
        guard job == nil else { return }
        let job = unit.map { $0.job(within: Self.jobPatience) } ?? .unknown("no unit")
        self.job = job
        if unit != nil { journal.write(.info, "told to end: \(job)", .ending) }
        switch job {
        // The next intentd starts at once, and adopts everything.
        case .restart, .none: leave()
        case .stop, .unknown: stop()
        }
    }

    /// Ends at once, and leaves all runs to the next `intentd`. Runs that no other `intentd` could continue are ended.
    private func leave() {
        guard leavesRuns() else { return stop() }
        ServiceNotification.stopping.send()
        loop.exit(0)
    }

    /// Becomes another program at once, in the same process.
    func become(_ program: String) {
        successor = program
        loop.exit(0)
    }

    /// Cancels everything and ends the loop when nothing is left.
    func stop() {
        isStopping = true
        ServiceNotification.stopping.send()
        decisions.handle(.stopRequested)
        extendStop()
    }

    /// Has systemd wait for as long as runs have their grace.
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
            // Once, for the longest time that a run can take.
            if let longest = decisions.table.longestStop {
                ServiceNotification.extendTimeout(longest + .seconds(1)).send()
            }
        }
    }

    /// Ends the loop once every client has read what was written to it, or has had a second for that.
    func quit(_ cause: RunTable.QuitCause) {
        switch cause {
        case .stopped:
            exitCode = 0
            if job == .stop {
                // A caller that waits for the stop finds no process left afterwards, not even a worker without a run.
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

    /// The connection to the launcher has ended: true when the launcher was told to exit.
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
