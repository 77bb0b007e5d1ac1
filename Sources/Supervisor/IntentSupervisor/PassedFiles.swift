import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The files and unrecorded values that clients pass to runs. They are kept until the run has received them. If
/// possible, the launcher also keeps them for the next `intentd`.
///
/// Must be used only on the event loop's thread.
final class PassedFiles {
    /// The maximum number of files for runs that have not begun. Each file uses a descriptor.
    static let heldDescriptorLimit = 8192
    /// The content of a message that stores files, but no values, in a kept socket.
    private static let emptyMessage: [UInt8] = [1]

    private let journal: Journal
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let closing: ClosingThreads
    let copies: FileCopies
    private let faults: FaultPoints
    /// True if another `intentd` can continue the runs.
    private let outliveSupervisor: Bool
    /// The files that clients passed, until the run begins.
    private var files: [RunID: [SharedFileDescriptor]] = [:]
    /// The accounts that pay for the files. Files inherited from an earlier intentd are included once the history has
    /// reported their runs.
    private var accounts: [RunID: Account] = [:]
    /// The files of runs that `Retry=` repeats if they fail, and the accounts that pay for them, until no repetition
    /// follows.
    private var repeatable: [RunID: (files: [SharedFileDescriptor], account: Account)] = [:]
    /// The files of answers, until the run receives them.
    private var answerFiles: [RunID: [SharedFileDescriptor]] = [:]
    /// Values that must not be recorded, by run.
    private var remainders: [RunID: RunRemainder] = [:]
    /// The runs with files or values that the launcher keeps for the next `intentd`.
    private var kept = KeptInputs()
    /// The accounts of the sockets that the launcher returns, because no `intentd` needs their files, by run.
    private var returning: [RunID: [Account]] = [:]
    /// Runs with files that an earlier `intentd` kept. Emptied once the history has reported which runs need files.
    private var inherited: Set<RunID> = []

    init(
        journal: Journal,
        decisions: RunDecisions,
        launcher: LauncherConnection,
        closing: ClosingThreads,
        copies: FileCopies,
        faults: FaultPoints,
        outliveSupervisor: Bool
    ) {
        self.journal = journal
        self.decisions = decisions
        self.launcher = launcher
        self.closing = closing
        self.copies = copies
        self.faults = faults
        self.outliveSupervisor = outliveSupervisor
    }

    // MARK: Received from clients

    /// Returns the rules for files that this account passes.
    func inputFile(writable: Set<Int>, for account: Account) -> InputFile {
        InputFile(
            writable: writable,
            grade: decisions.table.isolation?.grade,
            closer: closing.closer(for: .account(account))
        )
    }

    /// Returns the reason why no more files from the account are accepted now, or nil if more files are accepted.
    func refusal(for account: Account, in clients: ClientSessions) -> ErrorReport? {
        // Also count the descriptors that are waiting to be closed, because a file that hangs in close(2) still
        // occupies a descriptor.
        let held =
            files.values.reduce(closing.waitingCount) { $0 + $1.count } + clients.heldDescriptorCount
            + 2 * copies.fileCount + repeatable.values.reduce(0) { $0 + $1.files.count }
        let own =
            closing.waitingCount(in: .account(account))
            + files.reduce(0) { $0 + (accounts[$1.key] == account ? $1.value.count : 0) }
            + repeatable.values.reduce(0) { $0 + ($1.account == account ? $1.files.count : 0) }
            + clients.heldDescriptorCount(of: account) + 2 * copies.fileCount(of: account)
        guard !FairShare.hasRoom(own: own, taken: held, limit: Self.heldDescriptorLimit) else { return nil }
        return ErrorReport(
            .busy,
            "too many of your files are waiting for runs that have not begun",
            hint: "try again in a moment"
        )
    }

    /// Keeps the files of a run until the run begins.
    func keep(_ passed: [SharedFileDescriptor], for run: RunID, of account: Account) {
        accounts[run] = account
        files[run] = passed
        passToLauncher(run)
    }

    /// Passes the files of a failed run to its repetition.
    ///
    /// - Returns: False if the files are not known, because `intentd` has restarted.
    func pass(from earlier: RunID, to repetition: RunID) -> Bool {
        guard let kept = repeatable.removeValue(forKey: earlier) else { return false }
        keep(kept.files, for: repetition, of: kept.account)
        repeatable[repetition] = kept
        return true
    }

    /// Keeps values of a run that must not be recorded.
    func keep(_ remainder: RunRemainder?, for run: RunID) {
        remainders[run] = remainder
        passToLauncher(run)
    }

    /// Passes an answer with files to the run table. If the run table refuses the answer, its files are released.
    ///
    /// - Parameter copiedByteCount: The size of the files that are copies.
    func answer(
        _ request: RunTable.Event,
        _ passed: [SharedFileDescriptor],
        copiedByteCount: Int = 0,
        to run: RunID?,
        refused: () -> Void = {}
    ) {
        guard !passed.isEmpty, let run, let question = decisions.table.openQuestion(of: run) else {
            decisions.handle(request)
            return refused()
        }
        answerFiles[run] = passed
        decisions.handle(request)
        // If the question is still open, the run table refused the answer.
        guard decisions.table.openQuestion(of: run) == question else {
            return noteCopies(ofByteCount: copiedByteCount, for: run)
        }
        answerFiles[run] = nil
        refused()
    }

    /// Adds copies to the state that the next `intentd` receives, so that it counts them until the run has ended.
    private func noteCopies(ofByteCount count: Int, for run: RunID) {
        guard count > 0, decisions.table.account(of: run) != nil else { return }
        if var remainder = remainders[run] {
            remainder.copiedByteCount = (remainder.copiedByteCount ?? 0) + count
            keep(remainder, for: run)
        } else {
            keep(RunRemainder(secrets: nil, answers: nil, copiedByteCount: count), for: run)
        }
    }

    // MARK: Passed to runs

    func remainder(of run: RunID) -> RunRemainder? { remainders[run] }

    /// Returns the files to pass with a command to the run's worker.
    func files(for command: WorkerCommand, of run: RunID) -> [SharedFileDescriptor] {
        switch command {
        case .perform: files[run] ?? []
        case .answer(_, _, let count): Array((answerFiles.removeValue(forKey: run) ?? []).prefix(count))
        case .files, .cancel, .refuse, .acknowledge, .resume: []
        }
    }

    /// Returns one of a run's files; nil if the files are not known.
    func file(_ index: Int, of run: RunID) -> SharedFileDescriptor? {
        guard let passed = files[run], passed.indices.contains(index) else { return nil }
        return passed[index]
    }

    /// Records that the run has received its files and values. From now on, only its answers in advance are kept.
    func runHasFiles(_ run: RunID) {
        let rest = remainders[run]?.ofBegunRun
        if let passed = files[run], !passed.isEmpty, decisions.table.mayRepeat(run),
            let account = accounts[run] ?? decisions.table.account(of: run),
            // The run rewinds the files of an earlier attempt, which are still at their end.
            repeatable[run] != nil || passed.allSatisfy(InputFile.isRepeatable)
        {
            repeatable[run] = (passed, account)
            decisions.handle(.filesRepeatable(run))
        }
        drop(run)
        guard let rest else { return }
        files[run] = []
        keep(rest, for: run)
    }

    /// Releases the files of a run that is left to the next `intentd`. The launcher keeps its copies.
    func handOver(_ run: RunID) {
        kept.remove(run)
        forget(run)
    }

    /// Releases the files of a run that has ended, in this process and in the launcher.
    func forget(_ run: RunID) {
        drop(run)
        for run in Array(repeatable.keys) where !decisions.table.needsFiles(of: run) { repeatable[run] = nil }
        answerFiles[run] = nil
        copies.budget.release(run)
    }

    private func drop(_ run: RunID) {
        let known = accounts.removeValue(forKey: run)
        files[run] = nil
        remainders[run] = nil
        inherited.remove(run)
        guard kept.remove(run) else { return }
        if let account = known ?? decisions.table.account(of: run) { returning[run, default: []].append(account) }
        launcher.send(.dropInputs(run: run))
        decisions.handle(.inputsDropped(run))
    }

    // MARK: Kept for the next intentd

    /// Closes the files in a socket that the launcher has returned, and counts them as the account's until they are
    /// closed.
    func close(_ socket: SharedFileDescriptor, of run: RunID) {
        let account = returning[run]?.removeFirst()
        if returning[run]?.isEmpty == true { returning[run] = nil }
        let closer = closing.closer(for: account.map { .account($0) } ?? .others)
        // Each file that is received is closed by a thread. The empty socket can then be closed at once.
        while let received = try? UnixSocket.receive(
            from: socket.rawValue,
            upTo: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit,
            closer: closer,
            waiting: .never
        ) {
            switch received {
            case .message, .truncated: continue
            case .end, .wouldBlock: return
            }
        }
    }

    private func passToLauncher(_ run: RunID) {
        let passed = files[run] ?? []
        let remainder = remainders[run]
        guard !passed.isEmpty || remainder != nil, outliveSupervisor,
            let account = accounts[run] ?? decisions.table.account(of: run)
        else { return }
        let wasKept = kept.contains(run)
        guard kept.keep(fileCount: passed.count, for: run, of: account) else { return }
        // The files stay in the queue of a socket. The launcher keeps that socket and never receives the files.
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            var rest = passed[...]
            var bytes = remainder.map(WireCoding.encode) ?? Self.emptyMessage
            repeat {
                let part = Array(rest.prefix(Frame.descriptorLimit))
                guard
                    try UnixSocket.send(bytes[...], descriptors: part, on: ends.first.rawValue, waiting: .never) != nil
                else { return unkeep(run, if: !wasKept) }
                bytes = Self.emptyMessage
                rest = rest.dropFirst(part.count)
            } while !rest.isEmpty
            launcher.send(.keepInputs(run: run), descriptors: [ends.second])
            noteKept(run)
        } catch {
            unkeep(run, if: !wasKept)
            journal.write(.warning, "cannot keep the files of run \(run) for the next intentd: \(error)")
        }
    }

    private func unkeep(_ run: RunID, if isNew: Bool) { if isNew { kept.remove(run) } }

    /// Reports to the run table that the launcher keeps the inputs of a run.
    private func noteKept(_ run: RunID) {
        // Answers alone do not suffice to start a run with files or secret values, so they do not count as the run's
        // inputs.
        if files[run]?.isEmpty == false || remainders[run]?.secrets != nil { decisions.handle(.inputsKept(run)) }
    }

    /// Receives the files that an earlier `intentd` kept for a run. The files also stay in the socket for the next
    /// `intentd`.
    func inherit(_ run: RunID, from socket: SharedFileDescriptor) {
        do {
            inherited.insert(run)
            let waiting = try UnixSocket.messagesWaiting(on: socket.rawValue, closer: closing.closer(for: .others))
            files[run] = waiting.descriptors
            let bytes = Array(waiting.bytes.prefix { $0 != Self.emptyMessage[0] })
            if !bytes.isEmpty { remainders[run] = try? WireCoding.decode(RunRemainder.self, from: bytes) }
            copies.inherit(remainders[run]?.totalCopiedByteCount ?? 0, for: run)
            kept.inherit(fileCount: waiting.descriptors.count, for: run)
            noteKept(run)
        } catch {
            journal.write(.warning, "cannot read the files of run \(run) that the previous intentd kept: \(error)")
        }
        faults.pass()
    }

    /// Releases the inherited files that no recorded run needs. The callers of the recorded runs pay for the others.
    func dropInherited(except runs: [UnfinishedRun]) {
        for run in runs where inherited.contains(run.run) {
            let account = decisions.table.account(of: run.accepted.caller.caller)
            accounts[run.run] = account
            kept.assign(run.run, to: account)
            copies.assign(run.run, to: account)
        }
        let counts = Dictionary(runs.map { ($0.run, $0.accepted.fileCount) }, uniquingKeysWith: { first, _ in first })
        for run in inherited {
            let count = files[run]?.count ?? 0
            // Keep a run that has begun, although its number of files differs from the record: it has already received
            // its files, and only its answers in advance remain.
            if counts[run] == nil || counts[run] != count && (count > 0 || remainders[run] == nil) { forget(run) }
        }
        inherited = []
    }
}
