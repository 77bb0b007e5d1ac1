import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The adoption of an earlier `intentd`'s runs and workers, as the launcher and the history report them. No client is
/// served until the adoption is complete.
///
/// Must be used only on the event loop's thread.
final class Adoption {
    /// The reports that have arrived from the launcher and the history.
    private struct Inheritance {
        var workers: [KeptSlot] = []
        var unfinished: [UnfinishedRun]?
        var adopted: Adopted?
        var notes: RunNotes?
        /// The events of sandboxes, for their runs once they are adopted.
        var hostEvents: [([SlotID], HostEvent)] = []
        /// The timer that fires if the history has not become readable in time.
        var timer: EventSource?

        /// True once both the launcher and the history have reported everything.
        var isComplete: Bool { adopted != nil && unfinished != nil }
    }

    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let workers: WorkerLinks
    private let files: PassedFiles
    private let recorder: Recorder
    private let apps: AppDirectory
    /// The reports that have arrived so far; nil once the adoption is complete.
    private var inheritance: Inheritance? = Inheritance()
    /// Called when the adoption is complete.
    private var completed: () -> Void = {}

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        workers: WorkerLinks,
        files: PassedFiles,
        recorder: Recorder,
        apps: AppDirectory
    ) {
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.workers = workers
        self.files = files
        self.recorder = recorder
        self.apps = apps
    }

    func start(completed: @escaping () -> Void) { self.completed = completed }

    var isComplete: Bool { inheritance == nil }

    /// Receives a report that the launcher sends before the adoption is complete.
    func receive(_ report: LaunchReport, _ descriptors: [SharedFileDescriptor]) {
        switch report {
        case .kept(let slot, let process, let isolation), .launched(let slot, let process, let isolation):
            // Keep only the first report, because the launcher reports a worker twice if it launched the worker while
            // intentd was connecting.
            guard inheritance?.workers.contains(where: { $0.slot == slot }) == false else { return }
            inheritance?.workers.append(
                KeptSlot(slot: slot, process: process, isolation: isolation, descriptors: descriptors)
            )
        case .ended(let slot, let end):
            guard let index = inheritance?.workers.firstIndex(where: { $0.slot == slot }) else { return }
            inheritance?.workers[index].end = end
        case .keptInputs(let run): if let socket = descriptors.first { files.inherit(run, from: socket) }
        case .adopted(let adopted):
            inheritance?.adopted = adopted
            if launcher.outlivesSupervisor { inheritance?.notes = recorder.openNotes(descriptors.first) }
            // Discard the unfinished runs, because the history reports them again after the replay.
            if recorder.isReplaying { inheritance?.unfinished = nil }
            if recorder.history == nil { inheritance?.unfinished = [] }
            adoptWhenComplete()
        // Ignore reports that answer an earlier intentd's commands. This intentd repeats the commands for adopted runs.
        // The spares of an earlier intentd are not adopted.
        case .outdated(let slots, let path): decisions.outdated(slots, path: path)
        case .hosts(let slots, let event): inheritance?.hostEvents.append((slots, event))
        case .hello, .launchFailed, .opened, .openFailed, .observed, .usage, .credentials: break
        }
    }

    /// Continues the adoption after an update from the history. The argument is nil if the update does not report the
    /// unfinished runs.
    func receive(_ unfinished: [UnfinishedRun]?) {
        guard inheritance != nil else {
            if let unfinished { adoptLate(unfinished) }
            return
        }
        if let unfinished, !recorder.isReplaying { inheritance?.unfinished = unfinished }
        adoptWhenComplete()
    }

    private func adoptWhenComplete() {
        guard let inheritance else { return }
        if inheritance.isComplete { return adopt(inheritance) }
        guard inheritance.adopted != nil, let problem = recorder.problem else { return }
        let hasWorkers = !inheritance.workers.isEmpty
        guard let patience = AdoptionPlan.patience(hasWorkers: hasWorkers, mayPass: problem.mayPass) else {
            return adopt(inheritance)
        }
        guard inheritance.timer == nil else { return }
        do {
            let end = ClockReading.monotonicNanoseconds() + patience.milliseconds * 1_000_000
            self.inheritance?.timer = try loop.timer(atNanoseconds: end) { [weak self] in
                if let self, let inheritance = self.inheritance { adopt(inheritance) }
            }
        } catch {
            adopt(inheritance)
        }
    }

    private func adopt(_ inheritance: Inheritance) {
        self.inheritance = nil
        recorder.notes = inheritance.notes
        let now = Now.current
        let lost = inheritance.adopted?.lostNanoseconds.map { Now.Monotonic(nanoseconds: $0) }
        let absence = lost.map { max(now.monotonic - $0, .zero) } ?? .zero
        let runs = inheritance.unfinished ?? []
        let plan = AdoptionPlan(
            runs: runs,
            notes: inheritance.notes?.load() ?? [],
            workers: inheritance.workers.map(\.slot),
            lastSlot: inheritance.adopted?.lastSlot ?? 0
        )
        // Keep all files if the history is not readable yet, because recorded runs may need them.
        if inheritance.unfinished != nil { files.dropInherited(except: runs) }
        for worker in inheritance.workers { workers.adopt(worker) }
        decisions.handle(.tookOver(lastSlot: plan.lastSlot, unclaimed: plan.unclaimed))
        let workerOfSlot = Dictionary(
            inheritance.workers.map { ($0.slot, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for run in runs {
            let note = plan.notes[run.run]
            adopt(run, note, note.flatMap { workerOfSlot[$0.slot] }, absence: absence, at: now)
        }
        for slot in plan.forgotten { recorder.notes?.remove(slot) }
        for (slots, event) in inheritance.hostEvents { decisions.handle(.hosts(slots, event)) }
        // Some workers exited while no intentd was connected. Handle their reports before their exit.
        for worker in inheritance.workers {
            if let end = worker.end { workers.ended(worker.slot, end) }
        }
        if !runs.isEmpty || !inheritance.workers.isEmpty {
            journal.write(
                .notice,
                "adopted runs (\(runs.count)) and workers (\(inheritance.workers.count)) from an earlier intentd",
                .tookOver
            )
        }
        // This command also makes the launcher forget when the previous intentd disconnected, because limits are
        // enforced again.
        if let notes = recorder.notes { launcher.send(.keepNotes, descriptors: [notes.memory.descriptor]) }
        recorder.openLog()
        completed()
    }

    private func adopt(_ run: UnfinishedRun, _ note: RunNote?, _ worker: KeptSlot?, absence: Duration, at now: Now) {
        let found = find(run, note, worker)
        recorder.metrics.adopt(run, at: now.monotonic.nanoseconds)
        guard let worker, let notes = recorder.notes else {
            return decisions.handle(.found(found, absence: absence))
        }
        notes.adopting(worker.slot) { decisions.handle(.found(found, absence: absence)) }
    }

    /// Adopts the runs in a history that became readable only after the adoption. These runs have no workers, but runs
    /// from the backlog can still be started.
    private func adoptLate(_ unfinished: [UnfinishedRun]) {
        recorder.openLog()
        files.dropInherited(except: unfinished)
        let now = Now.current
        for run in unfinished where !decisions.table.remembers(run.run) {
            // The worker has been killed, so the run counts as one without a slot. The record keeps the slot, by which a run
            // that has begun differs from one that waits for approval.
            var counted = run
            if run.state != .queued { counted.slot = nil }
            recorder.metrics.adopt(counted, at: now.monotonic.nanoseconds)
            decisions.handle(.found(find(run, nil, nil), absence: .zero))
        }
    }

    private func find(_ record: UnfinishedRun, _ note: RunNote?, _ worker: KeptSlot?) -> FoundRun {
        FoundRun(
            record,
            app: apps.lookUp(record.accepted.app.text),
            remainder: files.remainder(of: record.run),
            note: note,
            worker: worker.map { FoundRun.Worker(slot: $0.slot, isolation: $0.isolation) }
        )
    }
}
