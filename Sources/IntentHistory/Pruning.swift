import IntentLinux
import IntentWire

/// Removes what is not kept, a little at a time, so that nobody waits for it.
struct Pruning {
    /// Between two steps.
    static let pauseMilliseconds: Int32 = 20
    /// Between two looks for something to remove.
    private static let lookMilliseconds: Int64 = 600_000
    private static let runsPerStep = 100
    /// A result is just being written, or on its way to whoever asked for it.
    private static let shortestNanoseconds: Int64 = 60_000_000_000

    /// The usual rule.
    var retention: Retention
    /// Where files of results are kept; nil while no such place is known.
    var files: KeptFiles?
    private var nextLook: Int64
    /// Somebody's wishes, each with its rule; nil: the usual one.
    private var requests: [(id: UInt64, retention: Retention?)] = []
    private var look: Look?

    /// One way through all that there is.
    private struct Look {
        /// What the files of runs take, as far as a rule asks for it.
        var fileByteCount: Int64 = 0
        /// Of runs with files, those that were not looked at.
        var folders: [String]
        var removedCount = 0
    }

    init(_ retention: Retention) {
        self.retention = retention
        // Not at the start, when everybody waits for us.
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + 60_000
    }

    var isUnderWay: Bool { look != nil || !requests.isEmpty }

    var millisecondsToNextLook: Int32 {
        Int32(clamping: max(0, nextLook - ClockReading.monotonicNanoseconds() / 1_000_000) + 1)
    }

    /// Somebody wants it now, by this rule; nil: by the usual one.
    mutating func request(_ retention: Retention?, id: UInt64) {
        // What is under way begins anew, by the rule that comes first now.
        if requests.isEmpty { look = nil }
        requests.append((id, retention))
    }

    /// Gives up until the next look.
    ///
    /// - Returns: Who waits for what does not happen now.
    mutating func postpone() -> [UInt64] {
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.lookMilliseconds
        look = nil
        defer { requests = [] }
        return requests.map(\.id)
    }

    /// One small step, if it is time for one.
    ///
    /// - Returns: When a request is done, its number and how many runs went.
    mutating func step(on database: Database) throws(DatabaseError) -> (id: UInt64, runCount: Int)? {
        let rule = requests.first.map { $0.retention ?? retention } ?? retention
        if look == nil {
            let isTime = ClockReading.monotonicNanoseconds() / 1_000_000 >= nextLook
            guard isTime || !requests.isEmpty else { return nil }
            look = Look(folders: files?.foldersByAge() ?? [])
            if rule.byteCountMax != nil { look?.fileByteCount = files?.byteCount() ?? 0 }
        }
        if try removeSome(rule, from: database) { return nil }
        // Nothing is left to remove: what was removed before is given back to the end.
        if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 {
            try database.execute("PRAGMA incremental_vacuum(512)")
            if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 { return nil }
        }
        defer { look = nil }
        guard !requests.isEmpty else {
            nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.lookMilliseconds
            return nil
        }
        return (requests.removeFirst().id, look?.removedCount ?? 0)
    }

    // MARK: Private

    /// A few runs, or else outputs of a few, or else files of a few; false when there is nothing to remove.
    private mutating func removeSome(_ rule: Retention, from database: Database) throws(DatabaseError) -> Bool {
        let now = ClockReading.realtimeNanoseconds()
        var runs: [String] = []
        var outputCount = 0
        try database.execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            runs = try Self.removeRuns(from: database, rule, now)
            if runs.isEmpty { outputCount = try Self.removeOutput(from: database, rule, now) }
            try database.execute("COMMIT")
            // Gives the space back to the disk, some pages at a time.
            if runs.count + outputCount > 0 { try database.execute("PRAGMA incremental_vacuum(512)") }
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
        // Files after the record: where they outlive it by a crash, their age finds them.
        for run in runs { look?.fileByteCount -= files?.remove(run) ?? 0 }
        look?.removedCount += runs.count
        return runs.count + outputCount > 0 ? true : try removeFiles(rule, now, besides: Self.size(of: database))
    }

    /// Those that are too old; and where all together are too large, the oldest, which cost no run its record.
    private mutating func removeFiles(
        _ rule: Retention,
        _ now: Int64,
        besides byteCount: Int64
    ) throws(DatabaseError) -> Bool {
        guard let files, let folders = look?.folders, !folders.isEmpty else { return false }
        let age = rule.keepFiles.map { max(Self.nanoseconds($0), Self.shortestNanoseconds) }
        for folder in folders.prefix(Self.runsPerStep) {
            guard let changed = files.changedNanoseconds(folder), changed < now - Self.shortestNanoseconds else {
                continue
            }
            let isTooMuch = rule.byteCountMax.map { byteCount + (look?.fileByteCount ?? 0) > $0 } ?? false
            if isTooMuch || age.map({ changed < now - $0 }) ?? false { look?.fileByteCount -= files.remove(folder) }
        }
        look?.folders = Array(folders.dropFirst(Self.runsPerStep))
        return true
    }

    /// The newest run of all stays, whatever the rule: from its number the next one's follows.
    ///
    /// - Returns: The identifiers of those that went.
    private static func removeRuns(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> [String] {
        var limits: [String] = []
        if let keep = rule.keep { limits.append("e.wall < \(now - nanoseconds(keep))") }
        if let count = rule.runCountMax {
            let excess = try (database.integer("SELECT count(*) FROM ends") ?? 0) - count
            if excess > 0 { limits.append("e.number IN (SELECT number FROM ends ORDER BY number LIMIT \(excess))") }
        }
        if let bytes = rule.byteCountMax, try size(of: database) > bytes { limits.append("true") }
        guard !limits.isEmpty else { return [] }
        let statement = try database.prepare(
            """
            SELECT e.number, r.run FROM ends e JOIN runs r USING (number)
            WHERE (\(limits.joined(separator: " OR "))) AND e.number < (SELECT max(number) FROM runs)
            ORDER BY e.number LIMIT \(runsPerStep)
            """
        )
        var numbers: [String] = []
        var runs: [String] = []
        while try statement.step() {
            guard let number = statement.integer(0), let run = statement.text(1) else { continue }
            numbers.append(String(number))
            runs.append(run)
        }
        guard !numbers.isEmpty else { return [] }
        let list = numbers.joined(separator: ",")
        for table in ["output", "changes", "departures", "ends", "runs"] {
            try database.execute("DELETE FROM \(table) WHERE number IN (\(list))")
        }
        return runs
    }

    private static func removeOutput(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> Int {
        guard let keep = rule.keepOutput else { return 0 }
        try database.execute(
            """
            DELETE FROM output WHERE number IN (SELECT DISTINCT o.number FROM output o JOIN ends e USING (number)
                WHERE e.wall < \(now - nanoseconds(keep)) LIMIT \(runsPerStep))
            """
        )
        return database.changeCount
    }

    private static func size(of database: Database) throws(DatabaseError) -> Int64 {
        let pages = try (database.integer("PRAGMA page_count") ?? 0) - (database.integer("PRAGMA freelist_count") ?? 0)
        return pages * (try database.integer("PRAGMA page_size") ?? 4096)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (product, overflow) = duration.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : product
    }
}
