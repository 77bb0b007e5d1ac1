import IntentWire
import Synchronization

/// A set of the hashes of recorded requests. A request that is not in the set is definitely new. For all other
/// requests, the database must be queried.
final class KnownRequests: Sendable {
    /// The maximum size of the set. A set of this size uses two to three megabytes. If a history has more runs, all
    /// requests require a query.
    private static let countLimit = 250_000

    private struct Hashes {
        /// The hashes of the requests in the file; nil if they are not loaded.
        var onRecord: Set<Int>?
        /// The hashes of requests that were added after `onRecord` was loaded. These requests may not be in the file
        /// yet.
        var added: Set<Int> = []
    }

    private let hashes = Mutex(Hashes())

    /// Returns true if the request is definitely not recorded.
    func lacks(_ request: RequestID, of caller: Caller) -> Bool {
        let hash = Self.hash(request.text, caller)
        return hashes.withLock { hashes in
            guard let onRecord = hashes.onRecord else { return false }
            return !onRecord.contains(hash) && !hashes.added.contains(hash)
        }
    }

    func add(_ request: RequestID, of caller: Caller) {
        let hash = Self.hash(request.text, caller)
        hashes.withLock { hashes in
            guard hashes.added.count < Self.countLimit else { return hashes.onRecord = nil }
            hashes.added.insert(hash)
        }
    }

    /// Discards the hashes from the file before another file is opened.
    func unload() { hashes.withLock { $0.onRecord = nil } }

    /// Loads the hashes of a file. Until this succeeds, all requests require a query.
    ///
    /// - Returns: False if the file could not be read.
    func load(from database: Database) -> Bool {
        do throws(DatabaseError) {
            guard let count = try database.integer("SELECT count(*) FROM runs"), count < Self.countLimit else {
                return true
            }
            var found = Set<Int>(minimumCapacity: Int(count))
            let rows = try database.prepare("SELECT request, uid, account FROM runs")
            try rows.start([])
            defer { rows.end() }
            while try rows.step() {
                let user = UInt32(truncatingIfNeeded: rows.integer(1) ?? 0)
                found.insert(Self.hash(rows.text(0) ?? "", .local(user: user, account: rows.text(2) ?? "")))
            }
            hashes.withLock { hashes in
                if hashes.added.count < Self.countLimit { hashes.onRecord = found }
            }
            return true
        } catch {
            return false
        }
    }

    private static func hash(_ request: String, _ caller: Caller) -> Int {
        var hasher = Hasher()
        hasher.combine(request)
        hasher.combine(caller)
        return hasher.finalize()
    }
}
