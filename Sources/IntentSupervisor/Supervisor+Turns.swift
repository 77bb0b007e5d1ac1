import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Which client is served next, and which are waited for no longer.
extension Supervisor {
    // MARK: Turns

    /// Serves a client at once while no other waits: a turn of its own would cost another round of the loop.
    func serveOrQueue(_ session: ClientSession) {
        guard turns.isEmpty, !session.isQueued, session.wantsTurn else { return queue(session) }
        serve(session)
    }

    /// Gives a client a turn when those of other users before it have had theirs.
    func queue(_ session: ClientSession) {
        guard !session.isQueued, session.wantsTurn else { return }
        session.isQueued = true
        turns.append(session.id, of: session.user)
        askForTurn()
    }

    /// Serves the client whose turn it is: all else that is ready comes before the next turn.
    func takeTurn() {
        guard let client = turns.next() else { return }
        defer { if !turns.isEmpty { askForTurn() } }
        // It may have left since it was queued.
        guard let session = sessions[client] else { return }
        session.isQueued = false
        serve(session)
    }

    /// Writes what the client takes, and reads at most one of its requests.
    private func serve(_ session: ClientSession) {
        session.write()
        guard session.wantsToRead else { return }
        let begin = Now.current.monotonic
        if !session.isHungUp, let instant = pace.resumption(of: session.user, at: begin) {
            return hold(session, until: instant)
        }
        guard session.isHungUp || budget.mayAsk(session.id, of: session.user) else { return pause(session) }
        session.takeTurn()
        let end = Now.current.monotonic
        pace.served(session.user, for: end - begin, at: end)
        queue(session)
    }

    /// Leaves a client out until its user may ask again. There is one timer for all: it looks at everyone who waits.
    private func hold(_ session: ClientSession, until instant: Now.Monotonic) {
        session.isQueued = true
        held.append(session.id)
        guard paceTimer == nil else { return }
        do {
            paceTimer = try loop.timer(atNanoseconds: instant.nanoseconds) { self.resumeHeld() }
        } catch {
            journal.write(.error, "no timer for turns (\(error)), going on without a pace")
            resumeHeld()
        }
    }

    private func resumeHeld() {
        paceTimer = nil
        let clients = held
        held = []
        for session in clients.compactMap({ sessions[$0] }) {
            session.isQueued = false
            queue(session)
        }
    }

    private func askForTurn() {
        do {
            try turnSource?.fireOnce()
        } catch {
            journal.write(.error, "the loop gives no turns (\(error)); stopping, so that a fresh start can serve")
            stop()
        }
    }

    /// Reads no more of a client's requests until its answers are read.
    private func pause(_ session: ClientSession) {
        session.isPaused = true
        paused.insert(session.id)
        session.setReading(isOwed: budget.hasUnread(session.id))
    }

    /// Goes on reading from the clients of a user whose answers have been read.
    func resumeReading(of user: Caller) {
        guard !paused.isEmpty, budget.hasRoom(user) else { return }
        for id in paused {
            guard let session = sessions[id] else {
                paused.remove(id)
                continue
            }
            guard session.user == user, budget.mayAsk(id, of: user) else { continue }
            paused.remove(id)
            session.isPaused = false
            session.setReading(isOwed: false)
            queue(session)
        }
    }

    // MARK: Coding

    /// Takes in what was decoded and encoded beside the loop.
    func takeCoded() {
        for (outcome, duration) in coding.takeOutcomes() {
            switch outcome {
            case .request(let client, let request):
                // What a client asked for last counts, also when it has left since: its session is there until all of
                // it is read.
                guard let session = sessions[client] else { continue }
                pace.served(session.user, for: duration, at: Now.current.monotonic)
                take(request, from: session)
                session.continueAfterDecoding()
                queue(session)
            case .answer(let client, let id, let frame):
                guard let session = sessions[client] else { continue }
                pace.served(session.user, for: duration, at: Now.current.monotonic)
                if budget.mayAnswer(frame.count, to: session.user) {
                    session.post(answer: frame)
                } else {
                    session.post(answer: ClientSession.frame(of: .answer(id: id, .refused(Self.unread))))
                }
            }
        }
    }

    private static let unread = ErrorReport(
        .busy,
        "\(AnswerBudget.userByteCeiling >> 20) MiB of answers wait for your connections to read them",
        hint: "read them first, then ask again"
    )

    // MARK: Patience

    /// Has the deadlines of a connection looked at when the first of them passes.
    func armPatience(for session: ClientSession) {
        if let deadline = session.patience.deadline { armPatience(at: deadline) }
    }

    private func armPatience(at deadline: Now.Monotonic) {
        if let patienceDeadline, patienceDeadline <= deadline { return }
        do {
            patienceTimer = try loop.timer(atNanoseconds: deadline.nanoseconds) {
                self.patienceTimer = nil
                self.patienceDeadline = nil
                self.endOverdue()
                if let next = self.sessions.values.compactMap(\.patience.deadline).min() { self.armPatience(at: next) }
            }
            patienceDeadline = deadline
        } catch {
            journal.write(.error, "no timer for clients (\(error)), continuing without: some may stay for ever")
        }
    }

    private func endOverdue() {
        let now = Now.current.monotonic
        for session in sessions.values {
            guard let debt = session.patience.overdue(at: now) else { continue }
            let seconds = debt.limit.components.seconds
            switch debt {
            case .hello: end(session, id: nil, "no hello came within \(seconds) s")
            case .frame: end(session, id: nil, "a frame was not complete within \(seconds) s")
            case .perform: end(session, id: nil, "files waited \(seconds) s for the perform that is to have them")
            case .reading: session.disconnect("it does not read its answers")
            case .farewell: session.disconnect(nil)
            }
        }
    }
}
