import CSQLite

/// Why nothing can be recorded or read: what failed, why, and the next step.
package enum HistoryProblem: Error, Equatable, Sendable {
    /// The file is not a database, or belongs to another program.
    case foreign(path: String)
    /// A newer version of intentd made the file.
    case newer(path: String, version: Int64)
    case corrupt(path: String, message: String)
    case full(path: String)
    case readOnly(path: String)
    /// Another program holds the database.
    case locked(path: String)
    /// The disk has not responded for this many seconds.
    case stalled(path: String, seconds: Int64)
    /// More entries wait for the disk than the limit allows.
    case behind(path: String)
    case failed(path: String, message: String)

    init(_ error: DatabaseError, path: String) {
        self =
            switch error.primaryCode {
            case SQLITE_NOTADB: .foreign(path: path)
            case SQLITE_CORRUPT: .corrupt(path: path, message: error.message)
            case SQLITE_FULL: .full(path: path)
            case SQLITE_READONLY: .readOnly(path: path)
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked(path: path)
            // If the disk is too full for the log's shared memory, SQLite returns a different error code.
            case SQLITE_IOERR where error.code == Self.noSpaceForSharedMemory: .full(path: path)
            default: .failed(path: path, message: error.message)
            }
    }

    /// SQLITE_IOERR_SHMSIZE, a macro that Swift does not see (sqlite3.h).
    private static let noSpaceForSharedMemory = SQLITE_IOERR | 19 << 8

    /// True if only opening the file again can help.
    var needsReopening: Bool {
        switch self {
        case .foreign, .newer, .corrupt, .readOnly, .failed: true
        case .full, .locked, .stalled, .behind: false
        }
    }

    /// True if the problem may pass soon by itself.
    package var mayPass: Bool {
        switch self {
        case .locked, .stalled, .behind: true
        case .foreign, .newer, .corrupt, .readOnly, .failed, .full: false
        }
    }

    /// A short description for the status line.
    package var phrase: String {
        switch self {
        case .foreign: "not a history of intentd"
        case .newer: "made by a newer version"
        case .corrupt: "the file is corrupt"
        case .full: "the disk is full"
        case .readOnly: "the disk is read-only"
        case .locked: "locked by another program"
        case .stalled: "the disk does not respond"
        case .behind: "the disk is too slow"
        case .failed: "intentd cannot write to it"
        }
    }

    /// The next step for the operator.
    package var hint: String {
        switch self {
        case .foreign(let path), .corrupt(let path, _):
            "it is unchanged: move '\(path)' and its -wal away, and intentd begins a new history at once"
        case .newer(let path, _): "install that version again, or move '\(path)' and its -wal away"
        case .full: "free some space on its disk; intentd then continues by itself"
        case .readOnly(let path): "let intentd write to '\(path)' and its folder; it then continues by itself"
        case .locked(let path): "end the program that holds '\(path)' (fuser -v '\(path)'); intentd then continues"
        case .stalled, .behind: "check the disk (dmesg, iostat); intentd continues by itself when it works again"
        case .failed(let path, _): "check '\(path)' and its disk; intentd tries again by itself"
        }
    }
}

extension HistoryProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreign(let path): "the history '\(path)' is not a database of intentd"
        case .newer(let path, let version):
            "the history '\(path)' has format \(version), and this intentd knows formats up to \(Schema.version)"
        case .corrupt(let path, let message): "the history '\(path)' is corrupt: \(message)"
        case .full(let path): "the history '\(path)' cannot be written: no space is left on its disk"
        case .readOnly(let path): "the history '\(path)' cannot be written: it, or its disk, is read-only"
        case .locked(let path): "the history '\(path)' is locked by another program"
        case .stalled(let path, let seconds):
            "the disk of the history '\(path)' has not responded for \(seconds) s"
        case .behind(let path):
            "the disk of the history '\(path)' is too slow: new records arrive faster than it writes them"
        case .failed(let path, let message): "the history '\(path)' cannot be used: \(message)"
        }
    }
}
