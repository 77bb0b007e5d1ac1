import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Workers from their start until nothing of them is left.
extension Launcher {
    func add(_ slot: Slot) {
        slots[slot.id] = slot
        if slot.processEnd == nil { slotOfProcess[slot.process] = slot.id }
    }

    /// Hears of its end from its leaf, since something in it outlives the worker.
    private func watchLeaf(of slot: Slot) {
        guard slot.leafEvents == nil, let leaf = slot.leaf else { return }
        do {
            slot.leafEvents = try loop.descriptor(leaf.events.rawValue, .changed, priority: .late) {
                [weak self, weak slot] _ in if let slot { self?.settle(slot) }
            }
        } catch {
            journal.write(.error, "no eye on a cgroup (\(error)), continuing with a look at the end of each process")
        }
    }

    func signal(_ id: SlotID, _ signal: StopSignal) {
        if let slot = slots[id] { return slot.signal(signal) }
        // Not born yet: it hears of it at its birth.
        if let preparation = preparation(of: id) { return preparation.signal = signal }
        if takeBackLaunch(id) || takeBackStateWaiter(id) {
            let failure = LaunchFailure(message: "it was ended before its process was made")
            return report(.launchFailed(slot: id, failure))
        }
        for sandbox in sandboxes.values {
            guard let server = sandbox.forkServer,
                let index = server.waiting.firstIndex(where: { $0.slot == id })
            else { continue }
            let request = server.waiting.remove(at: index)
            report(
                .launchFailed(slot: request.slot, LaunchFailure(message: "it was ended before its process was made"))
            )
        }
    }

    func isKnown(_ process: Int32) -> Bool {
        slotOfProcess[process] != nil || sandboxOfProcess[process] != nil || removers.contains(process)
            || ownChildren.contains(process) || upgrade?.trial == process
    }

    /// Takes in all ends of children.
    func reap() {
        // All ends first: what looks for more costs a walk through /proc, and is done once for all of them.
        while let end = nextEnd() { ended(end) }
        // Where there are no leaves, each end can hand on another orphan: ask again until there is none.
        for slot in slots.values where slot.isOpen && slot.processEnd != nil && !slot.isReported {
            slot.endLeftovers(strangers(of: slot))
        }
        for slot in Array(slots.values) where slot.processEnd != nil { settle(slot) }
        for sandbox in Array(sandboxes.values) { removeWhenGone(sandbox) }
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
            // What was said may have led here already.
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
        for process in [Int32](slotOfProcess.keys) + [Int32](sandboxOfProcess.keys) + [Int32](removers)
            + [Int32](ownChildren)
            + (upgrade?.trial.map { [$0] } ?? [])
        {
            if let end = ChildReaper.take(process) { return end }
        }
        return nil
    }

    private func ended(_ end: ChildReaper.End) {
        if trialEnded(end) || ownChildren.remove(end.process) != nil { return }
        if let sandbox = sandboxOfProcess[end.process] { processEnded(end, of: sandbox) }
        if let id = slotOfProcess.removeValue(forKey: end.process), let slot = slots[id] {
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
        if removers.remove(end.process) != nil {
            // Those in which another remover is at work stay for its end.
            staleFolders = staleFolders.filter { rmdir($0) != 0 && errno == ENOTEMPTY }
        }
        for slot in slots.values { slot.orphans.remove(end.process) }
    }

    /// Children that no slot knows and that may be this one's: those with its mark in their environment, and where
    /// no other worker lives, all.
    private func strangers(of slot: Slot) -> Set<Int32> {
        let known = Set(slotOfProcess.keys).union(removers).union(ownChildren).union(sandboxOfProcess.keys)
        let children = Set(ProcessTree.children(of: getpid())).subtracting(known)
        guard slots.values.contains(where: { $0.processEnd == nil }) else { return children }
        return children.filter { child in
            // One that is gone, or that cleared its environment, is found when no other worker lives.
            let environment = (try? File.text(at: "/proc/\(child)/environ")) ?? ""
            return environment.contains(slot.environmentMark)
        }
    }

    /// Tells the end of a slot once nothing of it is left, and lets it go once it is released.
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
        if let remover = place.remove() { removers.insert(remover) }
    }

    func release(_ id: SlotID) {
        guard let slot = slots[id] else { return }
        slot.isReleased = true
        settle(slot)
    }

    func open(_ paths: [String], of id: SlotID, keeping place: KeptPlace?) {
        guard let slot = slots[id] else {
            report(.openFailed(slot: id, message: "the run's directory is gone"))
            return
        }
        var files: [SharedFileDescriptor] = []
        var writable: [Int] = []
        do {
            if let place {
                writable = try keep(paths, of: slot, at: place)
            } else {
                for path in paths.prefix(Frame.descriptorLimit) { files.append(try slot.directory.open(path)) }
            }
        } catch {
            report(.openFailed(slot: id, message: String("\(error)".prefix(2000))))
            return
        }
        report(.opened(slot: id, writable: writable), descriptors: files)
    }

    /// - Returns: The indices of those that a process may still write to.
    private func keep(_ paths: [String], of slot: Slot, at place: KeptPlace) throws -> [Int] {
        guard let resultsFolder else { throw SystemError("open", on: "results", code: Errno(rawValue: ENOENT)) }
        try File.makeFolder(place.run.text, in: resultsFolder.rawValue, permissions: 0o700)
        let folder = try File.openFolder(place.run.text, in: resultsFolder.rawValue)
        if try File.status(of: folder.rawValue).owner == getuid() {
            try File.share(folder.rawValue, as: resultsFolder.rawValue)
        }
        slot.keptRun = place.run
        let files = try zip(paths, place.indices).map { path, index in
            (index: index, file: try slot.directory.keep(path, in: folder, as: "\(index)"))
        }
        // After all of them: one file may be kept by several names, and is its app's until then.
        for (_, file) in files { try File.share(file.rawValue, as: resultsFolder.rawValue) }
        return files.filter { !slot.directory.freeze($0.file) }.map(\.index)
    }
}
