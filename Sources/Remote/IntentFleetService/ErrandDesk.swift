import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Answers other hosts' requests about runs that this host performs or has performed, and for files of runs that its
/// users have submitted.
///
/// Use an instance only on the loop's thread.
final class ErrandDesk {
    private let socket: String
    private let loop: EventLoop
    private let database: DatabaseRequests
    private let inputs: InputSpool
    private let runs: HostedRuns
    private var replies: [Int64: ErrandReply] = [:]
    private var isAsking = false
    private var asksAgain = false

    init(socket: String, database: DatabaseRequests, inputs: InputSpool, runs: HostedRuns, on loop: EventLoop) {
        self.socket = socket
        self.database = database
        self.inputs = inputs
        self.runs = runs
        self.loop = loop
    }

    private var holdsName: Bool { runs.node?.holdsName == true }

    /// Queries the database for this host's errands. The requesting hosts repeat their hints while they wait, so no
    /// poll is necessary.
    ///
    /// Does nothing without the lease of the host's name. The connection's role does not prove that this process is the
    /// host: another process with the name may hold the lease, and only that process has the runs and the files.
    func look() {
        guard holdsName else { return }
        guard !isAsking else {
            asksAgain = true
            return
        }
        isAsking = true
        database.ask(.list) { [weak self] result in
            guard let self else { return }
            isAsking = false
            if case .success(let rows) = result, holdsName { update(rows.compactMap(Errand.init)) }
            guard asksAgain else { return }
            asksAgain = false
            look()
        }
    }

    private func update(_ errands: [Errand]) {
        let open = Set(errands.map(\.id))
        for id in replies.keys where !open.contains(id) { replies[id] = nil }
        for errand in errands {
            if let reply = replies[errand.id] {
                reply.collected(errand.collected)
            } else {
                let reply = ErrandReply(errand, socket: socket, database: database, on: loop)
                replies[errand.id] = reply
                switch errand.kind {
                case .input: reply.start(withInput: inputs.open(errand.local, Int(clamping: errand.number)))
                case .logs, .file, .discard:
                    let live = runs.local(run: errand.run, attempt: errand.attempt)
                    reply.start(errand.local.flatMap { RunID($0) } ?? live)
                }
            }
        }
    }
}
