import IntentLauncherMessages

/// The catalogue of one app, and the requests waiting for the catalogue.
package struct AppStateMachine: Sendable {
    /// A request that needs the catalogue.
    enum PendingRequest: Sendable {
        case perform(RunTable.RequestOrigin, PerformRequest, RunValues, newRun: RunID)
        case describe(RunTable.RequestOrigin)
        /// A request for the descriptions of several apps, including this app.
        case list(number: UInt64)

        /// The user against whom the request counts; nil for a list, which counts against no user.
        var user: Caller? {
            switch self {
            case .perform(let origin, _, _, _), .describe(let origin): origin.user
            case .list: nil
            }
        }
    }

    enum State: Sendable {
        /// The catalogue is unknown. The next request launches a worker that describes the app's intents.
        case cold
        /// A worker is describing the app's intents. The state becomes received, or cold again.
        case describing(SlotID, InstalledApp, [PendingRequest])
        /// The worker has sent the catalogue, or a part of it, but has not exited. The catalogue becomes known if the
        /// worker exits without an error; otherwise, the state becomes cold.
        case received(SlotID, InstalledApp, IntentCatalog, partCount: Int, [PendingRequest])
        /// The catalogue is valid until the app's fingerprint changes.
        case known(InstalledApp.Fingerprint, IntentCatalog)
    }

    var state = State.cold
    /// The isolation of the newest worker; nil before the first worker.
    var isolation: Isolation?
    /// The reason why `intentd` killed the worker that described the app's intents; nil if it did not kill the worker.
    var killReason: String?
    /// The reason why the last attempt to describe the app's intents failed; nil if it succeeded.
    var problem: String?

    /// The version of the app that last failed to describe its intents, and when it failed.
    var failure: (version: InstalledApp.Fingerprint, at: Now.Monotonic)?
    /// The time for which a request of the status does not ask a version of the app again that failed. A client that
    /// requests the status all the time must not start a failing app all the time.
    private static let failurePause: Duration = .seconds(5)

    /// Returns true if only a new description can show whether this version of the app can be used.
    func isDoubtful(for app: InstalledApp, at now: Now) -> Bool {
        if catalog(of: app) != nil { return problem != nil }
        guard problem != nil, let failure, failure.version == app.fingerprint else { return true }
        return now.monotonic - failure.at >= Self.failurePause
    }

    /// Returns the catalogue of this version of the app, or nil if it is unknown.
    func catalog(of app: InstalledApp) -> IntentCatalog? {
        if let shortcut = app.shortcut { return shortcut.catalog }
        return if case .known(app.fingerprint, let catalog) = state { catalog } else { nil }
    }

    /// Returns the reason why a user's request cannot wait for the catalogue, or nil if it can. The backlog's limits
    /// apply.
    func refusal(
        of account: Account,
        under capacity: RunTable.Capacity,
        _ accountOf: (Caller) -> Account
    ) -> AdmissionQueue.Refusal? {
        switch state {
        case .describing(_, _, let waiting), .received(_, _, _, _, let waiting):
            let own = waiting.count { $0.user.map(accountOf) == account }
            return .of(own: own, taken: waiting.count, limit: capacity.queueCount)
        case .cold, .known: return nil
        }
    }

    /// Removes the requests of a client that disconnected.
    ///
    /// - Returns: The identifiers of the runs that the removed requests would have started.
    mutating func dropRequests(of client: ClientID) -> [RunID] {
        var dropped: [RunID] = []
        func stays(_ request: PendingRequest) -> Bool {
            switch request {
            case .perform(let origin, _, _, let newRun):
                if origin.client != client { return true }
                dropped.append(newRun)
                return false
            case .describe(let origin): return origin.client != client
            // The run table itself removes the list request, and ignores the description that would answer it.
            case .list: return true
            }
        }
        switch state {
        case .describing(let slot, let app, let waiting): state = .describing(slot, app, waiting.filter(stays))
        case .received(let slot, let app, let catalog, let count, let waiting):
            state = .received(slot, app, catalog, partCount: count, waiting.filter(stays))
        case .cold, .known: break
        }
        return dropped
    }
}
