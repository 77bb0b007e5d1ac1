import IntentLauncherMessages
import Synchronization

/// A set of the hashes of recorded requests and of their keys. A request is definitely new if neither its identifier
/// nor its key is in the set. For all other requests, the database must be queried.
///
/// Accounts share the set. It contains either all requests of an account or none of them: the requests of an account that
/// exceeds its share all require a query.
final class KnownRequests: Sendable {
    /// The maximum size of the set. The set then uses 4 to 6 MB.
    static let countLimit = 500_000

    private struct Hashes {
        /// False until the requests of the file are in the set.
        var isLoaded = false
        /// The hashes of the file, and those that were added since. Requests of the latter may not be in the file yet.
        var ofCaller: [Caller: Set<Int>] = [:]
        /// The number of hashes of each account.
        var pool = SharedPool()
        /// The accounts that have exceeded their share. They have no hashes.
        var excluded: Set<Account> = []
        var subordinates = SubordinateIDs()

        func lacks(_ hash: Int, of caller: Caller) -> Bool { ofCaller[caller]?.contains(hash) != true }

        mutating func add(_ hash: Int, of caller: Caller, limit: Int) {
            let account = subordinates.account(of: caller)
            guard !excluded.contains(account), ofCaller[caller, default: []].insert(hash).inserted else { return }
            guard pool.hasRoom(for: account, limit: limit) else { return exclude(account) }
            pool.add(account)
        }

        mutating func exclude(_ account: Account) {
            excluded.insert(account)
            pool.remove(account, pool[account])
            ofCaller = ofCaller.filter { subordinates.account(of: $0.key) != account }
        }
    }

    private let limit: Int
    private let hashes = Mutex(Hashes())

    init(limit: Int = countLimit) {
        self.limit = limit
    }

    /// Returns true if neither the run's request nor its key is recorded.
    func lacks(_ run: AcceptedRun) -> Bool {
        let caller = run.caller.caller
        let request = Self.hash(request: run.request.text)
        let key = run.key.map { Self.hash(key: $0, app: run.app.text, intent: run.intent) }
        return hashes.withLock { hashes in
            hashes.isLoaded && !hashes.excluded.contains(hashes.subordinates.account(of: caller))
                && hashes.lacks(request, of: caller) && key.map { hashes.lacks($0, of: caller) } != false
        }
    }

    func add(_ run: AcceptedRun) {
        add(run.request, key: run.key, app: run.app.text, intent: run.intent, of: run.caller.caller)
    }

    func add(_ request: RequestID, key: String?, app: String, intent: String, of caller: Caller) {
        let request = Self.hash(request: request.text)
        let key = key.map { Self.hash(key: $0, app: app, intent: intent) }
        hashes.withLock { hashes in
            hashes.add(request, of: caller, limit: limit)
            if let key { hashes.add(key, of: caller, limit: limit) }
        }
    }

    /// Sets the ids that are subordinate to accounts.
    func share(by subordinates: SubordinateIDs) {
        hashes.withLock { hashes in
            guard hashes.subordinates != subordinates else { return }
            hashes.subordinates = subordinates
            // The users of an excluded account may belong to other accounts now, and their hashes are unknown.
            if !hashes.excluded.isEmpty { hashes.isLoaded = false }
            hashes.pool = SharedPool()
            for (caller, set) in hashes.ofCaller { hashes.pool.add(subordinates.account(of: caller), set.count) }
        }
    }

    /// Requires a query for each request until the requests of another file are loaded.
    func unload() { hashes.withLock { $0.isLoaded = false } }

    /// Adds the hashes of a file. Until this succeeds, all requests require a query.
    ///
    /// - Returns: False if the file could not be read.
    func load(from database: Database) -> Bool {
        do throws(DatabaseError) {
            try excludeLargest(of: database)
            let rows = try database.prepare("SELECT request, uid, account, key, app, intent FROM runs")
            try rows.start([])
            defer { rows.end() }
            while try rows.step() {
                let caller = Self.caller(in: rows, 1)
                let request = Self.hash(request: rows.text(0) ?? "")
                let key = rows.text(3).map { key in
                    Self.hash(key: key, app: rows.text(4) ?? "", intent: rows.text(5) ?? "")
                }
                hashes.withLock { hashes in
                    hashes.add(request, of: caller, limit: limit)
                    if let key { hashes.add(key, of: caller, limit: limit) }
                }
            }
            hashes.withLock { $0.isLoaded = true }
            return true
        } catch {
            return false
        }
    }

    /// Excludes the accounts with too many recorded requests, so that their hashes are not read first.
    private func excludeLargest(of database: Database) throws(DatabaseError) {
        let rows = try database.prepare("SELECT uid, account, count(*) + count(key) FROM runs GROUP BY uid, account")
        try rows.start([])
        defer { rows.end() }
        while try rows.step() {
            let caller = Self.caller(in: rows, 0)
            let count = Int(clamping: rows.integer(2) ?? 0)
            hashes.withLock { hashes in
                if count > limit / 2 { hashes.exclude(hashes.subordinates.account(of: caller)) }
            }
        }
    }

    private static func caller(in rows: Statement, _ column: Int32) -> Caller {
        .local(user: UInt32(truncatingIfNeeded: rows.integer(column) ?? 0), account: rows.text(column + 1) ?? "")
    }

    private static func hash(request: String) -> Int {
        var hasher = Hasher()
        hasher.combine(request)
        return hasher.finalize()
    }

    /// The fields that identify a key, as in the file's index.
    private static func hash(key: String, app: String, intent: String) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(app)
        hasher.combine(intent)
        return hasher.finalize()
    }
}
