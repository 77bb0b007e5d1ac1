import IntentWire
import Synchronization

/// A set of the hashes of recorded requests and of their keys. A request is definitely new if neither its identifier
/// nor its key is in the set. For all other requests, the database must be queried.
final class KnownRequests: Sendable {
    /// The maximum size of the set. A set of this size uses two to three megabytes. If a history has more requests and
    /// keys, all requests require a query.
    private static let countLimit = 250_000

    private struct Hashes {
        /// The hashes of the file; nil if they are not loaded.
        var onRecord: Set<Int>?
        /// The hashes that were added after `onRecord` was loaded. Their requests may not be in the file yet.
        var added: Set<Int> = []

        func contains(_ hash: Int) -> Bool { onRecord?.contains(hash) != false || added.contains(hash) }
    }

    private let hashes = Mutex(Hashes())

    /// Returns true if neither the run's request nor its key is recorded.
    func lacks(_ run: AcceptedRun) -> Bool {
        let caller = run.caller.caller
        let request = Self.hash(request: run.request.text, caller)
        let key = run.key.map { Self.hash(key: $0, app: run.app.text, intent: run.intent, caller) }
        return hashes.withLock { hashes in
            !hashes.contains(request) && key.map { hashes.contains($0) } != true
        }
    }

    func add(_ run: AcceptedRun) {
        add(run.request, key: run.key, app: run.app.text, intent: run.intent, of: run.caller.caller)
    }

    func add(_ request: RequestID, key: String?, app: String, intent: String, of caller: Caller) {
        let request = Self.hash(request: request.text, caller)
        let key = key.map { Self.hash(key: $0, app: app, intent: intent, caller) }
        hashes.withLock { hashes in
            guard hashes.added.count < Self.countLimit else { return hashes.onRecord = nil }
            hashes.added.insert(request)
            if let key { hashes.added.insert(key) }
        }
    }

    /// Discards the hashes from the file before another file is opened.
    func unload() { hashes.withLock { $0.onRecord = nil } }

    /// Loads the hashes of a file. Until this succeeds, all requests require a query.
    ///
    /// - Returns: False if the file could not be read.
    func load(from database: Database) -> Bool {
        do throws(DatabaseError) {
            guard let count = try database.integer("SELECT count(*) + count(key) FROM runs"), count < Self.countLimit
            else { return true }
            var found = Set<Int>(minimumCapacity: Int(count))
            let rows = try database.prepare("SELECT request, uid, account, key, app, intent FROM runs")
            try rows.start([])
            defer { rows.end() }
            while try rows.step() {
                let user = UInt32(truncatingIfNeeded: rows.integer(1) ?? 0)
                let caller = Caller.local(user: user, account: rows.text(2) ?? "")
                found.insert(Self.hash(request: rows.text(0) ?? "", caller))
                if let key = rows.text(3) {
                    found.insert(Self.hash(key: key, app: rows.text(4) ?? "", intent: rows.text(5) ?? "", caller))
                }
            }
            hashes.withLock { hashes in
                if hashes.added.count < Self.countLimit { hashes.onRecord = found }
            }
            return true
        } catch {
            return false
        }
    }

    private static func hash(request: String, _ caller: Caller) -> Int {
        var hasher = Hasher()
        hasher.combine(request)
        hasher.combine(caller)
        return hasher.finalize()
    }

    /// The fields that identify a key, as in the file's index.
    private static func hash(key: String, app: String, intent: String, _ caller: Caller) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(app)
        hasher.combine(intent)
        hasher.combine(caller)
        return hasher.finalize()
    }
}
