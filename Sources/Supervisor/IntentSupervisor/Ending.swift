import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An object that ends the program after a signal, after a failure, or when its only client has disconnected.
///
/// Must be used only on the event loop's thread.
final class Ending {
    /// The maximum time to wait for an answer from PID 1. On a host with little load, PID 1 answers within
    /// milliseconds. No run's limit is enforced in the meantime. Without an answer, a restart is treated as a stop,
    /// which ends all runs.
    private static let jobPatience: Duration = .seconds(5)
    /// The time by which each extension prolongs the stop timeout while runs are ending. It is short, so that systemd
    /// soon detects a stop that hangs (systemd.service(5), TimeoutStopSec=).
    private static let stopExtension: Duration = .seconds(5)
    /// The interval between two extensions of the stop timeout, in nanoseconds.
    private static let extensionInterval: Int64 = 2_000_000_000
    /// The time that clients have to read their last messages once all runs have ended, in nanoseconds.
    private static let farewell: Int64 = 1_000_000_000
    /// The additional time, in nanoseconds, that the launcher has to kill all its processes. On a host with little
    /// load, the launcher needs only milliseconds.
    private static let launcherFarewell: Int64 = 10_000_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let clients: ClientSessions
    private let unit: ServiceUnit?
    /// The closure that returns true if another `intentd` can continue the runs.
    private let leavesRuns: () -> Bool
    private var sources: [EventSource] = []
    /// The job that systemd had queued for the unit when the first signal arrived.
    private var job: UnitJob?
    private var isStopping = false
    private var extensionTimer: EventSource?
    private var exitCode: Int32?
    private var exitTimer: EventSource?
    /// The program to execute in this process instead of exiting.
    private(set) var successor: String?
    /// True while the launcher is exiting because it received `quit`.
    private var isLauncherExiting = false
    /// True once the time for clients to read their last messages has passed.
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

    /// Starts handling SIGTERM and SIGINT.
    ///
    /// - Parameter isPrivate: True if this program shares a terminal with its only client. SIGINT is then ignored,
    ///   because the client handles it.
    func start(isPrivate: Bool) throws(SystemError) {
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(signal) { [weak self] in
                    if signal == SIGTERM || !isPrivate { self?.signalled() }
                }
            )
        }
    }

    /// True once the program has begun to exit.
    var hasBegun: Bool { job != nil || isStopping }

    private func signalled() {
        guard job == nil else { return }
        let job = unit.map { $0.job(within: Self.jobPatience) } ?? .unknown("no unit")
        self.job = job
        if unit != nil { journal.write(.info, "exiting: \(job)", .ending) }
        switch job {
        // The next intentd starts immediately and adopts all runs.
        case .restart, .none: leave()
        case .stop, .unknown: stop()
        }
    }

    /// Exits immediately, and leaves all runs to the next `intentd`. If no other `intentd` can continue the runs,
    /// cancels them, and exits when they have ended.
    private func leave() {
        guard leavesRuns() else { return stop() }
        ServiceNotification.stopping.send()
        loop.exit(0)
    }

    /// Exits the loop immediately. The process then executes another program.
    func become(_ program: String) {
        successor = program
        loop.exit(0)
    }

    /// Cancels the runs, except queued runs that the next `intentd` can start. The loop ends once all cancelled runs
    /// have ended.
    func stop() {
        isStopping = true
        ServiceNotification.stopping.send()
        decisions.handle(.stopRequested)
        extendStop()
    }

    /// Extends systemd's stop timeout repeatedly while runs are ending.
    private func extendStop() {
        guard decisions.table.longestStop != nil else {
            extensionTimer = nil
            return
        }
        ServiceNotification.extendTimeout(Self.stopExtension).send()
        do {
            let instant = ClockReading.monotonicNanoseconds() + Self.extensionInterval
            extensionTimer = try loop.timer(atNanoseconds: instant) { [weak self] in self?.extendStop() }
        } catch {
            // Without a timer, extend the timeout once, by the longest time that a run can take to end.
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
                // After 'systemctl stop', no process may remain, not even a worker without a run.
                isLauncherExiting = true
                launcher.send(.quit)
            }
        case .launcherLost: exitCode = 1
        }
        after(Self.farewell) { $0.farewellTimedOut() }
        clients.endAllAfterWriting()
        exitIfDrained()
    }

    private func farewellTimedOut() {
        hasWaitedForClients = true
        if isLauncherExiting {
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

    /// Handles the end of the connection to the launcher. Returns true if the launcher is expected to exit.
    func launcherExited() -> Bool {
        guard isLauncherExiting else { return false }
        isLauncherExiting = false
        exitIfDrained()
        return true
    }

    func exitIfDrained() {
        guard let exitCode, !isLauncherExiting else { return }
        if hasWaitedForClients || clients.isDrained { loop.exit(exitCode) }
    }
}
