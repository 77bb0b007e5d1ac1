import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The parent of all workers: makes their places, tells of their ends, and obeys one `intentd` at a time.
///
/// Single-threaded, without Swift concurrency: it is small enough not to crash.
final class Launcher {
    /// How long it stays without an `intentd` before it goes too.
    private static let patienceNanoseconds: Int64 = 30_000_000_000

    private let loop: EventLoop
    let journal: Journal
    private let door: LauncherArguments.Door
    let installation: Installation
    private let listener: SharedFileDescriptor?
    private let cacheFolder: String
    let runsFolder: String
    /// Nil where leaves cannot be made; workers are then held together by parenthood alone.
    let cgroups: CgroupTree?
    private let cgroupProblem: String?
    /// Root never runs an app: the user that workers become instead; nil when the launcher is no root.
    let workerUser: UInt32?
    private var link: SupervisorLink?
    var slots: [SlotID: Slot] = [:]
    private var slotOfProcess: [Int32: SlotID] = [:]
    /// Children of ours that remove large directories.
    private var removers: Set<Int32> = []
    private var sources: [EventSource] = []
    private var guardTimer: EventSource?
    private var isQuitting = false

    init(_ arguments: LauncherArguments, on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        door = arguments.door
        installation = arguments.installation
        cacheFolder = arguments.cacheFolder
        runsFolder = arguments.cacheFolder + "/runs"
        // 65534 is nobody: the one user that owns nothing.
        workerUser = getuid() == 0 ? 65534 : nil
        let made: CgroupTree?
        let problem: String?
        do {
            made = try CgroupTree()
            problem = nil
        } catch {
            made = nil
            problem = "\(error)"
        }
        cgroups = made
        cgroupProblem = problem
        switch arguments.door {
        case .listen(let path):
            // A launcher that died left its socket's file behind.
            _ = unlink(path)
            let socket = SharedFileDescriptor(try UnixSocket.listen(.sequencedPacket, at: path, permissions: 0o600))
            try socket.setNonblocking()
            listener = socket
        case .connected: listener = nil
        }
    }

    func start() throws(SystemError) {
        try makeRunsFolder()
        sources.append(try loop.signal(SIGCHLD) { [unowned self] in reap() })
        for number in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(number) { [unowned self] in
                    // At a terminal intentd hears the interrupt too, and decides.
                    if number == SIGTERM { quit() }
                }
            )
        }
        switch door {
        case .connected(let descriptor): try connect(SharedFileDescriptor(owning: descriptor))
        case .listen:
            if let listener {
                sources.append(try loop.descriptor(listener.rawValue, .readable) { [unowned self] _ in accept() })
            }
            try armGuard()
        }
        // A private one has no operator to warn; `intentctl status` says what is on.
        if case .listen = door, let cgroupProblem {
            journal.write(.warning, "workers get no cgroup of their own (\(cgroupProblem)), continuing without")
        }
        ServiceNotification.ready.send()
    }

    /// The last thing: nothing of any run stays.
    func finish() {
        slots = [:]
        cgroups?.remove()
        RunDirectory.removeAll(in: runsFolder)
    }

    // MARK: The supervisor

    private func accept() {
        guard let listener else { return }
        do {
            while let socket = try UnixSocket.accept(on: listener.rawValue) {
                let peer = try UnixSocket.peer(of: socket.rawValue)
                guard peer.user == getuid() || peer.user == 0 else {
                    journal.write(.warning, "user \(peer.user) is not the one whose intentd is obeyed, refusing")
                    continue
                }
                // systemd runs one intentd at a time: one that comes replaces one that is dead.
                if link != nil { lost("another intentd took over") }
                try connect(SharedFileDescriptor(socket))
            }
        } catch {
            journal.write(.error, "cannot take a connection: \(error), continuing without it")
        }
    }

    private func connect(_ socket: SharedFileDescriptor) throws(SystemError) {
        link = try SupervisorLink(
            socket,
            on: loop,
            received: { [unowned self] command in obey(command) },
            lost: { [unowned self] reason in lost(reason) }
        )
        guardTimer = nil
        report(.hello(Hello(software: "intentd-launcher \(Hello.softwareVersion)"), isolation: isolation))
    }

    func report(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        link?.send(report, descriptors: descriptors)
    }

    /// What isolates a worker here.
    private var isolation: [String] {
        var parts = ["own process", "no new privileges", "closed descriptors", "own directory", "resource limits"]
        if workerUser != nil { parts.append("user nobody") }
        if let cgroups {
            parts.append("own cgroup")
            if !cgroups.controllers.isEmpty {
                parts.append("limits by cgroup (\(cgroups.controllers.joined(separator: ", ")))")
            }
        }
        return parts
    }

    private func obey(_ command: LaunchCommand) {
        switch command {
        case .hello(let hello):
            if hello.protocolVersion != Hello.currentVersion {
                lost("intentd speaks version \(hello.protocolVersion) of the launcher protocol")
            }
        case .launch(let request): launch(request)
        case .signal(let id, let signal): slots[id]?.signal(signal)
        case .open(let id, let paths): open(paths, of: id)
        case .release(let id): release(id)
        case .quit: quit()
        }
    }

    /// Without an intentd nobody holds the clocks: its runs end, and after a while the launcher does too.
    private func lost(_ reason: String) {
        guard link != nil else { return }
        link = nil
        if !slots.isEmpty {
            journal.write(.warning, "\(reason); ending \(slots.count) workers that it had")
        }
        endAllSlots()
        switch door {
        case .connected: quit()
        case .listen:
            do {
                try armGuard()
            } catch {
                journal.write(.error, "no timer to wait for the next intentd: \(error)")
                quit()
            }
        }
    }

    private func armGuard() throws(SystemError) {
        let end = ClockReading.monotonicNanoseconds() + Self.patienceNanoseconds
        guardTimer = try loop.timer(atNanoseconds: end) { [unowned self] in
            guard link == nil else { return }
            journal.write(.notice, "no intentd came within 30 s, leaving")
            quit()
        }
    }

    private func quit() {
        isQuitting = true
        endAllSlots()
        leaveWhenEmpty()
    }

    private func leaveWhenEmpty() {
        if isQuitting && slots.isEmpty { loop.exit(0) }
    }

    private func endAllSlots() {
        for slot in slots.values {
            slot.isReleased = true
            slot.signal(.kill)
            settle(slot)
        }
    }

    // MARK: Slots

    func add(_ slot: Slot) throws(SystemError) {
        slots[slot.id] = slot
        slotOfProcess[slot.process] = slot.id
        if let leaf = slot.leaf {
            slot.leafEvents = try loop.descriptor(leaf.events.rawValue, .changed, priority: .late) {
                [unowned self, unowned slot] _ in settle(slot)
            }
        }
    }

    private func reap() {
        // All ends first: what looks for more costs a walk through /proc, and is done once for all of them.
        while let end = ChildReaper.next() {
            if let id = slotOfProcess.removeValue(forKey: end.process), let slot = slots[id] {
                slot.processEnd = end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
                if let leaf = slot.leaf { slot.endLeftovers(in: leaf) }
            } else {
                removers.remove(end.process)
                for slot in slots.values { slot.orphans.remove(end.process) }
            }
        }
        // Where there are no leaves, each end can hand on another orphan: ask again until there is none.
        for slot in slots.values where slot.leaf == nil && slot.processEnd != nil && !slot.isReported {
            slot.endLeftovers(strangers(of: slot))
        }
        for slot in Array(slots.values) where slot.processEnd != nil { settle(slot) }
    }

    /// Children that no slot knows and that may be this one's: those with its mark in their environment, and where
    /// no other worker lives, all.
    private func strangers(of slot: Slot) -> Set<Int32> {
        let known = Set(slotOfProcess.keys).union(removers)
        let children = Set(ProcessTree.children(of: getpid())).subtracting(known)
        guard slots.values.contains(where: { $0.processEnd == nil }) else { return children }
        return children.filter { child in
            // One that is gone, or that cleared its environment, is found when no other worker lives.
            let environment = (try? File.text(at: "/proc/\(child)/environ")) ?? ""
            return environment.contains(slot.environmentMark)
        }
    }

    /// Tells the end of a slot once nothing of it is left, and lets it go once it is released.
    private func settle(_ slot: Slot) {
        if !slot.isReported, slot.isEmpty, let processEnd = slot.processEnd {
            slot.isReported = true
            slot.leafEvents = nil
            slot.leaf?.remove()
            let end = SlotEnd(processEnd: processEnd, leftoverProcessCount: slot.leftoverProcessCount)
            report(.ended(slot: slot.id, end))
        }
        if slot.isReported && slot.isReleased {
            if let remover = slot.directory.remove() { removers.insert(remover) }
            slots[slot.id] = nil
            leaveWhenEmpty()
        }
    }

    private func release(_ id: SlotID) {
        guard let slot = slots[id] else { return }
        slot.isReleased = true
        settle(slot)
    }

    private func open(_ paths: [String], of id: SlotID) {
        guard let slot = slots[id] else {
            report(.openFailed(slot: id, message: "the run's directory is gone"))
            return
        }
        var files: [SharedFileDescriptor] = []
        do {
            for path in paths.prefix(Frame.descriptorLimit) { files.append(try slot.directory.open(path)) }
        } catch {
            report(.openFailed(slot: id, message: String("\(error)".prefix(2000))))
            return
        }
        report(.opened(slot: id), descriptors: files)
    }

    private func makeRunsFolder() throws(SystemError) {
        // Workers of another user must be able to walk to their own directory, and see nothing on the way.
        for folder in [cacheFolder, runsFolder] {
            do {
                try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
            } catch {
                if error.code.rawValue != EEXIST { throw error }
            }
        }
        RunDirectory.removeAll(in: runsFolder)
    }
}
