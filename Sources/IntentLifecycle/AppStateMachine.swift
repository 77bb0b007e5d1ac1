import IntentWire

/// What is known of one app's catalogue, and the wishes that wait for it.
package struct AppStateMachine: Sendable {
    /// A request that needs the catalogue.
    enum Wish: Sendable {
        case perform(Fleet.Asker, PerformRequest, newRun: RunID)
        case describe(Fleet.Asker)
        /// One app of a list.
        case list(number: UInt64)
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

    /// The catalogue of this version of the app.
    func catalog(of app: InstalledApp) -> IntentCatalog? {
        if case .known(app.fingerprint, let catalog) = state { return catalog }
        return nil
    }

    /// How many wishes wait for the catalogue.
    var waitingCount: Int {
        switch state {
        case .describing(_, _, let wishes), .telling(_, _, let wishes): wishes.count
        case .cold, .known: 0
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

extension Fleet {
    /// A list that is answered when every app's catalogue is known or known to fail.
    struct PendingList: Sendable {
        var asker: Asker
        var remainingCount: Int
        var apps: [AppDescription]
    }
}
