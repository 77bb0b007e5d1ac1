import AppIntents
import CIntentSQLite

/// Lines in a SQLite database, which locks its file between processes and rolls back what a killed run left.
final class LineDatabase {
    private var connection: OpaquePointer?

    init() throws {
        guard let folder = IntentState.directory else { throw IntentStateError.noDirectory }
        try check(sqlite3_open(folder + "/lines.db", &connection))
        // Wait for the lock of another run instead of failing at once.
        sqlite3_busy_timeout(connection, 10_000)
        // Runs that read do not wait for the run that writes.
        try execute("PRAGMA journal_mode = WAL")
        try execute("CREATE TABLE IF NOT EXISTS lines (text TEXT NOT NULL)")
    }

    deinit {
        sqlite3_close(connection)
    }

    func add(_ text: String) throws {
        // A transaction that reads first and writes later begins with the lock, so that no other run writes in between.
        try execute("BEGIN IMMEDIATE")
        do {
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(connection, "INSERT INTO lines VALUES (?)", -1, &statement, nil))
            defer { sqlite3_finalize(statement) }
            try text.withCString { bytes in
                // The statement ends inside the closure, so SQLite need not copy the text.
                try check(sqlite3_bind_text(statement, 1, bytes, -1, nil))
                try check(sqlite3_step(statement), SQLITE_DONE)
            }
            try execute("COMMIT")
        } catch {
            // Nothing to roll back if COMMIT has ended the transaction.
            try? execute("ROLLBACK")
            throw error
        }
    }

    var count: Int {
        get throws {
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(connection, "SELECT count(*) FROM lines", -1, &statement, nil))
            defer { sqlite3_finalize(statement) }
            try check(sqlite3_step(statement), SQLITE_ROW)
            return Int(sqlite3_column_int64(statement, 0))
        }
    }

    private func execute(_ statement: String) throws {
        try check(sqlite3_exec(connection, statement, nil, nil, nil))
    }

    private func check(_ code: Int32, _ expected: Int32 = SQLITE_OK) throws {
        guard code != expected else { return }
        throw DatabaseError(message: String(cString: sqlite3_errmsg(connection)))
    }
}

struct DatabaseError: Error, CustomLocalizedStringResourceConvertible {
    var message: String

    var localizedStringResource: LocalizedStringResource { "The database failed: \(message)." }
}
