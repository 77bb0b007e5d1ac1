import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// A gate that holds the runs of a private daemon until a debugger traces their workers
/// (`intentd --wait-for-debugger`).
///
/// A worker waits until it receives its run, so a debugger can attach before any of the run's code executes. intentd
/// checks for the debugger, because the worker cannot see processes outside its PID namespace.
///
/// Must be used only on the event loop's thread.
final class DebuggerGate {
    private struct HeldRun {
        /// The worker; nil if it was released because the run was cancelled.
        weak var worker: WorkerLink?
        /// The closure that sends the run to its worker.
        var send: () -> Void
    }

    /// The time between two checks. The kernel reports no event when a debugger attaches.
    private static let pauseNanoseconds: Int64 = 100_000_000

    private let loop: EventLoop
    private let journal: Journal
    private var held: [SlotID: HeldRun] = [:]
    private var timer: EventSource?

    init(on loop: EventLoop, journal: Journal) {
        self.loop = loop
        self.journal = journal
    }

    /// Returns true while a run is waiting for a debugger. The run's clocks are stopped in the meantime.
    func holds(_ slot: SlotID) -> Bool { held[slot] != nil }

    /// Holds a run until a debugger traces its worker, and logs how to attach one.
    func hold(_ run: RunID, in slot: SlotID, of worker: WorkerLink, send: @escaping () -> Void) {
        held[slot] = HeldRun(worker: worker, send: send)
        let process = worker.process
        journal.write(
            .notice,
            "run \(run) waits for a debugger: 'lldb -p \(process)' or 'gdb -p \(process)', then 'continue'"
        )
        arm()
    }

    private func arm() {
        let instant = ClockReading.monotonicNanoseconds() + Self.pauseNanoseconds
        do {
            if let timer { return try timer.rearm(atNanoseconds: instant) }
            timer = try loop.timer(atNanoseconds: instant, clock: .monotonic) { [weak self] in self?.check() }
        } catch {
            journal.write(.error, "cannot wait for a debugger (\(error)); continuing without one")
            for slot in Array(held.keys) { held.removeValue(forKey: slot)?.send() }
        }
    }

    private func check() {
        held = held.filter { $0.value.worker != nil }
        for (slot, run) in held where run.worker?.isTraced == true {
            held[slot] = nil
            run.send()
        }
        if !held.isEmpty { arm() }
    }
}
