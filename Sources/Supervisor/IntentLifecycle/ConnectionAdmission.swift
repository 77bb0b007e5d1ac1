package import IntentLauncherMessages

/// The rules for accepting connections. All accounts share one pool, and one account can use only part of the pool. When
/// the pool is exhausted, separate pools still admit operators, and accounts without a connection. The service of a fleet,
/// which has a connection for each of its runs, uses only a pool of its own.
package struct ConnectionAdmission: Sendable {
    /// The number of connections that all accounts share.
    package static let sharedPoolSize = 512
    /// The size of the pool that admits an account's first connection once the shared pool is exhausted. The number keeps
    /// the process below its descriptor limit.
    package static let firstPoolSize = 4096
    /// The number of extra connections for operators once the shared pool is exhausted.
    package static let operatorPoolSize = 16
    /// The number of connections of a fleet's service: one for each run of the largest `Slots=`, 1,024, and others for
    /// its requests about them.
    package static let fleetPoolSize = 1088
    /// The number of connections of the service of the HTTP API: one for each of its users, and one for each run that ends
    /// with its client.
    package static let webPoolSize = 512

    /// The kind of client that opens a connection.
    package enum Kind: Sendable {
        case user
        case `operator`
        case fleet
        case web
    }

    private enum Pool: Sendable {
        case shared
        case first
        case operators
        case fleet
        case web
    }

    private var holders: [ClientID: (account: Account, pool: Pool)] = [:]
    private var countOfAccount = Tally<Account>()
    private var countOfPool = Tally<Pool>()

    package init() {}

    /// Admits a connection if one of the pools has room for it.
    ///
    /// - Returns: False if the account may not open another connection.
    package mutating func admit(_ client: ClientID, of account: Account, as kind: Kind) -> Bool {
        let own = countOfAccount[account]
        let pool: Pool
        if kind == .fleet {
            guard countOfPool[.fleet] < Self.fleetPoolSize else { return false }
            pool = .fleet
        } else if kind == .web {
            guard countOfPool[.web] < Self.webPoolSize else { return false }
            pool = .web
        } else if FairShare.hasRoom(own: own, taken: countOfPool[.shared], limit: Self.sharedPoolSize) {
            pool = .shared
        } else if own == 0, countOfPool[.first] < Self.firstPoolSize {
            pool = .first
        } else if kind == .operator, countOfPool[.operators] < Self.operatorPoolSize {
            pool = .operators
        } else {
            return false
        }
        countOfPool.add(pool)
        countOfAccount.add(account)
        holders[client] = (account, pool)
        return true
    }

    /// Releases a connection. Does nothing if the connection was not admitted.
    package mutating func leave(_ client: ClientID) {
        guard let (account, pool) = holders.removeValue(forKey: client) else { return }
        countOfPool.remove(pool)
        countOfAccount.remove(account)
    }
}
