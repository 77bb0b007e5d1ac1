import IntentWire
import Synchronization

/// Which wishes are on record, as a set of hashes: a wish that it lacks is certainly new, and only of the others the
/// record must be asked.
final class KnownRequests: Sendable {
    /// Two to three megabytes; a history that has more runs is asked each time.
    private static let countLimit = 250_000

    private struct Hashes {
        /// Of the file; nil while that is not known.
        var onRecord: Set<Int>?
        /// Of wishes that came since; the file may not have them yet.
        var added: Set<Int> = []
    }

    private let hashes = Mutex(Hashes())

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

    /// Another file is opened, or the same again.
    func forget() { hashes.withLock { $0.onRecord = nil } }

    /// Takes in what a file has. Until that succeeds every wish is asked for.
    ///
    /// - Returns: False when the file could not be read now.
    func learn(from database: Database) -> Bool {
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
