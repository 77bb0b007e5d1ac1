import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Workers, from their preparation until all their processes have exited and intentd has released their slot.
final class Workers {
    private let loop: EventLoop
    private let journal: Journal
    private let supervisor: SupervisorConnection
    private let children: ChildTable
    private let folders: RunFolders
    private let closer: SharedFileDescriptor.Closer
    private var slots: [SlotID: Slot] = [:]
    /// True when the launcher quits, so that a worker that begins now is ended at once.
    private var isEnding = false
    /// Called with each slot that was removed.
    var removed: (Slot) -> Void = { _ in }

    init(
        _ surroundings: Surroundings,
        closer: @escaping SharedFileDescriptor.Closer
    ) {
        loop = surroundings.loop
        journal = surroundings.journal
        supervisor = surroundings.supervisor
        children = surroundings.children
        folders = surroundings.folders
        self.closer = closer
    }

    var all: Dictionary<SlotID, Slot>.Values { slots.values }
    var count: Int { slots.count }
    var isEmpty: Bool { slots.isEmpty }

    subscript(id: SlotID) -> Slot? { slots[id] }

    // MARK: Beginning

    /// - Parameter diskLimit: `DiskMax=`, in bytes.
    func prepare(_ request: LaunchRequest, at workspace: RunWorkspace, diskLimit: Int64?) throws -> Preparation {
        do {
            return try Preparation(request, at: workspace, diskLimit: diskLimit, closer: closer)
        } catch {
            children.remove(workspace)
            throw error
        }
    }

    /// Removes a preparation without a process, and reports the failure.
    func abandon(_ preparation: Preparation, _ message: String) {
        children.remove(preparation.workspace)
        supervisor.refuse(preparation.request, message)
    }

    /// Reports the new worker to intentd, with its socket and pipes.
    func begin(_ preparation: Preparation, process: Int32, in sandbox: Sandbox?, _ isolation: Isolation) {
        let slot = Slot(
            preparation,
            process: process,
            sandbox: sandbox,
            isolation,
            // Keep the socket in any case: it must not be closed here while intentd uses it.
            keptEnds: supervisor.outlivesSupervisor ? preparation.supervisorEnds : [preparation.socket]
        )
        sandbox?.slots.insert(slot.id)
        add(slot)
        if let signal = preparation.signal { slot.signal(signal) }
        if isEnding { end(slot) }
        supervisor.send(
            .launched(slot: slot.id, process: process, isolation),
            descriptors: preparation.supervisorEnds
        )
    }

    private func add(_ slot: Slot) {
        slots[slot.id] = slot
        if slot.processEnd == nil { children.addWorker(slot.process, of: slot.id) }
    }

    // MARK: Commands

    func release(_ id: SlotID) {
        guard let slot = slots[id] else { return }
        slot.isReleased = true
        finish(slot)
    }

    /// Reports what the kernel shows about the worker's threads.
    func observe(_ id: SlotID) {
        guard let slot = slots[id], let seen = WorkerObservation(of: slot.process) else { return }
        supervisor.send(.observed(slot: id, seen))
    }

    /// Opens files of the run's folder, or keeps them as files of its result.
    func open(_ paths: [String], of id: SlotID, keeping names: KeptFileNames?) {
        guard let slot = slots[id] else {
            supervisor.send(.openFailed(slot: id, message: "the run's directory was removed"))
            return
        }
        var files: [SharedFileDescriptor] = []
        var writable: [Int] = []
        do {
            if let names {
                writable = try folders.keep(paths, of: slot, under: names)
            } else {
                for path in paths.prefix(Frame.descriptorLimit) { files.append(try slot.directory.open(path)) }
            }
        } catch {
            supervisor.send(.openFailed(slot: id, message: String("\(error)".prefix(2000))))
            return
        }
        supervisor.send(.opened(slot: id, writable: writable), descriptors: files)
    }

    /// Reports every slot that is not released. A slot that is still being prepared is reported when its worker starts.
    func reportKept() {
        for slot in slots.values.sorted(by: { $0.id.number < $1.id.number }) where !slot.isReleased {
            supervisor.send(.kept(slot: slot.id, process: slot.process, slot.isolation), descriptors: slot.keptEnds)
            if let end = slot.end { supervisor.send(.ended(slot: slot.id, end)) }
        }
    }

    // MARK: Ends

    /// Handles the end of a reaped child that is a worker, a remover or an orphan of a worker.
    func processEnded(_ end: ChildReaper.End) {
        guard let id = children.removeWorker(end.process), let slot = slots[id] else {
            children.removeRemover(end.process)
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
        if let leaf = slot.leaf { slot.endLeftovers(in: leaf) }
    }

    /// Finishes every worker that has been reaped.
    func finishEnded() {
        // Without leaves, each exit can reveal more orphans: repeat until no new one appears.
        for slot in slots.values where slot.isOpen && slot.processEnd != nil && !slot.isReported {
            slot.endLeftovers(unknownChildren(of: slot))
        }
        for slot in Array(slots.values) where slot.processEnd != nil { finish(slot) }
    }

    /// The unknown children that may belong to the slot: those with its mark in their environment. If no other worker
    /// is alive, all of them.
    private func unknownChildren(of slot: Slot) -> Set<Int32> {
        let unknown = Set(ProcessTree.children(of: getpid())).subtracting(children.processes)
        guard slots.values.contains(where: { $0.processEnd == nil }) else { return unknown }
        return unknown.filter { child in
            // A process that has exited, or has cleared its environment, has no mark. It is found once no other worker
            // is alive.
            let environment = (try? File.text(at: "/proc/\(child)/environ")) ?? ""
            return environment.contains(slot.environmentMark)
        }
    }

    /// Reports the slot's end once all its processes have exited, and removes the slot once it is released.
    func finish(_ slot: Slot) {
        if !slot.isReported, let processEnd = slot.processEnd {
            guard slot.isEmpty else { return watchLeaf(of: slot) }
            slot.leafEvents = nil
            slot.noteExceeded()
            let end = SlotEnd(
                processEnd: processEnd,
                leftoverProcessCount: slot.leftoverProcessCount,
                exceeded: slot.exceeded,
                usage: slot.usage
            )
            slot.end = end
            supervisor.send(.ended(slot: slot.id, end))
            slot.endUse()
        }
        if slot.isReported && slot.isReleased {
            if slot.sandbox?.forkServer?.keep(slot.workspace) != true { children.remove(slot.workspace) }
            slots[slot.id] = nil
            removed(slot)
        }
    }

    /// Finishes the slot when its leaf becomes empty, because a process in the leaf outlives the worker.
    private func watchLeaf(of slot: Slot) {
        guard slot.leafEvents == nil, let leaf = slot.leaf else { return }
        do {
            slot.leafEvents = try loop.descriptor(leaf.events.rawValue, .changed, priority: .late) {
                [weak self, weak slot] _ in if let slot { self?.finish(slot) }
            }
        } catch {
            journal.write(.error, "cannot watch cgroup.events (\(error)); falling back to a check after each exit")
        }
    }

    /// Ends and releases every slot, including those that begin later, because the launcher quits.
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

    // MARK: The next program

    /// Removes the leaves of workers that have ended: the next program adopts only leaves in use.
    func removeUnusedLeaves() {
        for slot in slots.values where slot.isReported { slot.removeLeaf() }
    }

    /// Adopts a worker that the replaced program began.
    func adopt(_ left: LauncherState.Slot, in sandbox: Sandbox?, on cgroups: CgroupTree?) throws {
        let workspace = RunWorkspace(
            number: left.id.number,
            directory: try RunDirectory(existing: left.directory, of: sandbox?.ids?.app ?? left.openUser),
            leaf: try left.leaf.flatMap { try cgroups?.leaf(at: $0) }
        )
        let slot = Slot(left, at: workspace, sandbox: sandbox, closer: closer)
        add(slot)
        sandbox?.slots.insert(slot.id)
    }

    /// Removes every slot and closes its descriptors, because the launcher ends.
    func removeAll() { slots = [:] }
}
