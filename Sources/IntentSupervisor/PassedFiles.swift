import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// The files that clients pass to runs, and the values that are never recorded: kept until the run has them, and where
/// possible also at the launcher, for the next `intentd`.
///
/// Belongs to the loop's thread.
final class PassedFiles {
    /// The maximum number of files that are kept for runs that have not begun. Each uses a descriptor.
    static let heldDescriptorLimit = 8192
    /// The maximum number of these files that outlive this `intentd`.
    private static let keptLimit = 256
    /// The text of a record that has only files.
    private static let noWords: [UInt8] = [1]

    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let closing: ClosingThreads
    private let faults: FaultPoints
    /// Another `intentd` can continue the runs.
    private let outliveUs: Bool
    /// Files of clients, until their run begins.
    private var files: [RunID: [SharedFileDescriptor]] = [:]
    /// The users of those files that this `intentd` received itself.
    private var users: [RunID: Caller] = [:]
    /// Files of answers, until their run receives them.
    private var answerFiles: [RunID: [SharedFileDescriptor]] = [:]
    /// The values of runs that are never recorded.
    private var remainders: [RunID: RunRemainder] = [:]
    /// Runs of which the launcher keeps something for the next `intentd`.
    private var keptAtLauncher: Set<RunID> = []
    /// Runs with files that an earlier `intentd` kept, until it is known which runs wait for them.
    private var inherited: Set<RunID> = []

    init(
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        closing: ClosingThreads,
        faults: FaultPoints,
        outliveUs: Bool
    ) {
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.closing = closing
        self.faults = faults
        self.outliveUs = outliveUs
    }

    // MARK: Received from clients

    /// Decides which descriptors are accepted as files of this user.
    func inputFile(writable: Set<Int>, for user: Caller) -> InputFile {
        InputFile(
            writable: writable,
            grade: decisions.table.isolation?.grade,
            closer: closing.closer(for: .user(user.uid))
        )
    }

    /// Why no more files of the user are accepted now; nil when they are.
    func refusal(for user: Caller, in clients: ClientSessions) -> ErrorReport? {
        // A file that hangs in close(2) still has its descriptor.
        let held = files.values.reduce(closing.waitingCount) { $0 + $1.count } + clients.heldDescriptorCount
        let own =
            closing.waitingCount(in: .user(user.uid))
            + files.reduce(0) { $0 + (users[$1.key] == user ? $1.value.count : 0) }
            + clients.heldDescriptorCount(of: user)
        guard !FairShare.hasRoom(own: own, taken: held, limit: Self.heldDescriptorLimit) else { return nil }
        return ErrorReport(.busy, "too many of your files wait for their runs", hint: "try again in a moment")
    }

    /// Keeps the files of a run until it begins.
    func keep(_ passed: [SharedFileDescriptor], for run: RunID, of user: Caller) {
        if !passed.isEmpty { users[run] = user }
        files[run] = passed
        keepAtLauncher(run)
    }

    /// Keeps the values of a run that are never recorded.
    func keep(_ remainder: RunRemainder?, for run: RunID) {
        remainders[run] = remainder
        keepAtLauncher(run)
    }

    /// Lets the run table decide about an answer with these files.
    func answer(_ request: RunTable.Event, _ passed: [SharedFileDescriptor], to run: RunID?) {
        guard !passed.isEmpty, let run, let question = decisions.table.openQuestion(of: run) else {
            return decisions.handle(request)
        }
        answerFiles[run] = passed
        decisions.handle(request)
        // The answer was not accepted, and the question is still open.
        if decisions.table.openQuestion(of: run) == question { answerFiles[run] = nil }
    }

    // MARK: Passed to runs

    func remainder(of run: RunID) -> RunRemainder? { remainders[run] }

    /// The files that belong to a command to the worker in this slot.
    func files(for command: WorkerCommand, in slot: SlotID) -> [SharedFileDescriptor] {
        switch command {
        case .perform(let perform): return files[perform.run] ?? []
        case .answer(_, _, let count):
            guard let run = decisions.table.run(of: slot) else { return [] }
            return Array((answerFiles.removeValue(forKey: run) ?? []).prefix(count))
        case .files, .cancel, .refuse, .acknowledge, .resume: return []
        }
    }

    /// Notes that the run has its files and values. From here on only the answers to its questions are kept.
    func runHasFiles(_ run: RunID) {
        let rest = remainders[run]?.ofBegunRun
        drop(run)
        guard let rest else { return }
        files[run] = []
        keep(rest, for: run)
    }

    /// The run has ended: no other `intentd` needs what the launcher keeps of it.
    func handOver(_ run: RunID) {
        keptAtLauncher.remove(run)
        forget(run)
    }

    func forget(_ run: RunID) {
        drop(run)
        answerFiles[run] = nil
    }

    private func drop(_ run: RunID) {
        files[run] = nil
        users[run] = nil
        remainders[run] = nil
        inherited.remove(run)
        guard keptAtLauncher.remove(run) != nil else { return }
        launcher.send(.dropInputs(run: run))
        decisions.handle(.inputsDropped(run))
    }

    // MARK: Kept for the next intentd

    private func keepAtLauncher(_ run: RunID) {
        let passed = files[run] ?? []
        let remainder = remainders[run]
        guard !passed.isEmpty || remainder != nil, outliveUs else { return }
        // The kernel counts a user's descriptors in flight against the limit of each of the user's processes that sends
        // (unix(7), ETOOMANYREFS), and workers send too: only a few outlive intentd.
        let keptCount = keptAtLauncher.reduce(0) { $0 + ($1 == run ? 0 : max(1, files[$1]?.count ?? 0)) }
        guard keptCount + max(1, passed.count) <= Self.keptLimit else { return }
        // The files wait in the queue of a socket. The launcher keeps the socket, and opens none of the files.
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            var rest = passed[...]
            var words = remainder.map(WireCoding.encode) ?? Self.noWords
            repeat {
                let part = Array(rest.prefix(Frame.descriptorLimit))
                guard
                    try UnixSocket.send(words[...], descriptors: part, on: ends.first.rawValue, waiting: .never) != nil
                else { return }
                words = Self.noWords
                rest = rest.dropFirst(part.count)
            } while !rest.isEmpty
            launcher.send(.keepInputs(run: run), descriptors: [ends.second])
            noteKept(run)
        } catch {
            journal.write(.warning, "files of run \(run) would not outlive intentd: \(error)")
        }
    }

    private func noteKept(_ run: RunID) {
        keptAtLauncher.insert(run)
        // With answers alone, a run with files or secret values could not start.
        if files[run]?.isEmpty == false || remainders[run]?.secrets != nil { decisions.handle(.inputsKept(run)) }
    }

    /// Files that an earlier `intentd` had kept for a run. They stay where they are for the next one.
    func inherit(_ run: RunID, from socket: SharedFileDescriptor) {
        do {
            inherited.insert(run)
            let kept = try UnixSocket.messagesWaiting(on: socket.rawValue, closer: closing.closer(for: .others))
            files[run] = kept.descriptors
            let words = Array(kept.bytes.prefix { $0 != Self.noWords[0] })
            if !words.isEmpty { remainders[run] = try? WireCoding.decode(RunRemainder.self, from: words) }
            noteKept(run)
        } catch {
            journal.write(.warning, "files of run \(run) did not outlive the intentd before: \(error)")
        }
        faults.pass()
    }

    /// Releases inherited files that no recorded run waits for.
    func dropInherited(besidesThoseOf runs: [UnfinishedRun]) {
        let counts = Dictionary(runs.map { ($0.run, $0.accepted.fileCount) }, uniquingKeysWith: { first, _ in first })
        for run in inherited {
            let count = files[run]?.count ?? 0
            // A run that has begun has received its files.
            if counts[run] == nil || counts[run] != count && (count > 0 || remainders[run] == nil) { drop(run) }
        }
        inherited = []
    }
}
