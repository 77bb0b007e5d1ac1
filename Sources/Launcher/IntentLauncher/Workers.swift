import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Tracks workers from their preparation until all their processes have exited and intentd has released their slots.
final class Workers {
    private let context: LauncherContext
    private var slots: [SlotID: Slot] = [:]
    /// True once the launcher is quitting. A worker that starts afterwards is killed immediately.
    private var isEnding = false
    /// Called with each slot that is removed.
    var removed: (Slot) -> Void = { _ in }

    init(_ context: LauncherContext) { self.context = context }

    var all: Dictionary<SlotID, Slot>.Values { slots.values }
    var count: Int { slots.count }
    var isEmpty: Bool { slots.isEmpty }

    subscript(id: SlotID) -> Slot? { slots[id] }

    // MARK: Beginning

    /// Prepares a worker. Removes the workspace if the preparation fails.
    ///
    /// - Parameter diskLimit: `DiskMax=`, in bytes.
    func prepare(_ request: LaunchRequest, at workspace: RunWorkspace, diskLimit: Int64?) throws -> Preparation {
        do {
            let owner = SandboxOwner(of: request)
            let closer = context.socketCloser.closer(for: owner)
            return try Preparation(request, at: workspace, diskLimit: diskLimit, closer: closer)
        } catch {
            context.children.remove(workspace, from: .slot(request.slot))
            throw error
        }
    }

    /// Removes a preparation that has no process, and reports to intentd that the launch failed.
    func abandon(_ preparation: Preparation, _ failure: LaunchFailure) {
        context.children.remove(preparation.workspace, from: .slot(preparation.request.slot))
        context.supervisor.refuse(preparation.request, failure)
    }

    /// Reports the new worker to intentd, with its socket and pipes.
    func begin(_ preparation: Preparation, process: Int32, in sandbox: Sandbox?, _ isolation: Isolation) {
        let slot = Slot(
            preparation,
            process: process,
            sandbox: sandbox,
            isolation,
            // Always keep the socket. Releasing the last reference would shut it down while intentd uses it
            // (``SocketCloser/closer``).
            keptEnds: context.supervisor.outlivesSupervisor ? preparation.supervisorEnds : [preparation.socket]
        )
        sandbox?.slots.insert(slot.id)
        add(slot)
        if let signal = preparation.signal { slot.signal(signal) }
        if isEnding { end(slot) }
        context.supervisor.send(
            .launched(slot: slot.id, process: process, isolation),
            descriptors: preparation.supervisorEnds
        )
    }

    private func add(_ slot: Slot) {
        slots[slot.id] = slot
        if slot.processEnd == nil { context.children.addWorker(slot.process, of: slot.id) }
    }

    // MARK: Commands

    /// The maximum number of samples in one report, which limits the report's size.
    private static let samplesPerReport = 256
    /// The time after which no further slot is measured for one request, in nanoseconds.
    private static let measuringLimit: Int64 = 5_000_000

    func release(_ id: SlotID) {
        guard let slot = slots[id] else { return }
        slot.isReleased = true
        finish(slot)
    }

    /// Reports the state of the worker's threads to intentd, as /proc shows it.
    func observe(_ id: SlotID) {
        guard let slot = slots[id], let seen = WorkerObservation(of: slot.process) else { return }
        context.supervisor.send(.observed(slot: id, seen))
    }

    /// Reports the memory and processor time of the slots that are due for a sample, the most overdue slot first.
    ///
    /// Measuring many runs with many processes takes a long time. After ``measuringLimit``, the other slots wait for
    /// the next request, so that launches are not delayed.
    func reportUsage() {
        let start = ClockReading.monotonicNanoseconds()
        let due = slots.values.filter { $0.processEnd == nil && $0.usageSchedule.isDue(at: start) }
        var usage: [SlotUsage] = []
        for slot in due.sorted(by: { $0.usageSchedule.next < $1.usageSchedule.next }) {
            let now = ClockReading.monotonicNanoseconds()
            guard now - start < Self.measuringLimit else { break }
            slot.usageSchedule.sampled(at: now)
            if let sample = UsageSample(of: slot) { usage.append(SlotUsage(slot: slot.id, sample: sample)) }
        }
        var rest = usage[...]
        while !rest.isEmpty {
            context.supervisor.send(.usage(Array(rest.prefix(Self.samplesPerReport))))
            rest = rest.dropFirst(Self.samplesPerReport)
        }
    }

    /// Opens files in the run folder for intentd, or links them into the results folder if `names` is given.
    func open(_ paths: [String], of id: SlotID, keeping names: KeptFileNames?) {
        guard let slot = slots[id] else {
            context.supervisor.send(.openFailed(slot: id, message: "the run's folder was removed"))
            return
        }
        var files: [SharedFileDescriptor] = []
        var writable: [Int] = []
        do {
            if let names {
                writable = try context.folders.keep(paths, of: slot, under: names)
            } else {
                for path in paths.prefix(Frame.descriptorLimit) { files.append(try slot.directory.open(path)) }
            }
        } catch {
            context.supervisor.send(.openFailed(slot: id, message: String("\(error)".prefix(scalars: 2000))))
            return
        }
        context.supervisor.send(.opened(slot: id, writable: writable), descriptors: files)
    }

    /// Reports to a new intentd every slot that has not been released. A worker that is still being prepared is
    /// reported when it starts.
    func reportKept() {
        for slot in slots.values.sorted(by: { $0.id.number < $1.id.number }) where !slot.isReleased {
            let report = LaunchReport.kept(slot: slot.id, process: slot.process, slot.isolation)
            context.supervisor.send(report, descriptors: slot.keptEnds)
            if let end = slot.end { context.supervisor.send(.ended(slot: slot.id, end)) }
        }
    }

    // MARK: Exit

    /// Handles the exit of a reaped child that is a worker, a remover or an orphan of a worker.
    func processEnded(_ end: ChildReaper.End) {
        guard let id = context.children.removeWorker(end.process), let slot = slots[id] else {
            context.children.removeRemover(end.process)
            for slot in slots.values { slot.orphans.remove(end.process) }
            return
        }
        slot.processEnd = end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
        slot.usage = end.usage.map { usage in
            ResourceUsage(
                userTime: usage.userTime,
                systemTime: usage.systemTime,
                peakMemoryByteCount: usage.peakMemoryByteCount
            )
        }
        if let leaf = slot.leaf { slot.killLeftovers(in: leaf) }
    }

    /// Finishes the slots of all reaped workers, and kills the processes that the workers left behind.
    func finishEnded() {
        context.egress.drain()
        // Without cgroup leaves, each exit can reveal more orphans, so this search is repeated after every exit.
        for slot in slots.values where slot.isUntracked && slot.processEnd != nil && !slot.isReported {
            slot.killLeftovers(unknownChildren(of: slot))
        }
        for slot in Array(slots.values) where slot.processEnd != nil { finish(slot) }
    }

    /// Returns the unknown children that belong to the slot: the children with the slot's mark in their environment or,
    /// if no worker is alive, all unknown children.
    private func unknownChildren(of slot: Slot) -> Set<Int32> {
        let unknown = Set(ProcessTree.children(of: getpid())).subtracting(context.children.processes)
        guard slots.values.contains(where: { $0.processEnd == nil }) else { return unknown }
        return unknown.filter { child in
            // The mark is not visible in a process that has exited or has overwritten its environment. Such a process
            // is found only once no worker is alive.
            let environment = (try? File.text(at: "/proc/\(child)/environ")) ?? ""
            return environment.contains(utf8: slot.environmentMark)
        }
    }

    /// Reports to intentd that the run has ended once all its processes have exited. Removes the slot once intentd has
    /// also released it. Does nothing for a slot that is already removed, which the caller may still have in a list.
    func finish(_ slot: Slot) {
        guard slots[slot.id] === slot else { return }
        if !slot.isReported, let processEnd = slot.processEnd {
            guard slot.isEmpty else { return watchLeaf(of: slot) }
            slot.leafEvents = nil
            slot.recordExceededLimit()
            let end = SlotEnd(
                processEnd: processEnd,
                leftoverProcessCount: slot.leftoverProcessCount,
                exceeded: slot.exceeded,
                usage: slot.usage
            )
            slot.end = end
            context.supervisor.send(.ended(slot: slot.id, end))
            slot.removeLeafUnlessReusable()
        }
        if slot.isReported && slot.isReleased, slots.removeValue(forKey: slot.id) != nil {
            if slot.sandbox?.forkServer?.keep(slot.workspace, from: slot.id) != true {
                context.children.remove(slot.workspace, from: .slot(slot.id))
            }
            removed(slot)
        }
    }

    /// Waits until the leaf is empty, and then finishes the slot. Needed if a process in the leaf outlives the worker.
    private func watchLeaf(of slot: Slot) {
        guard slot.leafEvents == nil, let leaf = slot.leaf else { return }
        do {
            slot.leafEvents = try context.loop.descriptor(leaf.events.rawValue, .changed, priority: .late) {
                [weak self, weak slot] _ in if let slot { self?.finish(slot) }
            }
        } catch {
            let message = "cannot watch cgroup.events (\(error)); falling back to a check after each exit"
            context.journal.write(.error, message)
        }
    }

    /// Kills all workers and releases their slots, because the launcher is quitting. Workers that start later are
    /// killed immediately.
    func endAll() {
        isEnding = true
        for slot in slots.values {
            end(slot)
            finish(slot)
        }
    }

    private func end(_ slot: Slot) {
        slot.isReleased = true
        slot.signal(.kill)
    }

    // MARK: Program replacement

    /// Removes the leaves of workers that have ended, because the new program adopts only leaves in use.
    func removeUnusedLeaves() {
        for slot in slots.values where slot.isReported { slot.removeLeaf() }
    }

    /// Adopts a worker from the replaced program.
    func adopt(_ saved: LauncherState.Slot, in sandbox: Sandbox?, on cgroups: CgroupTree?) throws {
        let workspace = RunWorkspace(
            adopting: try RunFolder(existing: saved.directory, of: sandbox?.ids?.app ?? saved.openUser),
            try saved.leaf.flatMap { try cgroups?.leaf(at: $0) },
            of: saved.id
        )
        let slot = Slot(
            saved,
            at: workspace,
            sandbox: sandbox,
            closer: context.socketCloser.closer(for: sandbox?.owner)
        )
        add(slot)
        sandbox?.slots.insert(slot.id)
    }

    /// Removes all slots and closes their descriptors before the launcher exits.
    func removeAll() { slots = [:] }
}
