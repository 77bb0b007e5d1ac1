import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Workers from their start until nothing of them is left.
extension Launcher {
    func add(_ slot: Slot) {
        slots[slot.id] = slot
        if slot.processEnd == nil { children.addWorker(slot.process, of: slot.id) }
    }

    /// Settles the slot when its leaf becomes empty: a process in it outlives the worker.
    private func watchLeaf(of slot: Slot) {
        guard slot.leafEvents == nil, let leaf = slot.leaf else { return }
        do {
            slot.leafEvents = try loop.descriptor(leaf.events.rawValue, .changed, priority: .late) {
                [weak self, weak slot] _ in if let slot { self?.settle(slot) }
            }
        } catch {
            journal.write(.error, "cannot watch cgroup.events (\(error)), falling back to a check after each exit")
        }
    }

    func signal(_ id: SlotID, _ signal: StopSignal) {
        if let slot = slots[id] { return slot.signal(signal) }
        // The worker has no process yet: it gets the signal when it starts.
        if let preparation = sandboxes.preparation(of: id) { return preparation.signal = signal }
        if launches?.remove(id) == true || removeStateWaiter(id) {
            let failure = LaunchFailure(message: "it was ended before its process was started")
            return report(.launchFailed(slot: id, failure))
        }
        for sandbox in sandboxes.values {
            guard let server = sandbox.forkServer,
                let index = server.waiting.firstIndex(where: { $0.slot == id })
            else { continue }
            let request = server.waiting.remove(at: index)
            report(
                .launchFailed(slot: request.slot, LaunchFailure(message: "it was ended before its process was started"))
            )
        }
    }

    func isKnown(_ process: Int32) -> Bool {
        children.contains(process) || replacement.upgrade?.trial == process
    }

    /// Reaps all children that have exited.
    func reap() {
        // All ends first: what looks for more costs a walk through /proc, and is done once for all of them.
        while let end = nextEnd() { ended(end) }
        // Without leaves, each exit can reveal further orphans: repeat until no new one appears.
        for slot in slots.values where slot.isOpen && slot.processEnd != nil && !slot.isReported {
            slot.endLeftovers(unknownChildren(of: slot))
        }
        for slot in Array(slots.values) where slot.processEnd != nil { settle(slot) }
        for sandbox in Array(sandboxes.values) { removeOnceExited(sandbox) }
        upgradeWhenSettled()
    }

    /// The next end, unless it may be that of a worker that has not told of itself yet.
    private func nextEnd() -> ChildReaper.End? {
        while true {
            let forking = sandboxes.values.filter { $0.forkServer?.preparations.isEmpty == false }
            guard !forking.isEmpty, let end = ChildReaper.peek(), !isKnown(end.process) else {
                return ChildReaper.next()
            }
            for sandbox in forking { sandbox.forkServer?.link?.drain() }
            if !isKnown(end.process) { beginUnnamed(end.process, of: forking) }
            // Without a leaf, what it said on its way must tell. The others' ends do not wait for that.
            let mayBeWorker = forking.contains { sandbox in
                sandbox.forkServer?.preparations.values.contains { $0.place.leaf == nil } == true
            }
            if !isKnown(end.process) && mayBeWorker { return knownEnd() }
            // One of the drained records may have reaped it already.
            if let taken = ChildReaper.take(end.process) { return taken }
        }
    }

    /// A worker that ended before it could tell of itself: the kernel remembers its cgroup until it is reaped.
    private func beginUnnamed(_ process: Int32, of forking: [Sandbox]) {
        guard let path = ProcessTree.cgroup(of: process) else { return }
        for sandbox in forking {
            guard let server = sandbox.forkServer,
                let (slot, preparation) = server.preparations.first(where: { $1.place.leaf?.isNamed(by: path) == true })
            else { continue }
            server.preparations[slot] = nil
            if server.preparations.isEmpty { sandbox.timer = nil }
            return begin(preparation, process: process, in: sandbox, sandbox.isolation)
        }
    }

    private func knownEnd() -> ChildReaper.End? {
        for process in children.processes.union(replacement.upgrade?.trial.map { [$0] } ?? []) {
            if let end = ChildReaper.take(process) { return end }
        }
        return nil
    }

    private func ended(_ end: ChildReaper.End) {
        if trialEnded(end) || children.removeHelper(end.process) { return }
        if let sandbox = children.sandbox(of: end.process) { processEnded(end, of: sandbox) }
        if let id = children.removeWorker(end.process), let slot = slots[id] {
            slot.processEnd = end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
            slot.usage = end.usage.map { usage in
                ResourceUsage(
                    userMicroseconds: usage.userMicroseconds,
                    systemMicroseconds: usage.systemMicroseconds,
                    peakMemoryByteCount: usage.peakMemoryByteCount
                )
            }
            if let leaf = slot.leaf { slot.endLeftovers(in: leaf) }
            return
        }
        children.removeRemover(end.process)
        for slot in slots.values { slot.orphans.remove(end.process) }
    }

    /// Unknown children that may be the slot's: those with its mark in their environment, and all where no other worker
    /// lives.
    private func unknownChildren(of slot: Slot) -> Set<Int32> {
        let unknown = Set(ProcessTree.children(of: getpid())).subtracting(children.processes)
        guard slots.values.contains(where: { $0.processEnd == nil }) else { return unknown }
        return unknown.filter { child in
            // A process that exited, or cleared its environment, is found when no other worker lives.
            let environment = (try? File.text(at: "/proc/\(child)/environ")) ?? ""
            return environment.contains(slot.environmentMark)
        }
    }

    /// Reports the slot's end once no process of it is left, and removes the slot once it is released.
    func settle(_ slot: Slot) {
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
            report(.ended(slot: slot.id, end))
            slot.leavePlace()
        }
        if slot.isReported && slot.isReleased {
            if slot.sandbox?.forkServer?.keep(slot.place) != true { remove(slot.place) }
            slots[slot.id] = nil
            if let sandbox = slot.sandbox { left(sandbox, slot.id) }
            leaveWhenEmpty()
        }
    }

    func remove(_ place: RunPlace) {
        if let remover = place.remove() { children.addRemover(remover) }
    }

    func release(_ id: SlotID) {
        guard let slot = slots[id] else { return }
        slot.isReleased = true
        settle(slot)
    }

    func open(_ paths: [String], of id: SlotID, keeping place: KeptPlace?) {
        guard let slot = slots[id] else {
            report(.openFailed(slot: id, message: "the run's directory was removed"))
            return
        }
        var files: [SharedFileDescriptor] = []
        var writable: [Int] = []
        do {
            if let place {
                writable = try folders.keep(paths, of: slot, at: place)
            } else {
                for path in paths.prefix(Frame.descriptorLimit) { files.append(try slot.directory.open(path)) }
            }
        } catch {
            report(.openFailed(slot: id, message: String("\(error)".prefix(2000))))
            return
        }
        report(.opened(slot: id, writable: writable), descriptors: files)
    }
}
