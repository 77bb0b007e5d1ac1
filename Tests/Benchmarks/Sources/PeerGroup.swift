/// Peers that measure the same figure in turns with intentd, and their samples so far.
final class PeerGroup {
    private struct Member {
        var peer: Peer?
        var name: String
        var samples = Samples()
        var problem: String?
    }

    private var members: [Member] = []

    /// Starts the peers. A peer that does not start is reported as absent.
    init(_ kinds: [PeerKind], _ options: BenchmarkOptions) {
        for kind in kinds {
            var member = Member(name: kind.rawValue)
            do {
                member.peer = try kind.start(options)
            } catch {
                member.problem = "\(error)"
                Console.say("  \(kind.rawValue) is absent: \(error)")
            }
            members.append(member)
        }
    }

    /// Lets each peer measure once.
    func measure(_ command: (PeerKind) -> String) {
        for index in members.indices {
            guard let peer = members[index].peer, let kind = PeerKind(rawValue: members[index].name) else { continue }
            do {
                members[index].samples += try peer.measure(command(kind))
            } catch {
                members[index].problem = "\(error)"
                members[index].peer = nil
                Console.say("  \(members[index].name): \(error)")
            }
        }
    }

    func measure(_ command: String) { measure { _ in command } }

    /// Returns the samples since the previous call.
    func comparisons(worst: Figure.Unit? = nil) -> [Comparison] {
        members.indices.map { index in
            defer { members[index].samples = Samples() }
            let member = members[index]
            if member.samples.count == 0 {
                return Comparison(member.name, problem: member.problem ?? "it measured nothing")
            }
            return Comparison(member.name, member.samples, worst: worst)
        }
    }
}

/// The peers of the benchmarks.
enum PeerKind: String {
    /// Celery's prefork pool: warm processes that perform many tasks each.
    case celery = "Celery pool"
    /// Celery with a process for each task (`max_tasks_per_child=1`).
    case celeryFresh = "Celery fresh"
    /// DBOS on SQLite: durable functions in the calling process.
    case dbos = "DBOS"
    /// RQ's default worker, which forks for each job.
    case rq = "RQ fork"
    /// RQ's worker that performs jobs in its own process.
    case rqWarm = "RQ warm"

    func start(_ options: BenchmarkOptions) throws -> Peer {
        guard let python = options.python else { throw BenchmarkError("not installed") }
        let (program, flavour) =
            switch self {
            case .celery: ("celery_peer.py", "pool")
            case .celeryFresh: ("celery_peer.py", "fresh")
            case .dbos: ("dbos_peer.py", "sqlite")
            case .rq: ("rq_peer.py", "fork")
            case .rqWarm: ("rq_peer.py", "warm")
            }
        return try Peer(rawValue, python, ["\(options.peerFolder)/\(program)", flavour])
    }

    /// The number of tasks, submitted at once, that take it about a second.
    var burst: Int {
        switch self {
        case .celery: 800
        case .celeryFresh: 16
        case .dbos: 100
        case .rq: 100
        case .rqWarm: 400
        }
    }

    /// The number of successive calls that take it about half a second.
    var calls: Int {
        switch self {
        case .celery: 50
        case .celeryFresh: 4
        case .dbos: 10
        case .rq: 20
        case .rqWarm: 50
        }
    }
}
