import IntentLauncherMessages
import IntentLinux

/// The removal of records and files that have expired according to a rule. It proceeds in small steps, so that no
/// client has to wait.
///
/// If a limit is exceeded, the oldest records and files of the account that keeps the most are removed. One user's runs
/// therefore never displace the records of users who keep less.
struct Pruning {
    /// The pause between two steps.
    static let pauseMilliseconds: Int32 = 20
    /// The pause between two regular passes.
    private static let passMilliseconds: Int64 = 600_000
    private static let runsPerStep = 100
    /// The number of runs that one step adds to ``Pass/shares``.
    private static let countedRunsPerStep = 20_000
    /// The maximum number of an account's users with records that one step removes.
    private static let usersPerStep = 500
    /// The minimum age of files that are removed. Younger files may not yet have been written completely or sent to
    /// their owner.
    private static let minimumAgeNanoseconds: Int64 = 60_000_000_000

    /// The condition for a run that no live shortcut needs: it is not the run of a step of a live shortcut.
    private static let isUnneeded = """
        (r.key IS NULL OR r.key NOT GLOB 'shortcut:*' OR substr(r.key, 10, 10) NOT IN
            (SELECT substr(name, 10) FROM stored WHERE name >= 'shortcut ' AND name < 'shortcut!'))
        """

    /// The configured rule.
    var retention: Retention
    /// The folder with the result files; nil until the supervisor has set it.
    var files: KeptFiles?
    var subordinates = SubordinateIDs()
    /// The size of the database and the files after the last pass.
    private var measuredByteCount: Int64 = 0
    /// The approximate number of bytes that were kept since the last pass.
    private var keptByteCount: Int64 = 0
    /// The time of the next regular pass, in milliseconds on CLOCK_MONOTONIC.
    private var nextPass: Int64
    /// The clients' requests, each with its rule; nil for the configured rule.
    private var requests: [(id: UInt64, retention: Retention?)] = []
    private var pass: Pass?

    /// A pass over all runs and files.
    private struct Pass {
        /// The run folders that this pass has not checked yet, oldest first.
        var folders: [String]
        /// What each account keeps. Measured only if the rule has a limit.
        var shares = KeptShares()
        /// The number of the last run in `shares`; nil once all ended runs are in it.
        var lastNumber: Int64? = 0
        /// True once the maximum size was exceeded. Then a sixteenth of it is freed, so that not every run causes a pass.
        var isShrinking = false
        var removedCount = 0
    }

    init(_ retention: Retention) {
        self.retention = retention
        // Do not start a pass in the first minute, when clients wait for the daemon to start.
        nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + 60_000
    }

    var isInProgress: Bool { pass != nil || !requests.isEmpty }

    var millisecondsToNextPass: Int32 {
        Int32(clamping: max(0, nextPass - ClockReading.monotonicNanoseconds() / 1_000_000) + 1)
    }

    /// Requests an immediate pass with a rule.
    ///
    /// - Parameter retention: The rule; nil for the configured rule.
    mutating func request(_ retention: Retention?, id: UInt64) {
        // Abort a regular pass. The next pass applies the requested rule.
        if requests.isEmpty { pass = nil }
        requests.append((id, retention))
    }

    /// Records that approximately this number of bytes was kept. If `MaxSize=` is exceeded, a pass begins at once.
    mutating func kept(byteCount: Int64) { keptByteCount += byteCount }

    private var isFull: Bool {
        guard let limit = retention.byteCountMax else { return false }
        return measuredByteCount + keptByteCount > limit && keptByteCount > limit / 64
    }

    /// Aborts the current pass, and waits for the next regular pass.
    ///
    /// - Returns: The ids of the requests that are dropped.
    mutating func postpone() -> [UInt64] {
        nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.passMilliseconds
        pass = nil
        defer { requests = [] }
        return requests.map(\.id)
    }

    /// Performs one small step if one is due.
    ///
    /// - Returns: The id of a request and the number of removed runs, if the step completed the request.
    mutating func step(on database: Database) throws(DatabaseError) -> (id: UInt64, runCount: Int)? {
        let rule = requests.first.map { $0.retention ?? retention } ?? retention
        if pass == nil {
            let isTime = ClockReading.monotonicNanoseconds() / 1_000_000 >= nextPass
            guard isTime || isFull || !requests.isEmpty else { return nil }
            pass = Pass(folders: files?.foldersByAge() ?? [])
            keptByteCount = 0
        }
        if try removeSome(rule, from: database) { return nil }
        // All expired records are removed. Return the remaining free space to the disk.
        if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 {
            try database.execute("PRAGMA incremental_vacuum(512)")
            if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 { return nil }
        }
        measuredByteCount = try Self.size(of: database) + (pass?.shares.fileByteCount ?? 0)
        defer { pass = nil }
        guard !requests.isEmpty else {
            nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.passMilliseconds
            return nil
        }
        return (requests.removeFirst().id, pass?.removedCount ?? 0)
    }

    // MARK: Private

    /// Removes some runs, the output of some runs, or the files of some runs. Returns false if nothing is left to
    /// remove.
    private mutating func removeSome(_ rule: Retention, from database: Database) throws(DatabaseError) -> Bool {
        let now = ClockReading.realtimeNanoseconds()
        var condition = ""
        if let keep = rule.keep { condition = "e.wall < \(now - Self.nanoseconds(keep))" }
        if !condition.isEmpty, try !removeRuns(where: condition, [], from: database).isEmpty { return true }
        if try Self.removeOutput(from: database, rule, now) > 0 { return true }
        if try checkFolders(rule, now, database) { return true }
        guard rule.byteCountMax != nil || rule.runCountMax != nil else { return false }
        return try countRuns(in: database) ? true : try removeExcess(rule, from: database)
    }

    /// Removes files that are too old, and measures the others.
    private mutating func checkFolders(
        _ rule: Retention,
        _ now: Int64,
        _ database: Database
    ) throws(DatabaseError) -> Bool {
        guard let files, let folders = pass?.folders, !folders.isEmpty else { return false }
        let age = rule.keepFiles.map { max(Self.nanoseconds($0), Self.minimumAgeNanoseconds) }
        let find = try database.prepare(
            """
            SELECT r.uid, r.account, e.number, \(Self.isUnneeded) FROM runs r LEFT JOIN ends e USING (number)
            WHERE r.run = ?
            """
        )
        for folder in folders.prefix(Self.runsPerStep) {
            guard let changed = files.changedNanoseconds(folder) else { continue }
            let isOld = age.map { changed < now - $0 } == true
            guard isOld || rule.byteCountMax != nil else { continue }
            try find.start([.text(folder)])
            defer { find.end() }
            let isKnown = try find.step()
            let isNeeded = isKnown && find.integer(3) == 0
            if isOld, !isNeeded {
                _ = files.remove(folder)
            } else if rule.byteCountMax != nil {
                let isYoung = changed >= now - Self.minimumAgeNanoseconds
                // The files of an unknown run belong to no user.
                let user = isKnown ? Self.user(in: find, 0) : Caller.local(user: .max)
                let byteCount = files.byteCount(of: folder)
                let account = subordinates.account(of: user)
                pass?.shares[account].fileByteCount += byteCount
                // The files of an unfinished run may not have been written completely.
                if !isNeeded, !isYoung || isKnown && find.integer(2) != nil {
                    let folder = KeptShares.Folder(name: folder, byteCount: byteCount, isYoung: isYoung)
                    pass?.shares[account].folders.append(folder)
                }
            }
        }
        pass?.folders = Array(folders.dropFirst(Self.runsPerStep))
        return true
    }

    /// Adds some ended runs to the accounts' shares. Returns false if all runs were added.
    private mutating func countRuns(in database: Database) throws(DatabaseError) -> Bool {
        guard let last = pass?.lastNumber else { return false }
        let statement = try database.prepare(
            """
            SELECT uid, account, count(*), sum(size), max(number) FROM (
                SELECT r.uid, r.account, e.size, e.number FROM ends e JOIN runs r USING (number)
                WHERE e.number > \(last) ORDER BY e.number LIMIT \(Self.countedRunsPerStep))
            GROUP BY uid, account
            """
        )
        var next: Int64?
        while try statement.step() {
            let user = Self.user(in: statement, 0)
            let account = subordinates.account(of: user)
            pass?.shares[account].users.insert(user)
            pass?.shares[account].runCount += statement.integer(2) ?? 0
            pass?.shares[account].recordByteCount += statement.integer(3) ?? 0
            next = max(next ?? 0, statement.integer(4) ?? 0)
        }
        pass?.lastNumber = next
        return true
    }

    /// If a limit is exceeded, removes some files, or else some runs, of the account that keeps the most. Returns false
    /// if no limit is exceeded, or nothing can be removed.
    private mutating func removeExcess(_ rule: Retention, from database: Database) throws(DatabaseError) -> Bool {
        guard let shares = pass?.shares else { return false }
        if let limit = rule.runCountMax, shares.runCount > limit,
            let (account, lead) = shares.largest(by: \.runCount, where: { !$0.users.isEmpty })
        {
            let count = min(shares.runCount - limit, max(1, lead))
            return try removeRuns(of: account, count: count, byteCount: .max, from: database)
        }
        guard let limit = rule.byteCountMax else { return false }
        let byteCount = try Self.size(of: database) + shares.fileByteCount
        if byteCount > limit { pass?.isShrinking = true }
        let excess = byteCount - (limit - limit / 16)
        guard pass?.isShrinking == true, excess > 0,
            let (account, lead) = shares.largest(
                by: \.byteCount,
                where: { !$0.users.isEmpty || Self.removableFolder(of: $0) != nil }
            )
        else { return false }
        let goal = min(excess, max(1, lead))
        if Self.removableFolder(of: shares[account]) != nil {
            removeFiles(of: account, byteCount: goal)
            return true
        }
        return try removeRuns(of: account, count: .max, byteCount: goal, from: database)
    }

    /// Returns the oldest folder of an account. The newest one is kept until its files can have been sent.
    private static func removableFolder(of share: KeptShares.Share) -> KeptShares.Folder? {
        guard let first = share.folders.first, share.folders.count > 1 || !first.isYoung else { return nil }
        return first
    }

    /// Removes the oldest files of an account, but keeps the records of their runs.
    private mutating func removeFiles(of account: Account, byteCount: Int64) {
        var removedByteCount: Int64 = 0
        for _ in 0..<Self.runsPerStep where removedByteCount < byteCount {
            guard let share = pass?.shares[account], let folder = Self.removableFolder(of: share) else { return }
            _ = files?.remove(folder.name)
            removedByteCount += folder.byteCount
            pass?.shares[account].folders.removeFirst()
            pass?.shares[account].fileByteCount -= folder.byteCount
        }
    }

    /// Removes the oldest ended runs of an account, up to a number of runs, or until their records have this size.
    private mutating func removeRuns(
        of account: Account,
        count: Int64,
        byteCount: Int64,
        from database: Database
    ) throws(DatabaseError) -> Bool {
        let users = Array((pass?.shares[account].users ?? []).prefix(Self.usersPerStep))
        let removed = try removeRuns(
            where: "(r.uid, r.account) IN (VALUES \(users.map { _ in "(?,?)" }.joined(separator: ",")))",
            users.flatMap { [.number($0.uid), .text($0.account)] },
            count: min(count, Int64(Self.runsPerStep)),
            byteCount: byteCount,
            from: database
        )
        pass?.shares[account].runCount -= Int64(removed.count)
        pass?.shares[account].recordByteCount -= removed.reduce(0) { $0 + $1.byteCount }
        // These users have no other runs that can be removed.
        if removed.isEmpty { pass?.shares[account].users.subtract(users) }
        return true
    }

    /// Removes some ended runs with their files. The newest run is always kept, because the number of the next run
    /// depends on it.
    ///
    /// - Returns: The number and the size of each removed run.
    private mutating func removeRuns(
        where condition: String,
        _ values: [Statement.Value],
        count: Int64 = Int64(runsPerStep),
        byteCount: Int64 = .max,
        from database: Database
    ) throws(DatabaseError) -> [(number: Int64, byteCount: Int64)] {
        let statement = try database.prepare(
            """
            SELECT e.number, r.run, e.size FROM ends e JOIN runs r USING (number)
            WHERE \(condition) AND \(Self.isUnneeded) AND e.number < (SELECT max(number) FROM runs)
            ORDER BY e.number LIMIT \(count)
            """
        )
        try statement.start(values)
        var removed: [(number: Int64, byteCount: Int64)] = []
        var runs: [String] = []
        var size: Int64 = 0
        while size < byteCount, try statement.step() {
            guard let number = statement.integer(0), let run = statement.text(1) else { continue }
            removed.append((number, statement.integer(2) ?? 0))
            runs.append(run)
            size += statement.integer(2) ?? 0
        }
        statement.end()
        guard !removed.isEmpty else { return [] }
        let list = removed.map { "\($0.number)" }.joined(separator: ",")
        try Self.transact(on: database) { () throws(DatabaseError) in
            for table in ["output", "changes", "departures", "ends", "runs"] {
                try database.execute("DELETE FROM \(table) WHERE number IN (\(list))")
            }
            try database.execute("DELETE FROM hours WHERE last < (SELECT min(number) FROM runs)")
        }
        // Remove the files after the records. Files that remain after a crash are removed later because of their age.
        for run in runs { _ = files?.remove(run) }
        pass?.removedCount += removed.count
        return removed
    }

    /// Runs the body in a transaction, and returns the freed space to the disk, a few pages at a time.
    private static func transact(
        on database: Database,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try database.execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try database.execute("COMMIT")
            try database.execute("PRAGMA incremental_vacuum(512)")
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
    }

    private static func user(in statement: Statement, _ column: Int32) -> Caller {
        let user = statement.integer(column).flatMap { UInt32(exactly: $0) } ?? .max
        return .local(user: user, account: statement.text(column + 1) ?? "")
    }

    private static func removeOutput(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> Int {
        guard let keep = rule.keepOutput else { return 0 }
        var count = 0
        try transact(on: database) { () throws(DatabaseError) in
            try database.execute(
                """
                DELETE FROM output WHERE number IN (SELECT DISTINCT o.number FROM output o JOIN ends e USING (number)
                    WHERE e.wall < \(now - nanoseconds(keep)) LIMIT \(runsPerStep))
                """
            )
            count = database.changeCount
        }
        return count
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
