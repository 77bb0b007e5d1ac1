import CIntentSQLite
import IntentLinux

/// A prepared statement on a connection. It can be executed repeatedly.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// A value that is bound to a parameter of a statement.
    enum Value {
        case null
        case integer(Int64)
        case text(String)
        case bytes([UInt8])

        static func number(_ value: some BinaryInteger) -> Value { .integer(Int64(truncatingIfNeeded: value)) }

        static func integer(ifAny value: Int64?) -> Value {
            if let value { .integer(value) } else { .null }
        }

        static func text(ifAny value: String?) -> Value {
            if let value { .text(value) } else { .null }
        }
    }

    /// Executes the statement with these values and ignores its rows.
    func run(_ values: Value...) throws(DatabaseError) {
        try start(values)
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Starts the statement with these values. Call ``step()`` for each row, and then ``end()``.
    func start(_ values: [Value]) throws(DatabaseError) {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    /// Advances to the next row. Returns false if there are no more rows.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            // Read the error message before resetting the statement, because the reset overwrites the message.
            let error = Result { () throws(DatabaseError) in try database.check(code) }
            sqlite3_reset(handle)
            try error.get()
            return false
        }
    }

    /// Resets the statement. SQLite cannot truncate the log while a statement is unfinished.
    func end() { sqlite3_reset(handle) }

    // MARK: The columns of a row

    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
    }

    func text(_ column: Int32) -> String? {
        bytes(column).map { String(foreign: $0) }
    }

    func bytes(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private func bind(_ value: Value, at index: Int32) throws(DatabaseError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            code = text.withUTF8 { buffer in
                // Pass an address even for an empty string, because a null pointer would be bound as NULL.
                buffer.withMemoryRebound(to: CChar.self) {
                    csqlite_bind_text(handle, index, $0.baseAddress ?? Self.emptyText, Int32(clamping: $0.count))
                }
            }
        case .bytes(let bytes):
            code = bytes.withUnsafeBytes {
                csqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
        try database.check(code)
    }

    // SAFETY: the memory is never written to or freed — no other reference to it exists.
    private nonisolated(unsafe) static let emptyText: UnsafePointer<CChar> = {
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        text.initialize(to: 0)
        return UnsafePointer(text)
    }()
}
