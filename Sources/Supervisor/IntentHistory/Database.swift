import CIntentSQLite
import IntentLinux

/// A connection to a database file. An instance must be used only by the thread that opened it.
final class Database {
    private let handle: OpaquePointer
    let path: String
    // SAFETY: only the hook writes to the memory, during calls on `handle` — the memory is allocated in init, and freed
    // in deinit after the handle is closed.
    private let logFrames: UnsafeMutablePointer<Int32>

    /// Opens an existing file without reading it.
    init(_ path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(foreign: sqlite3_errmsg($0)) } ?? "out of memory"
            let extended = opened.map { sqlite3_extended_errcode($0) } ?? code
            sqlite3_close_v2(opened)
            throw DatabaseError(code: extended, message: message)
        }
        handle = opened
        logFrames = .allocate(capacity: 1)
        logFrames.initialize(to: 0)
        self.path = path
        sqlite3_extended_result_codes(handle, 1)
        try check(csqlite_harden(handle))
        try check(csqlite_keep_log(handle))
        // Do not wait for locks in SQLite, because waiting would delay all the thread's other work. The reader and the
        // writer decide when to try again.
        try check(sqlite3_busy_timeout(handle, 0))
        // Replace SQLite's own hook, which would copy the log to the file during a commit.
        sqlite3_wal_hook(
            handle,
            { frames, _, _, count in
                frames?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            },
            logFrames
        )
    }

    deinit {
        sqlite3_close_v2(handle)
        logFrames.deallocate()
    }

    /// The number of pages in the write-ahead log after the last commit of this connection.
    var logPageCount: Int { Int(logFrames.pointee) }

    /// Returns the first bytes of the file. Bytes beyond the end of the file are 0.
    func header(byteCount: Int) throws(DatabaseError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        try check(csqlite_read_header(handle, &bytes, Int32(byteCount)))
        return bytes
    }

    /// Executes statements that return no rows.
    func execute(_ sql: String) throws(DatabaseError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else { throw DatabaseError(code: SQLITE_MISUSE, message: "the statement is empty") }
        return Statement(statement, of: self)
    }

    /// Executes a statement and returns the integer in its first row, or nil if there are no rows.
    func integer(_ sql: String) throws(DatabaseError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The number of rows that the last statement inserted, updated or deleted.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    enum Checkpoint {
        /// A checkpoint that copies as many pages as possible without waiting.
        case passive
        /// A checkpoint that copies all pages, and truncates the log.
        case truncating

        fileprivate var mode: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// Copies the write-ahead log to the file.
    func checkpoint(_ kind: Checkpoint) throws(DatabaseError) {
        try check(sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, nil, nil))
    }

    func check(_ code: Int32) throws(DatabaseError) {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(code: code, message: String(foreign: sqlite3_errmsg(handle)))
    }
}

/// An SQLite error, with its extended result code and message.
struct DatabaseError: Error, Equatable {
    var code: Int32
    var message: String

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xff }
}
