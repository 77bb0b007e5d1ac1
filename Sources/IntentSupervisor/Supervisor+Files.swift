import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Files that runs are given.
extension Supervisor {
    /// Rides with files that come without words.
    private static let noWords: [UInt8] = [1]

    /// A client's files, of which more come with its next run than ride with one frame.
    func gather(_ count: Int, _ id: UInt64, from session: ClientSession) {
        func refuse(_ error: ErrorReport) {
            session.gathered = []
            session.send(.answer(id: id, .refused(error)))
        }
        if let refusal = fileRefusal(for: session) { return refuse(refusal) }
        let passed = session.takeDescriptors(max(0, min(count, Frame.descriptorLimit)))
        guard passed.count == count, count > 0 else {
            return refuse(ErrorReport(.badRequest, "'files' is \(count), and \(passed.count) descriptors came"))
        }
        guard session.gathered.count + count <= Frame.fileLimit else {
            return refuse(
                ErrorReport(
                    .tooLarge,
                    "a run may be given \(Frame.fileLimit) files, and these are more",
                    hint: "pack them into one (tar)"
                )
            )
        }
        do throws(InputFileError) {
            session.gathered += try passed.files()
        } catch {
            return refuse(ErrorReport(.badParameter, error.description, hint: error.hint))
        }
        session.send(.answer(id: id, .filesReceived(count: session.gathered.count)))
    }

    /// Why no more files can be taken now; nil when they can.
    func fileRefusal(for session: ClientSession) -> ErrorReport? {
        // One that hangs in close(2) takes its room still.
        let held =
            inputs.values.reduce(closing.waitingCount) { $0 + $1.count }
            + clients.heldDescriptorCount
        let own =
            closing.waitingCount(in: .user(session.user.uid))
            + inputs.reduce(0) { $0 + (inputOwners[$1.key] == session.user ? $1.value.count : 0) }
            + clients.heldDescriptorCount(of: session.user)
        guard !FairShare.hasRoom(own: own, taken: held, limit: Self.heldDescriptorLimit) else { return nil }
        return ErrorReport(.busy, "too many of your files wait for their runs", hint: "try again in a moment")
    }

    /// Decides what is taken as a file now.
    func inputFile(writable: Set<Int>, for user: Caller) -> InputFile {
        InputFile(writable: writable, grade: runTable.isolation?.grade, closer: closing.closer(for: .user(user.uid)))
    }

    /// Accepts an answer. Its files wait until the run receives the answer.
    func take(_ answer: AnswerRequest, _ id: UInt64, from session: ClientSession) {
        func refuse(_ error: ErrorReport) { session.send(.answer(id: id, .refused(error))) }
        let count = answer.files ?? 0
        guard (0...Frame.descriptorLimit).contains(count) else {
            return refuse(ErrorReport(.badRequest, "'files' must be 0 to \(Frame.descriptorLimit)"))
        }
        let passed = session.takeDescriptors(count)
        guard passed.count == count else {
            return refuse(ErrorReport(.badRequest, "'files' is \(count), and \(passed.count) descriptors came"))
        }
        let accepted: [SharedFileDescriptor]
        do throws(InputFileError) {
            accepted = try inputFile(writable: [], for: session.user).accept(try passed.files())
        } catch {
            return refuse(ErrorReport(.badAnswer, error.description, hint: error.hint))
        }
        let request = RunTable.Event.requested(session.asker(id), .answer(answer))
        guard count > 0, let run = RunID(answer.run), let question = runTable.openQuestion(of: run) else {
            return handle(request)
        }
        answerFiles[run] = accepted
        handle(request)
        // It was not taken, and the question is open still.
        if runTable.openQuestion(of: run) == question { answerFiles[run] = nil }
    }

    /// Holds the files of a run until it begins, and what no record has of it; also where another `intentd` finds them.
    func hold(_ files: [SharedFileDescriptor], for run: RunID) {
        inputs[run] = files
        let remainder = remainders[run]
        guard !files.isEmpty || remainder != nil, launcherStays, history != nil else { return }
        // The kernel counts a user's descriptors in flight against the limit of each of the user's processes that sends
        // (unix(7), ETOOMANYREFS), and workers send too: a few outlive intentd.
        let keptCount = keptAtLauncher.reduce(0) {
            $0 + ($1 == run ? 0 : max(1, inputs[$1]?.count ?? 0))
        }
        guard keptCount + max(1, files.count) <= Self.keptInputLimit else { return }
        // In the queue of a socket: so the launcher holds them without ever having them open.
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.sequencedPacket).take()
            var rest = files[...]
            var words = remainder.map(WireCoding.encode) ?? Self.noWords
            repeat {
                let part = Array(rest.prefix(Frame.descriptorLimit))
                guard
                    try UnixSocket.send(words[...], descriptors: part, on: ends.first.rawValue, waiting: .never) != nil
                else { return }
                words = Self.noWords
                rest = rest.dropFirst(part.count)
            } while !rest.isEmpty
            launcher?.send(.keepInputs(run: run), descriptors: [ends.second])
            noteKept(run)
        } catch {
            journal.write(.warning, "files of run \(run) would not outlive intentd: \(error)")
        }
    }

    /// Files that an earlier `intentd` had kept for a run. They stay where they are for the next one.
    func inheritInputs(of run: RunID, from socket: SharedFileDescriptor) {
        do {
            inheritedInputs.insert(run)
            let kept = try UnixSocket.messagesWaiting(on: socket.rawValue, closer: closing.closer(for: .others))
            inputs[run] = kept.descriptors
            let words = Array(kept.bytes.prefix { $0 != Self.noWords[0] })
            if !words.isEmpty { remainders[run] = try? WireCoding.decode(RunRemainder.self, from: words) }
            noteKept(run)
        } catch {
            journal.write(.warning, "files of run \(run) did not outlive the intentd before: \(error)")
        }
        faults.pass()
    }

    private func noteKept(_ run: RunID) {
        keptAtLauncher.insert(run)
        // With answers alone, a run with files or secret values could not start.
        if inputs[run]?.isEmpty == false || remainders[run]?.secrets != nil { handle(.inputsKept(run)) }
    }

    /// Releases inherited files that no recorded run waits for.
    func dropInputs(besidesThoseOf runs: [UnfinishedRun]) {
        let counts = Dictionary(runs.map { ($0.run, $0.accepted.fileCount) }, uniquingKeysWith: { first, _ in first })
        for run in inheritedInputs {
            let count = inputs[run]?.count ?? 0
            // A run that has begun has received its files.
            if counts[run] == nil || counts[run] != count && (count > 0 || remainders[run] == nil) {
                dropInputs(of: run)
            }
        }
        inheritedInputs = []
    }

    /// Notes that the run has its files and values. From here on only the answers to its questions are kept.
    func inputsTaken(by run: RunID) {
        let rest = remainders[run]?.ofBegunRun
        dropInputs(of: run)
        guard let rest else { return }
        remainders[run] = rest
        hold([], for: run)
    }

    func dropInputs(of run: RunID) {
        inputs[run] = nil
        inputOwners[run] = nil
        remainders[run] = nil
        inheritedInputs.remove(run)
        guard keptAtLauncher.remove(run) != nil else { return }
        launcher?.send(.dropInputs(run: run))
        handle(.inputsDropped(run))
    }
}
