import IntentLinux
import IntentWire

/// Removes what is not kept, a little at a time, so that nobody waits for it.
struct Pruning {
    /// Between two steps.
    static let pauseMilliseconds: Int32 = 20
    /// Between two looks for something to remove.
    private static let lookMilliseconds: Int64 = 600_000
    private static let runsPerStep = 100

    /// The usual rule.
    var retention: Retention
    private var nextLook: Int64
    private(set) var isUnderWay = false
    private var requests: [UInt64] = []
    private var requestedRetention: Retention?
    private var removedCount = 0

    init(_ retention: Retention) {
        self.retention = retention
        // Not at the start, when everybody waits for us.
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + 10_000
    }

    var millisecondsToNextLook: Int32 {
        Int32(clamping: max(0, nextLook - ClockReading.monotonicNanoseconds() / 1_000_000) + 1)
    }

    /// Somebody wants it now, by this rule; nil: by the usual one.
    mutating func request(_ retention: Retention?, id: UInt64) {
        requests.append(id)
        requestedRetention = retention
        removedCount = 0
        isUnderWay = true
    }

    mutating func postpone() {
        isUnderWay = false
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.lookMilliseconds
    }

    /// One small step, if it is time for one.
    ///
    /// - Returns: When a request is done, its number and how many runs went.
    mutating func step(on database: Database) throws(DatabaseError) -> (id: UInt64, runCount: Int)? {
        if !isUnderWay {
            guard ClockReading.monotonicNanoseconds() / 1_000_000 >= nextLook else { return nil }
            isUnderWay = true
        }
        let rule = requestedRetention ?? retention
        let now = ClockReading.realtimeNanoseconds()
        try database.execute("BEGIN IMMEDIATE")
        var count = 0
        var outputCount = 0
        do throws(DatabaseError) {
            count = try Self.removeRuns(from: database, rule, now)
            if count == 0 { outputCount = try Self.removeOutput(from: database, rule, now) }
            try database.execute("COMMIT")
            // Gives the space back to the disk, some pages at a time.
            if count + outputCount > 0 { try database.execute("PRAGMA incremental_vacuum(512)") }
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
        removedCount += count
        if count + outputCount > 0 { return nil }
        // Nothing is left to remove: what was removed before is given back to the end.
        if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 {
            try database.execute("PRAGMA incremental_vacuum(512)")
            if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 { return nil }
        }
        postpone()
        requestedRetention = nil
        defer { removedCount = 0 }
        return requests.isEmpty ? nil : (requests.removeFirst(), removedCount)
    }

    // MARK: Private

    /// The newest run of all stays, whatever the rule: from its number the next one's follows.
    private static func removeRuns(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> Int {
        var limits: [String] = []
        if let keep = rule.keep { limits.append("e.wall < \(now - nanoseconds(keep))") }
        if let count = rule.runCountMax {
            let excess = try (database.integer("SELECT count(*) FROM ends") ?? 0) - count
            if excess > 0 { limits.append("e.number IN (SELECT number FROM ends ORDER BY number LIMIT \(excess))") }
        }
        if let bytes = rule.byteCountMax, try size(of: database) > bytes { limits.append("true") }
        guard !limits.isEmpty else { return 0 }
        let statement = try database.prepare(
            """
            SELECT e.number FROM ends e WHERE (\(limits.joined(separator: " OR ")))
                AND e.number < (SELECT max(number) FROM runs)
            ORDER BY e.number LIMIT \(runsPerStep)
            """
        )
        var numbers: [String] = []
        while try statement.step() { if let number = statement.integer(0) { numbers.append(String(number)) } }
        guard !numbers.isEmpty else { return 0 }
        let list = numbers.joined(separator: ",")
        for table in ["output", "changes", "departures", "ends", "runs"] {
            try database.execute("DELETE FROM \(table) WHERE number IN (\(list))")
        }
        return numbers.count
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
