import IntentLinux
import IntentSystemd
import IntentWire

/// Holds the runs of a private daemon until a debugger traces their workers (`intentd --wait-for-debugger`).
///
/// A worker that has not received its run waits for it, so that a debugger stops it before any code of the run. The worker
/// itself cannot see a debugger outside its PID namespace. Belongs to the loop's thread.
final class DebuggerGate {
    private struct HeldRun {
        var run: RunID
        var command: WorkerCommand
    }

    /// The time between two checks. The kernel reports no event when a debugger attaches.
    private static let pauseNanoseconds: Int64 = 100_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let workers: WorkerLinks
    private var held: [SlotID: HeldRun] = [:]
    private var timer: EventSource?
    /// Sends the command to a worker that is traced.
    private var send: (WorkerCommand, SlotID) -> Void = { _, _ in }

    init(on loop: EventLoop, journal: Journal, workers: WorkerLinks) {
        self.loop = loop
        self.journal = journal
        self.workers = workers
    }

    func start(_ send: @escaping (WorkerCommand, SlotID) -> Void) { self.send = send }

    /// True while a run waits for a debugger. The run's clocks stand still meanwhile.
    func holds(_ run: RunID) -> Bool { held.values.contains { $0.run == run } }

    /// Holds a run until a debugger traces its worker, and logs how to attach one.
    func hold(_ command: WorkerCommand, of run: RunID, in slot: SlotID) {
        guard let worker = workers[slot] else { return }
        held[slot] = HeldRun(run: run, command: command)
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
            for slot in Array(held.keys) { release(slot) }
        }
    }

    private func check() {
        for slot in Array(held.keys) {
            guard let worker = workers[slot] else {
                // The run was cancelled.
                held[slot] = nil
                continue
            }
            if worker.isTraced { release(slot) }
        }
        if !held.isEmpty { arm() }
    }

    private func release(_ slot: SlotID) {
        guard let run = held.removeValue(forKey: slot) else { return }
        send(run.command, slot)
    }
}
