import IntentWire

extension Fleet {
    /// A run and those who care for it.
    struct Run: Sendable {
        let id: RunID
        let owner: UserID
        let request: RequestID
        let app: InstalledApp
        let intent: IntentDeclaration
        let values: [String: IntentValue]
        let fileCount: Int
        let onDisconnect: DisconnectRule
        let acceptedAt: Now
        var machine: RunStateMachine
        var slot: SlotID?
        var lastSerial: UInt64 = 0
        var followers: [ClientID] = []
        /// Requests to cancel, answered when nothing is left.
        var waiters: [Asker] = []
        var progress: ProgressReport?
        var outcome: RunOutcome?
    }

    /// Who asked, and the number that the answer repeats.
    struct Asker: Equatable, Sendable {
        var client: ClientID
        var user: UserID
        var id: UInt64
    }

    /// Runs that ended a short while ago, so that a repeated request and a late cancel find their answer.
    struct EndedRuns: Sendable {
        struct Entry: Sendable {
            var owner: UserID
            var request: RequestID
            var end: RunEnd
        }

        private static let limit = 1024
        private var entries: [RunID: Entry] = [:]
        private var order: [RunID] = []

        subscript(run: RunID) -> Entry? { entries[run] }

        /// Remembers a run, and returns the one that is forgotten for it.
        mutating func remember(_ entry: Entry) -> Entry? {
            entries[entry.end.run] = entry
            order.append(entry.end.run)
            guard order.count > Self.limit else { return nil }
            return entries.removeValue(forKey: order.removeFirst())
        }
    }
}
