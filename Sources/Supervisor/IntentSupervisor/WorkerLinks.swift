import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The connections to all workers.
///
/// Must be used only on the event loop's thread.
final class WorkerLinks {
    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let closing: ClosingThreads
    /// The sockets of workers that reported progress while the total rate of reports was high.
    private let reporters: GatheredEvents
    private var reportPace = ReportPace()
    private var links: [SlotID: WorkerLink] = [:]
    /// The gate that holds each run until a debugger is attached; nil unless intentd waits for a debugger.
    private let debuggerGate: DebuggerGate?
    /// Called with each event from a worker.
    private var input: (SlotID, WorkerLink.Input) -> Void = { _, _ in }

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        closing: ClosingThreads,
        waitsForDebugger: Bool = false
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.closing = closing
        debuggerGate = waitsForDebugger ? DebuggerGate(on: loop, journal: journal) : nil
        reporters = try GatheredEvents(on: loop, pauseNanoseconds: ClientOutbox.progressPause)
        reporters.batch = { body in decisions.batch(body) }
    }

    func start(_ input: @escaping (SlotID, WorkerLink.Input) -> Void) { self.input = input }

    /// Returns true while a run is waiting for a debugger to trace its worker.
    func waitsForDebugger(_ slot: SlotID) -> Bool { debuggerGate?.holds(slot) == true }

    subscript(slot: SlotID) -> WorkerLink? { links[slot] }

    /// Returns a slot's run; nil if the slot has no run, or its worker is not connected.
    func run(of slot: SlotID) -> RunID? { links[slot] == nil ? nil : decisions.table.run(of: slot) }

    /// The runs with workers that a debugger is tracing.
    var heldRuns: Set<RunID> {
        Set(links.filter { $0.value.isTraced }.keys.compactMap { decisions.table.run(of: $0) })
    }

    /// Connects to a worker that the launcher has launched.
    func launched(
        _ slot: SlotID,
        _ process: Int32,
        _ isolation: Isolation,
        _ descriptors: [SharedFileDescriptor]
    ) {
        // Kill a worker that an earlier intentd requested and that no run needs any more.
        guard decisions.table.knows(slot) else { return end(slot) }
        guard descriptors.count == 3 else {
            // The kernel drops descriptors that do not fit into the descriptor table of this process.
            let message = "intentd has no free descriptors for the worker's socket and pipes"
            return fail(slot, LaunchFailure(message, Errno(rawValue: EMFILE)))
        }
        do {
            try connect(slot, process, descriptors, isAdopted: false)
            decisions.handle(.launched(slot, isolation))
        } catch {
            fail(slot, LaunchFailure("intentd cannot watch the worker's socket: \(error)", error.code))
        }
    }

    /// Connects to a worker of an earlier `intentd`. A worker that cannot be watched is killed.
    func adopt(_ kept: KeptSlot) {
        guard kept.descriptors.count == 3 else { return }
        do {
            try connect(kept.slot, kept.process, kept.descriptors, isAdopted: true)
        } catch {
            journal.write(.error, "cannot watch a worker's socket (\(error)); killing the worker")
            launcher.send(.signal(slot: kept.slot, .kill))
        }
    }

    /// Handles the exit of a worker. Handles its pending reports first, because its socket may still contain the
    /// result.
    func ended(_ slot: SlotID, _ end: SlotEnd) {
        links[slot]?.drain()
        decisions.handle(.ended(slot, end, lastLine: links[slot]?.lastLine))
    }

    /// Releases a slot, here and in the launcher.
    func release(_ slot: SlotID) {
        links[slot] = nil
        launcher.send(.release(slot: slot))
    }

    /// Counts a progress report. When the total rate of reports is high, workers that report are polled together,
    /// because waking the loop costs more than handling a report. This delays a worker's result by no more than its
    /// progress.
    func noteProgress(in slot: SlotID) {
        if reportPace.reported(at: .current) { links[slot]?.join(reporters) }
    }

    /// Sends a command with its files. Uses several messages if one cannot carry all files.
    ///
    /// - Parameter isReleased: True for a run that waited for a debugger.
    /// - Returns: False if the command could not be sent. If the command was too long, the run ends.
    func send(
        _ command: WorkerCommand,
        files: [SharedFileDescriptor],
        to slot: SlotID,
        isReleased: Bool = false
    ) -> Bool {
        guard let worker = links[slot] else { return false }
        if case .perform(let perform) = command, let debuggerGate, !isReleased {
            debuggerGate.hold(perform.run, in: slot, of: worker) { [weak self] in
                _ = self?.send(command, files: files, to: slot, isReleased: true)  // A failure ends the run.
            }
            return true
        }
        var files = files[...]
        do {
            while files.count > Frame.descriptorLimit {
                let part = Array(files.prefix(Frame.descriptorLimit))
                try worker.send(.files(count: part.count), files: part)
                files = files.dropFirst(part.count)
            }
            try worker.send(command, files: Array(files))
            return true
        } catch {
            // End the run. The size of the request was checked on arrival, but the command can be larger than the
            // request, for example if values became longer when they were converted to the types of their parameters.
            decisions.handle(.violated(slot, message: "\(error)"))
            return false
        }
    }

    private func connect(
        _ slot: SlotID,
        _ process: Int32,
        _ descriptors: [SharedFileDescriptor],
        isAdopted: Bool
    ) throws(SystemError) {
        // A thread for this app closes the worker's descriptors, so that a hanging close(2) delays no other app.
        let lane = decisions.table.app(in: slot).map { ClosingThreads.Lane.app($0) } ?? .others
        links[slot] = try WorkerLink(
            socket: descriptors[0],
            standardOutput: descriptors[1],
            standardError: descriptors[2],
            process: process,
            isAdopted: isAdopted,
            on: loop,
            closer: closing.closer(for: lane),
            batch: { [decisions] body in decisions.batch(body) },
            input: { [weak self] input in self?.input(slot, input) }
        )
    }

    /// Kills a worker that cannot receive its run, for a reason that is not the app's fault.
    private func fail(_ slot: SlotID, _ failure: LaunchFailure) {
        end(slot)
        decisions.handle(.launchFailed(slot, failure))
    }

    private func end(_ slot: SlotID) {
        launcher.send(.signal(slot: slot, .kill))
        launcher.send(.release(slot: slot))
    }
}

/// A worker of an earlier `intentd` that the launcher keeps.
struct KeptSlot {
    var slot: SlotID
    var process: Int32
    var isolation: Isolation
    var descriptors: [SharedFileDescriptor]
    /// The worker's end, if the worker exited while no `intentd` was connected.
    var end: SlotEnd?
}
