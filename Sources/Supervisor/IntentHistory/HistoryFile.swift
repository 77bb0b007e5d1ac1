import CIntentSQLite
import Glibc
import IntentLinux

/// An open history file. Opening creates the file if it does not exist, and migrates it to the current format. A file
/// that belongs to another program is never overwritten.
package struct HistoryFile {
    let database: Database
    /// The identities of the file and its write-ahead log. The file without its log lacks the newest records.
    private let identities: [Identity]

    /// The values that identify a file independently of its name.
    private struct Identity: Equatable {
        var device: UInt
        var inode: UInt
    }

    /// - Parameter migrations: The SQL of the file's formats (``Schema/migrations``).
    package init(
        path: String,
        durability: HistoryDurability,
        migrations: [String] = Schema.migrations
    ) throws(HistoryProblem) {
        try Self.prepare(path)
        database = try Self.open(path, durability, migrations)
        // Execute a query, because the first query creates the log if it does not exist.
        do throws(DatabaseError) {
            _ = try database.integer("SELECT count(*) FROM sqlite_schema")
        } catch {
            throw HistoryProblem(error, path: path)
        }
        guard let identities = Self.identities(of: path) else {
            throw .failed(path: path, message: "it was removed while it was being opened")
        }
        self.identities = identities
    }

    /// True unless the file or its log was moved or replaced. Records written to a moved or replaced file would not be
    /// found later.
    var isInPlace: Bool { Self.identities(of: database.path) == identities }

    /// Checks the header of a file before SQLite reads the file. To recover a file, SQLite may write to it, even if it
    /// belongs to another program.
    ///
    /// - Throws: SQLITE_NOTADB for a file that is neither a history nor empty (https://www.sqlite.org/fileformat.html).
    static func checkHeader(of database: Database) throws(DatabaseError) {
        let header = try database.header(byteCount: 100)
        if header.allSatisfy({ $0 == 0 }), isEmpty(database.path) { return }
        let application = header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard header.starts(with: Array("SQLite format 3\0".utf8)),
            application == Schema.applicationID || application == 0
        else { throw DatabaseError(code: SQLITE_NOTADB, message: "the file belongs to another program") }
    }

    // MARK: Private

    private static func isEmpty(_ path: String) -> Bool { (try? File.status(at: path))?.byteCount == 0 }

    /// Creates the folder and an empty file unless they exist. Only the owner can access what is created.
    private static func prepare(_ path: String) throws(HistoryProblem) {
        let components = path.split(scalar: "/")
        var folder = ""
        for component in components.dropLast() {
            folder += "/\(component)"
            // Ignore a failure. If a folder cannot be created, opening the file below fails and reports the reason.
            _ = mkdir(folder, 0o700)
        }
        // Never open an existing file: closing the descriptor would release all of this process's locks on the file
        // (fcntl(2)). The next program that opens the file would then remove the log, and everything written to the log
        // later would be lost.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            _ = FileDescriptor(owning: descriptor)
            return
        }
        guard errno == EEXIST else { throw problem(path, code: errno) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw problem(path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path: path) }
        guard access(path, R_OK | W_OK) == 0 else { throw problem(path, code: errno) }
    }

    private static func problem(_ path: String, code: Int32) -> HistoryProblem {
        switch code {
        case ENOSPC, EDQUOT: .full(path: path)
        case EROFS: .readOnly(path: path)
        default: .failed(path: path, message: String(foreign: strerror(code)))
        }
    }

    private static func open(
        _ path: String,
        _ durability: HistoryDurability,
        _ migrations: [String]
    ) throws(HistoryProblem) -> Database {
        var newerVersion: Int64?
        do throws(DatabaseError) {
            let database = try Database(path)
            try checkHeader(of: database)
            let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
            let application = try database.integer("PRAGMA application_id") ?? 0
            guard application == Schema.applicationID || (isEmpty && application == 0) else {
                throw DatabaseError(code: SQLITE_NOTADB, message: "the file belongs to another program")
            }
            let version = try database.integer("PRAGMA user_version") ?? 0
            if (0...Int64(migrations.count)).contains(version) {
                try migrate(database, from: Int(version), by: migrations)
                try configure(database, durability)
                return database
            }
            newerVersion = version
        } catch {
            throw HistoryProblem(error, path: path)
        }
        throw .newer(path: path, version: newerVersion ?? 0)
    }

    private static func migrate(
        _ database: Database,
        from version: Int,
        by migrations: [String]
    ) throws(DatabaseError) {
        if version == 0 {
            // In this mode, free pages can be returned to the disk in small steps. The mode must be set before the
            // first table is created.
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        for step in version..<migrations.count {
            try database.execute("BEGIN IMMEDIATE")
            do throws(DatabaseError) {
                try database.execute(migrations[step])
                try database.execute("PRAGMA application_id = \(Schema.applicationID)")
                try database.execute("PRAGMA user_version = \(step + 1)")
                try database.execute("COMMIT")
            } catch {
                // Ignore an error from the rollback, so that the first error is reported.
                try? database.execute("ROLLBACK")
                throw error
            }
        }
    }

    private static func configure(_ database: Database, _ durability: HistoryDurability) throws(DatabaseError) {
        try database.execute("PRAGMA journal_mode = WAL")
        switch durability {
        // The log is in the kernel's page cache, which survives a crash of this process. The log is synced only when it
        // is copied to the file.
        case .process: try database.execute("PRAGMA synchronous = NORMAL")
        case .power: try database.execute("PRAGMA synchronous = FULL")
        }
        try database.execute("PRAGMA cache_size = -2048")
        try database.execute("PRAGMA cell_size_check = ON")
        // Truncate a log that has become large during a busy period.
        try database.execute("PRAGMA journal_size_limit = 16777216")
    }

    private static func identities(of path: String) -> [Identity]? {
        var identities: [Identity] = []
        for name in [path, path + "-wal"] {
            var status = stat()
            guard stat(name, &status) == 0 else { return nil }
            identities.append(Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino)))
        }
        return identities
    }
}

/// The failures that a recorded run survives (`Durability=`).
package enum HistoryDurability: Sendable, Equatable {
    /// A recorded run survives a crash of this process.
    case process
    /// A recorded run also survives a power failure.
    case power
}
