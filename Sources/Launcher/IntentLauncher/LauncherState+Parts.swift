import IntentLauncherMessages
import IntentLinux
import IntentSandbox

extension LauncherState {
    /// Reads the state that the replaced program wrote to a memory file.
    ///
    /// - Throws: ``SystemError``, ``WireError``, or ``UnmetRequirement`` if the state is too large or has an unknown
    ///   version.
    init(in memory: SharedFileDescriptor) throws {
        guard let bytes = try File.readAll(memory.rawValue, limit: 1 << 26) else {
            throw UnmetRequirement("the replaced program's state is larger than 64 MiB")
        }
        self = try WireCoding.decode(Self.self, from: bytes)
        guard Self.canRead(version) else {
            throw UnmetRequirement("the replaced program's state has the unknown version \(version)")
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
    convenience init(_ saved: LauncherState.Sandbox, group: CgroupGroup?) {
        let use: Use
        switch saved.use {
        case .worker: use = .worker(nil)
        case .remains: use = .remains
        }
        self.init(
            number: saved.number,
            owner: SandboxOwner(app: saved.app, user: saved.user, account: saved.account),
            ids: saved.ids,
            folder: saved.folder,
            group: group,
            isolation: saved.isolation,
            use: use
        )
        started(initProcess: saved.initProcess, server: saved.server)
        isInitReaped = saved.isInitReaped
        serverEnd = saved.serverEnd
    }
}

extension LauncherState.Egress {
    init(_ link: EgressLink) {
        self.init(
            connection: link.connection?.rawValue,
            process: link.process,
            served: link.served.map { sandbox, served in
                Served(
                    sandbox: sandbox,
                    grants: served.grants,
                    sockets: served.sockets.map(\.rawValue),
                    generation: served.generation
                )
            },
            open: link.open
        )
    }

    func adopt(in link: EgressLink) {
        let served = served.map { saved in
            let sockets = saved.sockets.map { SharedFileDescriptor(owning: $0) }
            let served = EgressLink.Served(grants: saved.grants, sockets: sockets, generation: saved.generation)
            return (saved.sandbox, served)
        }
        link.adopt(
            Dictionary(served) { _, last in last },
            connection: connection.map { SharedFileDescriptor(owning: $0) },
            process: process,
            open: open ?? []
        )
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
