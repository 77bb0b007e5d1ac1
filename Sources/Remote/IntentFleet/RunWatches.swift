package import IntentProtocol

/// The runs that local clients watch, and the last state that each client received. Performs no I/O.
package struct RunWatches: Sendable {
    /// An event for a client.
    package struct Delivery: Sendable, Equatable {
        package var client: UInt64
        package var event: NumberedEvent
    }

    private struct Watch: Sendable {
        var clients: [UInt64]
        var serial: UInt64
        var state: RunState?
        var reason: CancellationReason?
        var progress: ProgressReport?
        var question: UInt64?
        /// The number of answers from the database that did not include the run.
        var absences = 0
    }

    private var watches: [Int64: Watch] = [:]

    package init() {}

    package var isEmpty: Bool { watches.isEmpty }
    package var runs: [Int64] { watches.keys.sorted() }

    package func contains(_ run: Int64) -> Bool { watches[run] != nil }

    /// Subscribes a client.
    ///
    /// - Parameter serial: The serials of the run's events are greater than this number. If the number comes from a
    ///   clock, serials increase across restarts of the service.
    /// - Returns: False if the client is already subscribed to the run.
    @discardableResult
    package mutating func watch(_ run: Int64, by client: UInt64, after serial: UInt64) -> Bool {
        var watch = watches[run] ?? Watch(clients: [], serial: serial)
        let isNew = !watch.clients.contains(client)
        if isNew { watch.clients.append(client) }
        // The new client has not received the state. The other clients receive the state again, which has no effect on
        // them.
        (watch.state, watch.progress, watch.question) = (nil, nil, nil)
        watches[run] = watch
        return isNew
    }

    /// Removes a client that has disconnected.
    package mutating func left(_ client: UInt64) {
        for (run, watch) in watches {
            let rest = watch.clients.filter { $0 != client }
            watches[run]?.clients = rest
            if rest.isEmpty { watches[run] = nil }
        }
    }

    /// Compares the records in the database with the state that the clients received.
    ///
    /// - Parameter asked: The runs that were requested from the database.
    package mutating func update(_ records: [FleetRecord], asked: [Int64]) -> [Delivery] {
        var deliveries: [Delivery] = []
        var found: Set<Int64> = []
        for record in records {
            found.insert(record.id)
            guard var watch = watches[record.id] else { continue }
            for event in Self.events(record, &watch) {
                watch.serial += 1
                let numbered = NumberedEvent(run: record.run, serial: watch.serial, event)
                deliveries += watch.clients.map { Delivery(client: $0, event: numbered) }
            }
            watch.absences = 0
            watches[record.id] = record.runState == nil ? nil : watch
        }
        for run in asked where !found.contains(run) {
            // A run that ends while the statement reads the tables of live and ended runs may be missing from both
            // tables.
            watches[run]?.absences += 1
            guard let watch = watches[run], watch.absences >= 3 else { continue }
            let end = RunEnd(
                run: RunID(fleet: run),
                outcome: .lost(message: "the fleet's database no longer has the run"),
                account: RunAccount()
            )
            deliveries += ended(end)
        }
        return deliveries
    }

    /// Reports the end of a run that the database has decided, such as a run that this host has performed.
    package mutating func ended(_ end: RunEnd) -> [Delivery] {
        guard let watch = watches.removeValue(forKey: end.run.fleetNumber) else { return [] }
        let numbered = NumberedEvent(run: end.run, serial: watch.serial + 1, .finished(end))
        return watch.clients.map { Delivery(client: $0, event: numbered) }
    }

    private static func events(_ record: FleetRecord, _ watch: inout Watch) -> [RunEvent] {
        if let end = record.end { return [.finished(end)] }
        var events: [RunEvent] = []
        let reason = record.runState == .stopping ? record.reason.map(CancellationReason.init(name:)) : nil
        if let state = record.runState, state != watch.state || reason != watch.reason {
            (watch.state, watch.reason) = (state, reason)
            events.append(.state(state, reason: reason))
        }
        if let progress = record.progress, progress != watch.progress {
            watch.progress = progress
            events.append(.progress(progress))
        }
        let question = record.openQuestion
        if let question, question.question.number != watch.question, record.runState == .asking {
            events.append(.question(question))
        }
        watch.question = question?.question.number
        return events
    }
}
