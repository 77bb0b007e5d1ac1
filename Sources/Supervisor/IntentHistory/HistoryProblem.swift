import CIntentSQLite

/// The reason why records cannot be written or read.
package enum HistoryProblem: Error, Equatable, Sendable {
    /// The file is not a database, or belongs to another program.
    case foreign(path: String)
    /// The file was created by a newer version of intentd.
    case newer(path: String, version: Int64)
    case corrupt(path: String, message: String)
    /// The disk is full.
    case full(path: String)
    case readOnly(path: String)
    /// Another program has locked the database.
    case locked(path: String)
    /// The disk has not responded for this number of seconds.
    case stalled(path: String, seconds: Int64)
    /// The number of bytes waiting for the disk exceeds the limit.
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
            // SQLite returns SQLITE_IOERR_SHMSIZE instead of SQLITE_FULL if the disk has no room for the log's shared
            // memory.
            case SQLITE_IOERR where error.code == Self.noSpaceForSharedMemory: .full(path: path)
            default: .failed(path: path, message: error.message)
            }
    }

    /// The value of SQLITE_IOERR_SHMSIZE, a macro that Swift does not import (sqlite3.h).
    private static let noSpaceForSharedMemory = SQLITE_IOERR | 19 << 8

    /// True if the file must be opened again before records can be written.
    var needsReopening: Bool {
        switch self {
        case .foreign, .newer, .corrupt, .readOnly, .failed: true
        case .full, .locked, .stalled, .behind: false
        }
    }

    /// True if the problem may disappear within seconds.
    package var mayPass: Bool {
        switch self {
        case .locked, .stalled, .behind: true
        case .foreign, .newer, .corrupt, .readOnly, .failed, .full: false
        }
    }

    /// A short description for the status line.
    package var phrase: String {
        switch self {
        case .foreign: "not an intentd history"
        case .newer: "created by a newer version of intentd"
        case .corrupt: "the file is corrupt"
        case .full: "the disk is full"
        case .readOnly: "the disk is read-only"
        case .locked: "locked by another program"
        case .stalled: "the disk does not respond"
        case .behind: "the disk is too slow"
        case .failed: "writing to the file fails"
        }
    }

    /// The next step for the operator.
    package var hint: String {
        switch self {
        case .foreign(let path), .corrupt(let path, _):
            "the file is unchanged: move '\(path)' and '\(path)-wal' away; intentd then creates a new history"
        case .newer(let path, _): "install the newer version again, or move '\(path)' and '\(path)-wal' away"
        case .full: "free some space on its disk; intentd then continues automatically"
        case .readOnly(let path):
            "give intentd write permission for '\(path)' and its folder; intentd then continues automatically"
        case .locked(let path):
            "stop the program that has '\(path)' open (fuser -v '\(path)'); intentd then continues automatically"
        case .stalled, .behind: "check the disk (dmesg, iostat); intentd continues automatically when it works again"
        case .failed(let path, _): "check '\(path)' and its disk; intentd retries automatically"
        }
    }
}

extension HistoryProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreign(let path): "the history '\(path)' is not an intentd database"
        case .newer(let path, let version):
            "the history '\(path)' has format \(version), and this intentd supports formats up to \(Schema.version)"
        case .corrupt(let path, let message): "the history '\(path)' is corrupt: \(message)"
        case .full(let path): "the history '\(path)' cannot be written: no space is left on its disk"
        case .readOnly(let path): "the history '\(path)' cannot be written: the file or its disk is read-only"
        case .locked(let path): "the history '\(path)' is locked by another program"
        case .stalled(let path, let seconds):
            "the disk of the history '\(path)' has not responded for \(seconds) s"
        case .behind(let path):
            "the disk of the history '\(path)' is too slow: new records arrive faster than they can be written"
        case .failed(let path, let message): "the history '\(path)' cannot be used: \(message)"
        }
    }
}
