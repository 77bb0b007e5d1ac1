import IntentLinux
import IntentWire

/// Removes records and files that the rule does not keep. It works in small steps, so that no client has to wait.
struct Pruning {
    /// The pause between two steps.
    static let pauseMilliseconds: Int32 = 20
    /// The pause between two searches for records and files to remove.
    private static let lookMilliseconds: Int64 = 600_000
    private static let runsPerStep = 100
    /// A younger result may still be in the process of being written, or sent to its owner.
    private static let shortestNanoseconds: Int64 = 60_000_000_000

    /// The configured rule.
    var retention: Retention
    /// The folder with the files of results; nil until it is known.
    var files: KeptFiles?
    private var nextLook: Int64
    /// Clients' requests, each with its rule; nil stands for the configured rule.
    private var requests: [(id: UInt64, retention: Retention?)] = []
    private var look: Look?

    /// One pass over all runs and files.
    private struct Look {
        /// The disk usage of the files of runs, if a rule needs it.
        var fileByteCount: Int64 = 0
        /// The runs with files that this pass has not checked.
        var folders: [String]
        var removedCount = 0
    }

    init(_ retention: Retention) {
        self.retention = retention
        // Do not search at the start, when clients wait for the daemon.
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + 60_000
    }

    var isUnderWay: Bool { look != nil || !requests.isEmpty }

    var millisecondsToNextLook: Int32 {
        Int32(clamping: max(0, nextLook - ClockReading.monotonicNanoseconds() / 1_000_000) + 1)
    }

    /// Requests a pass with this rule now; nil stands for the configured rule.
    mutating func request(_ retention: Retention?, id: UInt64) {
        // Restart the current pass with the rule that is now first.
        if requests.isEmpty { look = nil }
        requests.append((id, retention))
    }

    /// Stops until the next search.
    ///
    /// - Returns: The requests that cannot be served now.
    mutating func postpone() -> [UInt64] {
        nextLook = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.lookMilliseconds
        look = nil
        defer { requests = [] }
        return requests.map(\.id)
    }

    /// Performs one small step if one is due.
    ///
    /// - Returns: When a request is complete, its id and the number of runs removed.
    mutating func step(on database: Database) throws(DatabaseError) -> (id: UInt64, runCount: Int)? {
        let rule = requests.first.map { $0.retention ?? retention } ?? retention
        if look == nil {
            let isTime = ClockReading.monotonicNanoseconds() / 1_000_000 >= nextLook
            guard isTime || !requests.isEmpty else { return nil }
            look = Look(folders: files?.foldersByAge() ?? [])
            if rule.byteCountMax != nil { look?.fileByteCount = files?.byteCount() ?? 0 }
        }
        if try removeSome(rule, from: database) { return nil }
        // All records are removed. Return the rest of the freed space to the disk.
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

    /// Removes a few runs, the output of a few runs, or the files of a few runs; false when there is nothing to remove.
    private mutating func removeSome(_ rule: Retention, from database: Database) throws(DatabaseError) -> Bool {
        let now = ClockReading.realtimeNanoseconds()
        var runs: [String] = []
        var outputCount = 0
        try database.execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            runs = try Self.removeRuns(from: database, rule, now)
            if runs.isEmpty { outputCount = try Self.removeOutput(from: database, rule, now) }
            try database.execute("COMMIT")
            // Returns freed space to the disk, some pages at a time.
            if runs.count + outputCount > 0 { try database.execute("PRAGMA incremental_vacuum(512)") }
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
        // Remove files after their record. If a crash leaves some, they are found by their age.
        for run in runs { look?.fileByteCount -= files?.remove(run) ?? 0 }
        look?.removedCount += runs.count
        return runs.count + outputCount > 0 ? true : try removeFiles(rule, now, besides: Self.size(of: database))
    }

    /// Removes files that are too old. If all files together are too large, removes the oldest files, but not their
    /// runs.
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

    /// The newest run always stays, because the number of the next run depends on it.
    ///
    /// - Returns: The identifiers of the removed runs.
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
