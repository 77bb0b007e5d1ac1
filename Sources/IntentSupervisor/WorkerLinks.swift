import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// The connections to all workers.
///
/// Belongs to the loop's thread.
final class WorkerLinks {
    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let closing: ClosingThreads
    /// Workers that report progress while many workers do.
    private let reporters: GatheredEvents
    private var reportPace = ReportPace()
    private var links: [SlotID: WorkerLink] = [:]
    /// Receives what a worker sends.
    private var input: (SlotID, WorkerLink.Input) -> Void = { _, _ in }

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        closing: ClosingThreads
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.closing = closing
        reporters = try GatheredEvents(on: loop, pauseNanoseconds: ClientOutbox.progressPause)
        reporters.together = { body in decisions.together(body) }
    }

    func start(_ input: @escaping (SlotID, WorkerLink.Input) -> Void) { self.input = input }

    subscript(slot: SlotID) -> WorkerLink? { links[slot] }

    /// Runs with workers that a debugger traces at this moment.
    var heldRuns: Set<RunID> {
        Set(links.filter { $0.value.isTraced }.keys.compactMap(decisions.table.run(of:)))
    }

    /// The launcher has started a worker.
    func launched(
        _ slot: SlotID,
        _ process: Int32,
        _ isolation: Isolation,
        _ descriptors: [SharedFileDescriptor]
    ) {
        // An earlier intentd requested this slot, and no run waits for it any more.
        guard decisions.table.knows(slot) else { return end(slot) }
        guard descriptors.count == 3 else {
            // The kernel drops descriptors if this process has no room for them.
            return fail(slot, "intentd has no free descriptors for its sockets")
        }
        do {
            try connect(slot, process, descriptors, isAdopted: false)
            decisions.handle(.launched(slot, isolation))
        } catch {
            fail(slot, "its socket cannot be watched: \(error)")
        }
    }

    /// Connects to a worker of an earlier `intentd`. A worker that cannot be watched is killed.
    func adopt(_ kept: KeptSlot) {
        guard kept.descriptors.count == 3 else { return }
        do {
            try connect(kept.slot, kept.process, kept.descriptors, isAdopted: true)
        } catch {
            journal.write(.error, "cannot watch the socket of a worker (\(error)); killing it")
            launcher.send(.signal(slot: kept.slot, .kill))
        }
    }

    /// Handles the end of a worker. Its messages are handled first: a result may wait in the socket.
    func ended(_ slot: SlotID, _ end: SlotEnd) {
        links[slot]?.drain()
        decisions.handle(.ended(slot, end, lastLine: links[slot]?.lastLine))
    }

    func release(_ slot: SlotID) { links[slot] = nil }

    /// Notes that a worker reported progress. Many such workers are read together, because a wake-up of the loop costs
    /// more than a report. Their results are not delayed any longer.
    func noteProgress(in slot: SlotID) {
        if reportPace.reported(at: .current) { links[slot]?.join(reporters) }
    }

    /// Sends a command with its files, in several records if there are many files.
    ///
    /// - Returns: False if the command was too long. The run then ends.
    func send(_ command: WorkerCommand, files: [SharedFileDescriptor], to slot: SlotID) -> Bool {
        guard let worker = links[slot] else { return false }
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
            // The size of the request was checked when it arrived. Only a default value of the app can have made the
            // command larger.
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
        // A thread of the app closes its descriptors, so that a close that hangs delays no other app.
        let lane = decisions.table.app(in: slot).map { ClosingThreads.Lane.app($0) } ?? .others
        links[slot] = try WorkerLink(
            socket: descriptors[0],
            standardOutput: descriptors[1],
            standardError: descriptors[2],
            process: process,
            isAdopted: isAdopted,
            on: loop,
            closer: closing.closer(for: lane),
            together: { [decisions] body in decisions.together(body) },
            input: { [weak self] input in self?.input(slot, input) }
        )
    }

    /// Ends a worker that cannot receive its run. The app is not at fault.
    private func fail(_ slot: SlotID, _ message: String) {
        end(slot)
        decisions.handle(.launchFailed(slot, message: message))
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
    /// The end of the worker, if it has ended meanwhile.
    var end: SlotEnd?
}
