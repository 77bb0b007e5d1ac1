import IntentLauncherMessages

/// The sockets that wait for a process that closes them, divided among the owners of sandboxes and those who pay for
/// them.
///
/// At most one socket of an owner is being closed at a time, so a file system that does not respond delays only the
/// owner's sockets. A payer may have at most as many processes as remain free. An owner or a payer with too many waiting
/// sockets gets no further workers, because the workers' sockets would wait too.
struct SocketQueue<Socket> {
    struct Lane: Hashable {
        /// Nil for sockets that no owner of a sandbox has.
        var owner: SandboxOwner?
        var payer: SandboxPayer
    }

    /// The maximum number of processes.
    let processLimit: Int
    /// The number of an owner's waiting sockets from which the owner gets no workers.
    static var ownerLimit: Int { 256 }
    /// The number of waiting sockets that payers share.
    static var limit: Int { 4096 }

    private var waiting: [Lane: [Socket]] = [:]
    /// The lanes with waiting sockets, in the order of their turns.
    private var order: [Lane] = []
    private var closing: Set<Lane> = []
    private var count = 0
    private var countOfPayer = Tally<SandboxPayer>()
    private var processesOfPayer = Tally<SandboxPayer>()

    init(processLimit: Int) {
        self.processLimit = processLimit
    }

    mutating func add(_ socket: Socket, in lane: Lane) {
        if waiting[lane] == nil { order.append(lane) }
        waiting[lane, default: []].append(socket)
        count += 1
        countOfPayer.add(lane.payer)
    }

    /// True if ``next()`` returns a socket.
    var hasNext: Bool { order.contains(where: mayClose) }

    /// Removes the next socket for a process that is idle. Call ``closed(in:)`` when it is closed, or when the process
    /// has exited.
    mutating func next() -> (socket: Socket, lane: Lane)? {
        guard let index = order.firstIndex(where: mayClose) else { return nil }
        let lane = order.remove(at: index)
        guard let socket = waiting[lane]?.removeFirst() else { return nil }
        if waiting[lane]?.isEmpty == true { waiting[lane] = nil } else { order.append(lane) }
        count -= 1
        countOfPayer.remove(lane.payer)
        closing.insert(lane)
        processesOfPayer.add(lane.payer)
        return (socket, lane)
    }

    mutating func closed(in lane: Lane) {
        guard closing.remove(lane) != nil else { return }
        processesOfPayer.remove(lane.payer)
    }

    /// Returns true if the sockets of an owner's next worker may wait as well.
    func hasRoom(in lane: Lane) -> Bool {
        (waiting[lane]?.count ?? 0) < Self.ownerLimit
            && FairShare.hasRoom(own: countOfPayer[lane.payer], taken: count, limit: Self.limit)
    }

    private func mayClose(_ lane: Lane) -> Bool {
        !closing.contains(lane)
            && FairShare.hasRoom(own: processesOfPayer[lane.payer], taken: closing.count, limit: processLimit)
    }
}
