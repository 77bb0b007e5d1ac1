import IntentWire

/// What is known of one app's catalogue, and the wishes that wait for it.
package struct AppStateMachine: Sendable {
    /// A request that needs the catalogue.
    enum Wish: Sendable {
        case perform(RunTable.Asker, PerformRequest, newRun: RunID)
        case describe(RunTable.Asker)
        /// One app of a list.
        case list(number: UInt64)

        /// Whose it is; a list counts for nobody, for it makes no run.
        var user: Caller? {
            switch self {
            case .perform(let asker, _, _), .describe(let asker): asker.user
            case .list: nil
            }
        }
    }

    enum State: Sendable {
        /// Nothing is known. Goes to describing at the first wish.
        case cold
        /// A worker of the app tells its catalogue. Goes to telling, or back to cold.
        case describing(SlotID, InstalledApp, [Wish])
        /// The catalogue is told, and the worker not gone yet. Goes to known when it has ended well.
        case telling(InstalledApp, IntentCatalog, [Wish])
        /// Known, for as long as the executable stays the same.
        case known(InstalledApp.Fingerprint, IntentCatalog)
    }

    var state = State.cold
    /// How its newest worker was isolated; nil before there was one.
    var isolation: Isolation?
    /// Why it could not tell its catalogue the last time; nil when it could.
    var problem: String?

    /// The catalogue of this version of the app.
    func catalog(of app: InstalledApp) -> IntentCatalog? {
        if case .known(app.fingerprint, let catalog) = state { return catalog }
        return nil
    }

    /// Why a user's wish cannot wait for the catalogue too: wishes wait as runs do, under the same limits.
    func refusal(of user: Caller, under capacity: RunTable.Capacity) -> AdmissionQueue.Refusal? {
        switch state {
        case .describing(_, _, let wishes), .telling(_, _, let wishes):
            if wishes.count >= capacity.queueCount { return .queueFull(wishes.count) }
            let ownCount = wishes.count { $0.user == user }
            return ownCount >= capacity.queueCountPerUser ? .userShareFull(ownCount) : nil
        case .cold, .known: return nil
        }
    }

    /// Forgets what a client that left had wished, and returns the runs that will never begin.
    mutating func drop(wishesOf client: ClientID) -> [RunID] {
        var dropped: [RunID] = []
        func stays(_ wish: Wish) -> Bool {
            switch wish {
            case .perform(let asker, _, let newRun):
                if asker.client != client { return true }
                dropped.append(newRun)
                return false
            case .describe(let asker): return asker.client != client
            // An answer to a list that nobody waits for finds no list.
            case .list: return true
            }
        }
        switch state {
        case .describing(let slot, let app, let wishes): state = .describing(slot, app, wishes.filter(stays))
        case .telling(let app, let catalog, let wishes): state = .telling(app, catalog, wishes.filter(stays))
        case .cold, .known: break
        }
        return dropped
    }
}
