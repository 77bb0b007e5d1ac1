import IntentLinux
import IntentSandbox
import IntentWire

extension LauncherState {
    init(
        listener: SharedFileDescriptor,
        supervisor: SharedFileDescriptor,
        _ adoption: AdoptionState,
        _ sandboxes: Sandboxes,
        _ workers: Workers,
        _ children: ChildTable,
        cgroups: CgroupTree?
    ) {
        self.init(
            listener: listener.rawValue,
            supervisor: supervisor.rawValue,
            notes: adoption.notes?.rawValue,
            inputs: adoption.inputs.map { Input(run: $0.key, socket: $0.value.rawValue) },
            lastSlot: adoption.lastSlot,
            lastSandbox: sandboxes.lastNumber,
            lostNanoseconds: adoption.lostNanoseconds,
            cgroups: cgroups?.location,
            removers: Array(children.removers),
            staleFolders: Array(children.staleFolders),
            sandboxes: sandboxes.all.map(Sandbox.init),
            slots: workers.all.map(Slot.init)
        )
    }

    /// - Throws: ``SystemError``, ``WireError``, or ``UnmetNeed`` for a state that is too large or of an unknown
    ///   version.
    init(in memory: SharedFileDescriptor) throws {
        guard let bytes = try File.readAll(memory.rawValue, limit: 1 << 26) else {
            throw UnmetNeed("the replaced program's state is larger than 64 MiB")
        }
        self = try WireCoding.decode(Self.self, from: bytes)
        guard Self.understands(version) else {
            throw UnmetNeed("the replaced program left a state of version \(version), which this program cannot read")
        }
    }
}

extension LauncherState.Sandbox {
    init(_ sandbox: Sandbox) {
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
    convenience init(_ left: LauncherState.Sandbox, group: CgroupGroup?) {
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
    init(_ slot: Slot) {
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
