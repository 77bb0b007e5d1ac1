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
    /// Returns intentd's identifier for one of a run's attempts; nil if the attempt has ended or intentd has not
    /// accepted it.
    private let liveRun: (Int64, Int) -> RunID?
    private let inputs: InputSpool
    private let holdsName: () -> Bool
    private var replies: [Int64: ErrandReply] = [:]
    private var isAsking = false
    private var asksAgain = false

    /// - Parameter holdsName: Returns true while the database regards this process as the host with its name.
    init(
        socket: String,
        database: DatabaseRequests,
        inputs: InputSpool,
        on loop: EventLoop,
        holdsName: @escaping () -> Bool,
        liveRun: @escaping (Int64, Int) -> RunID?
    ) {
        self.socket = socket
        self.database = database
        self.inputs = inputs
        self.holdsName = holdsName
        self.loop = loop
        self.liveRun = liveRun
    }

    /// Queries the database for this host's errands. The requesting hosts repeat their hints while they wait, so no
    /// poll is necessary.
    ///
    /// The connection's role does not prove that the errands are for this process: another process with the host's name
    /// may hold the lease, and only that process has the runs and the files.
    func look() {
        guard holdsName() else { return }
        guard !isAsking else {
            asksAgain = true
            return
        }
        isAsking = true
        database.ask(.list) { [weak self] result in
            guard let self else { return }
            isAsking = false
            if case .success(let rows) = result, holdsName() { update(rows.compactMap(Errand.init)) }
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
                    reply.start(errand.local.flatMap { RunID($0) } ?? liveRun(errand.run, errand.attempt))
                }
            }
        }
    }
}
