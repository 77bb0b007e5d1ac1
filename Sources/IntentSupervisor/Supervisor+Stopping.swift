import Glibc
import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// What the supervisor keeps from the word to end until its end.
struct Stopping {
    /// What systemd was about to do with the unit when the first signal came.
    var job: UnitJob?
    var extensionTimer: EventSource?
    var exitCode: Int32?
    var exitTimer: EventSource?
    /// The program that this process becomes at its end.
    var successor: String?
    /// The launcher was told to end all that is left, and to leave.
    var isLauncherLeaving = false
    /// Clients that did not read until then are waited for no longer.
    var hasWaitedForClients = false
}

/// The way to the end.
extension Supervisor {
    /// PID 1 needs some milliseconds; a second of silence is one in which the clocks of runs stand.
    private static let jobPatience: Duration = .seconds(1)
    /// Asked for again and again while runs end, so that a stop that hangs is noticed soon (systemd.service(5),
    /// TimeoutStopSec=).
    private static let stopExtension: Duration = .seconds(5)
    private static let extensionPause: Int64 = 2_000_000_000
    /// What clients have to read their last words, once no run is left.
    private static let farewell: Int64 = 1_000_000_000
    /// What the launcher has besides to end all that it keeps: milliseconds are enough where the machine does not stand
    /// still.
    private static let launcherFarewell: Int64 = 10_000_000_000

    /// SIGTERM, or SIGINT at a terminal.
    func toldToEnd() {
        guard stopping.job == nil else { return }
        let job = unit.map { $0.job(within: Self.jobPatience) } ?? .unknown("no unit")
        stopping.job = job
        if unit != nil { journal.write(.info, "told to end: \(job)", .ending) }
        switch job {
        // Another one comes at once, and takes everything up.
        case .restart, .none: leave()
        case .stop, .unknown: stop()
        }
    }

    /// Ends at once, and leaves all runs to the next `intentd`; where none could take them up, they are ended.
    func leave() {
        guard launcherStays, notes != nil else { return stop() }
        ServiceNotification.stopping.send()
        loop.exit(0)
    }

    /// Cancels everything and ends the loop when nothing is left.
    package func stop() {
        ServiceNotification.stopping.send()
        handle(.stopRequested)
        extendStop()
    }

    /// Has systemd wait while runs have their grace, and no longer.
    private func extendStop() {
        guard runTable.longestStop != nil else {
            stopping.extensionTimer = nil
            return
        }
        ServiceNotification.extendTimeout(Self.stopExtension).send()
        do {
            let instant = ClockReading.monotonicNanoseconds() + Self.extensionPause
            stopping.extensionTimer = try loop.timer(atNanoseconds: instant) { self.extendStop() }
        } catch {
            // Once, for the longest that a run may take.
            if let longest = runTable.longestStop { ServiceNotification.extendTimeout(longest + .seconds(1)).send() }
        }
    }

    /// Ends the loop once every client has what was written to it, or has had a second to take it.
    func quit(_ cause: RunTable.QuitCause) {
        switch cause {
        case .stopped:
            stopping.exitCode = 0
            if stopping.job == .stop {
                // A caller that waits for the stop finds no process left afterwards, not even a worker without a run.
                stopping.isLauncherLeaving = true
                launcher?.send(.quit)
            }
        case .launcherLost: stopping.exitCode = 1
        }
        afterwards(Self.farewell) { self.clientsHadTheirTime() }
        clients.endAllAfterWriting()
        exitIfDrained()
    }

    private func clientsHadTheirTime() {
        stopping.hasWaitedForClients = true
        if stopping.isLauncherLeaving {
            ServiceNotification.extendTimeout(.nanoseconds(Self.launcherFarewell + Self.farewell)).send()
            afterwards(Self.launcherFarewell) { self.loop.exit(self.stopping.exitCode ?? 1) }
        }
        exitIfDrained()
    }

    private func afterwards(_ nanoseconds: Int64, _ body: @escaping () -> Void) {
        do {
            let instant = ClockReading.monotonicNanoseconds() + nanoseconds
            stopping.exitTimer = try loop.timer(atNanoseconds: instant, body)
        } catch {
            loop.exit(stopping.exitCode ?? 1)
        }
    }

    /// The connection to the launcher has ended: true when that is what it was told.
    func launcherLeft() -> Bool {
        guard stopping.isLauncherLeaving else { return false }
        stopping.isLauncherLeaving = false
        exitIfDrained()
        return true
    }

    func exitIfDrained() {
        guard let exitCode = stopping.exitCode, !stopping.isLauncherLeaving else { return }
        if stopping.hasWaitedForClients || clients.isDrained { loop.exit(exitCode) }
    }
}
