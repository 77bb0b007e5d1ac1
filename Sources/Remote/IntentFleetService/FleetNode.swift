import IntentDaemon
package import IntentFleet
package import IntentLinux
package import IntentSystemd

/// A host in a fleet. Carries out the actions of ``NodeLoop``, over one connection.
///
/// Use an instance only on the loop's thread.
package final class FleetNode {
    package enum Request: Equatable {
        case start(FleetRun)
        case stop(run: Int64, attempt: Int, NodeLoop.StopReason)
        /// The answer to the run's open question, as JSON. May be repeated.
        case answer(run: Int64, attempt: Int, String)
        /// The database has accepted the first beat on a connection: it regards this process as the host with its name.
        case connected
        /// The role of the connection differs from the host's name, so the host does not join the fleet.
        case misnamed(role: String)
        /// The database's verdict on an end. A stale end was discarded.
        case decided(FleetRunEnd, EndVerdict.Kind)
        /// The host has left the fleet.
        case left
        /// A failure to log for the operator. The host continues.
        case warn(String)
    }

    private var settings: NodeSettings
    private var outbox: EndOutbox
    private let eventLoop: EventLoop
    private let perform: (Request) -> Void
    private var loop: NodeLoop
    private var connection: DatabaseConnection?
    private var timer: EventSource?
    private let events = EventQueue<NodeLoop.Event>()

    /// The channel for hints, which make a host query before its next poll. The payload is the name of the host that
    /// holds a changed run, or empty after a submission.
    package static let channel = "fleet_hint"
    /// The channel on which hosts announce ended runs. The payload is a list of run identifiers, separated by commas.
    package static let endChannel = "fleet_ended"

    /// - Parameters:
    ///   - name: The host's name, which is also its role in the database.
    ///   - perform: Starts and stops workers. The caller reports each end with ``runEnded(_:)``, including the end of a
    ///     run that was stopped or could not be started.
    /// - Throws: ``SystemError`` if the outbox cannot be read.
    package init(
        _ settings: NodeSettings,
        name: String,
        servers: [String],
        outbox: EndOutbox,
        on eventLoop: EventLoop,
        _ perform: @escaping (Request) -> Void
    ) throws(SystemError) {
        self.settings = settings
        self.outbox = outbox
        self.eventLoop = eventLoop
        self.perform = perform
        loop = NodeLoop(settings, outbox: try outbox.ends(), seed: .random(in: .min ... .max))
        connection = DatabaseConnection(servers: servers, channels: [Self.channel], on: eventLoop) {
            [weak self] event in
            switch event {
            case .opened: self?.checkRole(name)
            case .notified(_, let payload): self?.handle(payload, name: name)
            case .lost(let reason):
                self?.perform(.warn("lost the connection to the database (\(reason)); continuing without it"))
                self?.handle(.disconnected)
            }
        }
    }

    package func open() throws(SystemError) { try connection?.open() }

    /// Closes the connection without leaving the fleet. Other hosts consider this host lost when its lease has expired.
    package func close() {
        connection?.close()
        timer = nil
    }

    /// Sends a statement that is independent of ``NodeLoop``. A lost statement is not repeated.
    package func send(_ statement: SQLStatement, _ answered: @escaping ([[String?]]) -> Void = { _ in }) {
        connection?.send(statement) { [weak self] answer in
            switch answer {
            case .success(let rows): answered(rows)
            case .failure(.refused(_, let message)):
                self?.perform(.warn("the database refused a statement: \(message)"))
            case .failure(.lost): break
            }
        }
    }

    /// Replaces the host's offer, starting with the next beat.
    package func offer(_ offers: [String: NodeSettings.Offer]) {
        settings.offers = offers
        handle(.hinted(.held))
        handle(.hinted(.queue))
    }

    /// Queries the database before the next poll.
    package func hint(_ hint: NodeLoop.Hint) { handle(.hinted(hint)) }

    /// Returns the server process of another of this program's connections. Its notifications are ignored, because the
    /// program calls ``hint(_:)`` when it sends them.
    package var ignoredSender: () -> Int32? = { nil } {
        didSet { connection?.ignoredSender = ignoredSender }
    }

    package var isConnected: Bool { connection?.isOpen == true }

    /// True once the database has accepted a beat on the current connection.
    package var isAdmitted: Bool { loop.isAdmitted }

    /// True while the database is certain to regard this process as the host with its name.
    package var holdsName: Bool { loop.holdsName(at: Self.now) }

    /// True if the database has refused the last beat, because another process is the host with this name.
    package private(set) var isNameTaken = false

    private func admitted() {
        isNameTaken = false
        perform(.connected)
    }

    /// Updates the number of runs outside the fleet that intentd performs or queues.
    package func countLocalRuns(_ count: Int) { handle(.localRunsCounted(count)) }

    /// Starts working for the fleet if the connection's role is the host's name. With another role, this host would
    /// take another host's runs and act for its users.
    private func checkRole(_ name: String) {
        connection?.send(SQLStatement("select session_user")) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let rows):
                guard rows == [[name]] else {
                    return perform(.misnamed(role: rows.first?.first.flatMap { $0 } ?? ""))
                }
                handle(.connected)
            case .failure(.refused(_, let message)): connection?.abandon(message)
            // The connection reports the loss.
            case .failure(.lost): break
            }
        }
    }

    /// Submits a run, and assigns it to this host in the same transaction if no other run of the fleet is queued.
    ///
    /// The connection of this host's own runs preserves the order of such an assignment and the beats.
    ///
    /// - Parameter answer: Receives the database's answer before the run starts.
    /// - Returns: False, without an effect, if the host cannot take a run of the intent now.
    package func submit(_ statement: ClientStatement, _ answer: @escaping DatabaseConnection.Answer) -> Bool {
        guard !events.isHandling, isConnected, loop.maySubmitHere, let intent = statement.intent,
            settings.offers[intent] != nil, let sql = statement.sqlHere(epoch: settings.epoch)
        else { return false }
        handle(.submitting)
        connection?.send(sql) { [weak self] result in
            answer(result)
            guard let self, case .success(let rows) = result else {
                // The connection reports the loss, which ends the session of the loop.
                if case .failure(.refused) = result { self?.handle(.submitted(nil)) }
                return
            }
            handle(.submitted(rows.first.flatMap(FleetRun.init)))
        }
        return true
    }

    /// Stops a run of this host, because the database has stored its cancellation.
    package func cancelled(_ run: Int64, reason: String) { handle(.cancelled(run: run, reason: reason)) }

    package func runEnded(_ end: FleetRunEnd) { handle(.runEnded(end)) }

    /// Takes no more runs, and leaves the fleet after the last run has ended.
    package func drain() { handle(.drainRequested) }

    private func handle(_ payload: String, name: String) {
        if payload.isEmpty { handle(.hinted(.queue)) } else if payload == name { handle(.hinted(.held)) }
    }

    // MARK: Events and actions

    private static var now: Duration { .nanoseconds(ClockReading.monotonicNanoseconds()) }

    private func handle(_ event: NodeLoop.Event) {
        events.handle(event) { event in
            for action in loop.handle(event, at: Self.now) { carryOut(action) }
        }
    }

    private func carryOut(_ action: NodeLoop.Action) {
        switch action {
        case .send(let statement): send(statement)
        case .start(let run): perform(.start(run))
        case .stop(let run, let attempt, let reason): perform(.stop(run: run, attempt: attempt, reason))
        case .answer(let run, let attempt, let answer): perform(.answer(run: run, attempt: attempt, answer))
        case .keep(let end):
            tryOutbox("continuing without a copy of run \(end.run)'s result on the disk") { try $0.keep(end) }
        case .syncOutbox:
            tryOutbox("a power failure can lose results, continuing without a copy") { try $0.sync() }
        case .forget(let end, let kind):
            // The database gives the same verdict on a repeated commit.
            tryOutbox("the end of run \(end.run) will be committed again after a restart") { try $0.forget(end.run) }
            perform(.decided(end, kind))
        case .armTimer(let instant): arm(at: instant)
        case .finish:
            close()
            perform(.left)
        }
    }

    /// Changes the outbox, and continues after a failure with a warning about its consequence.
    private func tryOutbox(_ consequence: String, _ body: (inout EndOutbox) throws -> Void) {
        do {
            try body(&outbox)
        } catch {
            perform(.warn("\(error); \(consequence)"))
        }
    }

    private func send(_ statement: NodeStatement) {
        connection?.send(statement.sql(settings)) { [weak self] answer in
            switch answer {
            case .success(let rows):
                if let event = statement.event(rows) {
                    let wasAdmitted = self?.isAdmitted == true
                    self?.handle(event)
                    if !wasAdmitted, self?.isAdmitted == true { self?.admitted() }
                    // Other hosts may take the runs of a lost host, too.
                    if case .swept(1..., _) = event { self?.send(ClientStatement.hint(host: "").sql) }
                } else {
                    self?.connection?.abandon("the database sent an answer that does not match the statement")
                }
            case .failure(.refused(let state, let message)):
                self?.perform(.warn("the database refused a statement: \(message)"))
                // object_in_use
                if case .beat = statement { self?.isNameTaken = state == "55006" }
                self?.handle(Self.isOfContents(state) ? .refused(statement) : .failed(statement))
            // The connection reports the loss once, for all statements.
            case .failure(.lost): break
            }
        }
        if case .finish(let ends) = statement { tellEnds(ends) }
    }

    /// Returns true if a SQLSTATE concerns the contents of a statement: data, a constraint, or a program limit. Other
    /// states, such as a full disk (53100), are temporary.
    private static func isOfContents(_ state: String) -> Bool {
        ["21", "22", "23", "54"].contains { state.hasPrefix(utf8: $0) }
    }

    /// Notifies the hosts that are waiting for the runs, in a separate transaction, because a NOTIFY delays other
    /// commits. The server performs it after it has committed the ends, without an additional round trip.
    private func tellEnds(_ ends: [FleetRunEnd]) {
        let runs = ends.map { "\($0.run)" }
        // A payload has at most 7999 bytes; a number has at most 19 digits.
        for start in stride(from: 0, to: runs.count, by: 300) {
            let list = runs[start..<min(start + 300, runs.count)].joined(separator: ",")
            send(SQLStatement("select pg_notify($1, $2)", [Self.endChannel, list]))
        }
    }

    private func arm(at instant: Duration) {
        do {
            try eventLoop.arm(&timer, at: instant) { [weak self] in self?.handle(.timerFired) }
        } catch {
            preconditionFailure("cannot arm a timer: \(error)")
        }
    }
}
