import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The file that a running program was started from, told apart from one that took its place.
struct ProgramFile: Equatable {
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// That of this process.
    static func own() throws(SystemError) -> ProgramFile {
        try ProgramFile(path: ProcessFacts.executablePath(), foundAt: "/proc/self/exe")
    }

    /// The file at the path now; nil when the path does not exist.
    var current: ProgramFile? { try? ProgramFile(path: path, foundAt: path) }

    private init(path: String, foundAt place: String) throws(SystemError) {
        let file = try File.openPath(place)
        let status = try File.status(of: file.rawValue)
        self.path = path
        device = status.device
        inode = status.inode
    }
}

/// The way from this program to the one that took its place on disk.
struct Upgrade {
    /// The new program.
    var program: ProgramFile
    /// The `intentd` that waits to be served, by this program or by that.
    var supervisor: SharedFileDescriptor
    /// The new program, while it is asked whether it can take over.
    var trial: Int32?
    var timer: EventSource?
}

/// Whether this program was replaced on disk, and the upgrade that is under way.
struct ProgramReplacement {
    /// Nil when it cannot be told: the program is not replaced while it runs then.
    private let own: ProgramFile?
    var upgrade: Upgrade?
    /// The replacement that could not take over.
    private var refused: ProgramFile?

    init(_ journal: Journal) {
        do {
            own = try ProgramFile.own()
        } catch {
            journal.write(.warning, "cannot identify the own program (\(error)), continuing without upgrades in place")
            own = nil
        }
    }

    /// The program on disk, where it is another one and was not refused.
    var candidate: ProgramFile? {
        guard let own, let current = own.current, current != own, current != refused else { return nil }
        return current
    }

    /// Ends the upgrade, and refuses its program from now on.
    mutating func refuse() -> Upgrade? {
        guard let given = upgrade else { return nil }
        upgrade = nil
        if let trial = given.trial { _ = kill(trial, SIGKILL) }
        refused = given.program
        return given
    }
}

/// When its program is replaced on disk, the launcher executes the new program in its process: workers stay its children.
extension Launcher {
    /// For the new program's answer, and for fork servers to finish what they began.
    private static let upgradePatience: Int64 = 12_000_000_000

    /// Starts an upgrade where the program was replaced; true when the new `intentd` has to wait for it.
    func beginsUpgrade(for supervisor: SharedFileDescriptor) -> Bool {
        if replacement.upgrade != nil {
            replacement.upgrade?.supervisor = supervisor
            return true
        }
        guard outlivesSupervisor, let current = replacement.candidate else { return false }
        do {
            let trial = try ChildProcess.start(
                current.path,
                arguments: [LauncherArguments.takesOver, String(LauncherState.currentVersion)]
            )
            replacement.upgrade = Upgrade(program: current, supervisor: supervisor, trial: trial.number)
            let end = ClockReading.monotonicNanoseconds() + Self.upgradePatience
            replacement.upgrade?.timer = try loop.timer(atNanoseconds: end) { [weak self] in
                self?.giveUpUpgrade("it did not answer within 12 s")
            }
        } catch {
            giveUpUpgrade("it cannot be started: \(error)")
            return false
        }
        // The intentd that requested these launches has disconnected. Launches that began are finished first.
        dropStateWaiters()
        for sandbox in Array(sandboxes.values) {
            sandbox.forkServer?.waiting = []
            retire(sandbox)
        }
        return true
    }

    /// The new program's answer; true when the process was that.
    func trialEnded(_ end: ChildReaper.End) -> Bool {
        guard let trial = replacement.upgrade?.trial, trial == end.process else { return false }
        replacement.upgrade?.trial = nil
        if end.isSignal || end.number != 0 {
            let what = end.isSignal ? "was ended by signal \(end.number)" : "exited with \(end.number)"
            giveUpUpgrade("asked whether it can take over, it \(what)")
        }
        return true
    }

    /// Executes the new program once no launch is under way.
    func upgradeWhenSettled() {
        guard let upgrade = replacement.upgrade, upgrade.trial == nil, !isQuitting else { return }
        for sandbox in sandboxes.values {
            guard sandbox.report == nil, sandbox.forkServer?.preparations.isEmpty ?? true else { return }
        }
        do {
            try become(upgrade)
        } catch {
            giveUpUpgrade("\(error)")
        }
    }

    /// Continues with the old program, and does not try the new one again.
    private func giveUpUpgrade(_ reason: String) {
        guard let given = replacement.refuse() else { return }
        journal.write(
            .error,
            "'\(given.program.path)' was replaced, but the new program cannot take over: \(reason). Continuing with the old one."
        )
        serve(given.supervisor)
    }

    private func become(_ upgrade: Upgrade) throws {
        // The next program adopts only places that are in use.
        for sandbox in sandboxes.values { sandbox.forkServer?.dropPlaces() }
        for slot in slots.values where slot.isReported { slot.removeLeaf() }
        guard let state = state(for: upgrade.supervisor) else { return }
        let memory = try MemoryFile.sealed(name: "intentd-launcher-state", WireCoding.encode(state)[...])
        let kept = state.descriptors + [memory.rawValue]
        for descriptor in kept { try FileDescriptor.setCloseOnExec(descriptor, false) }
        journal.write(.notice, "executing the new launcher program, with \(slots.count) workers")
        if identities.isAvailable { try Capabilities.keepOverExec() }
        let own = CommandLine.arguments.dropFirst()
        let arguments =
            LauncherArguments.withoutResumption(Array(own)) + [LauncherArguments.resume, String(memory.rawValue)]
        let error = ProcessFacts.become(upgrade.program.path, arguments)
        for descriptor in kept { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        throw error
    }

    private func state(for supervisor: SharedFileDescriptor) -> LauncherState? {
        guard let listener else { return nil }
        return LauncherState(
            listener: listener.rawValue,
            supervisor: supervisor.rawValue,
            notes: adoption.notes?.rawValue,
            inputs: adoption.inputs.map { LauncherState.Input(run: $0.key, socket: $0.value.rawValue) },
            lastSlot: adoption.lastSlot,
            lastSandbox: sandboxes.lastNumber,
            lostNanoseconds: adoption.lostNanoseconds,
            cgroups: isolation.host.cgroups?.place,
            removers: Array(children.removers),
            staleFolders: Array(children.staleFolders),
            sandboxes: sandboxes.values.map(LauncherState.Sandbox.init),
            slots: slots.values.map(LauncherState.Slot.init)
        )
    }

    // MARK: The other side

    /// Adopts what the program before this one left.
    func resume(_ state: LauncherState) {
        // Descriptors that are not adopted must not be inherited by children.
        for descriptor in state.descriptors { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        sandboxes.restore(lastNumber: state.lastSandbox)
        children.restore(removers: state.removers, staleFolders: state.staleFolders)
        for left in state.sandboxes {
            // Without its cgroup it still ends with its pid 1.
            let group = left.group.flatMap { try? isolation.host.cgroups?.group(at: $0, user: left.ids?.app) }
            let sandbox = Sandbox(left, group: group)
            sandboxes.add(sandbox)
            children.add(sandbox)
        }
        for left in state.slots {
            do {
                try adopt(left)
            } catch {
                journal.write(.error, "worker \(left.process) cannot be adopted (\(error)), killing it")
                if left.processEnd == nil { _ = kill(left.process, SIGKILL) }
            }
        }
        journal.write(.notice, "took over \(slots.count) workers from the program before this one")
        // Children that exited during the upgrade.
        reap()
        for sandbox in Array(sandboxes.values) { retire(sandbox) }
    }

    private func adopt(_ left: LauncherState.Slot) throws {
        let sandbox = left.sandbox.flatMap { sandboxes[$0] }
        let place = RunPlace(
            number: left.id.number,
            directory: try RunDirectory(existing: left.directory, of: sandbox?.ids?.app ?? left.openUser),
            leaf: try left.leaf.flatMap { try isolation.host.cgroups?.leaf(at: $0) }
        )
        let slot = Slot(left, at: place, sandbox: sandbox, closer: closer.closer)
        add(slot)
        sandbox?.slots.insert(slot.id)
    }
}

extension LauncherState {
    /// - Throws: ``SystemError``, ``WireError``; ``UnmetNeed`` for a state that is not ours to read.
    init(in memory: SharedFileDescriptor) throws {
        guard let bytes = try File.readAll(memory.rawValue, limit: 1 << 26) else {
            throw UnmetNeed("the state of the program before this one is larger than 64 MiB")
        }
        self = try WireCoding.decode(Self.self, from: bytes)
        guard Self.understands(version) else {
            throw UnmetNeed("the program before this one left a state of version \(version)")
        }
    }
}

extension LauncherState.Sandbox {
    fileprivate init(_ sandbox: Sandbox) {
        let use: Use
        switch sandbox.use {
        case .worker: use = .worker
        case .forkServer, .remains: use = .remains
        }
        self.init(
            number: sandbox.number,
            app: sandbox.owner.app,
            user: sandbox.owner.user,
            account: sandbox.owner.account,
            ids: sandbox.ids,
            folder: sandbox.folder,
            group: sandbox.group?.path,
            isolation: sandbox.isolation,
            use: use,
            initProcess: sandbox.initProcess,
            server: sandbox.server,
            isInitReaped: sandbox.isInitReaped,
            serverEnd: sandbox.serverEnd
        )
    }
}

extension Sandbox {
    fileprivate convenience init(_ left: LauncherState.Sandbox, group: CgroupGroup?) {
        let use: Use
        switch left.use {
        case .worker: use = .worker(nil)
        case .remains: use = .remains
        }
        self.init(
            number: left.number,
            owner: SandboxOwner(app: left.app, user: left.user, account: left.account),
            ids: left.ids,
            folder: left.folder,
            group: group,
            isolation: left.isolation,
            use: use
        )
        started(initProcess: left.initProcess, server: left.server)
        isInitReaped = left.isInitReaped
        serverEnd = left.serverEnd
    }
}

extension LauncherState.Slot {
    fileprivate init(_ slot: Slot) {
        self.init(
            id: slot.id,
            process: slot.process,
            directory: slot.directory.path,
            openUser: slot.sandbox == nil ? slot.directory.user : nil,
            leaf: slot.isReported ? nil : slot.leaf?.path,
            sandbox: slot.sandbox?.number,
            diskLimit: slot.diskLimit,
            isolation: slot.isolation,
            keptEnds: slot.keptEnds.map(\.rawValue),
            orphans: Array(slot.orphans),
            leftoverProcessCount: slot.leftoverProcessCount,
            processEnd: slot.processEnd,
            usage: slot.usage,
            end: slot.end,
            exceeded: slot.exceeded,
            isReleased: slot.isReleased,
            keptRun: slot.keptRun,
            state: slot.state
        )
    }
}
