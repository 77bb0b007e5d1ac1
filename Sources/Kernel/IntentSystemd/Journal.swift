import Glibc
import IntentLinux

/// Writes entries with fields to systemd's journal, or lines to standard error if no journal is connected.
package struct Journal: Sendable {
    package typealias Field = (name: String, value: String)

    /// The syslog(3) levels that intentd uses.
    package enum Level: Int32, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    /// The program's name, for SYSLOG_IDENTIFIER.
    private let identifier: String
    /// The journal's socket; nil if lines are written to standard error.
    private let socket: JournalSocket?

    /// The size in bytes to which values are truncated, because an entry must fit into one datagram.
    private static let valueLimit = 32 << 10

    /// Writes to the journal if standard error is connected to it (JOURNAL_STREAM in systemd.exec(5)).
    package init(identifier: String) {
        self.init(identifier: identifier, at: getenv("JOURNAL_STREAM") == nil ? nil : JournalSocket.systemPath)
    }

    /// Creates a logger that writes to the journal's socket at `path`, or to standard error if `path` is nil.
    package init(identifier: String, at path: String?) {
        self.identifier = identifier
        socket = path.map { JournalSocket(path: $0) }
    }

    package var isConnected: Bool { socket != nil }

    /// Writes one entry. Field names consist of `A-Z`, digits and `_`. Control characters in values are escaped.
    ///
    /// - Parameters:
    ///   - kind: The MESSAGE_ID of 32 hexadecimal digits, for an entry that the message catalogue explains.
    ///   - speaker: The SYSLOG_IDENTIFIER, for a line that another program printed.
    package func write(
        _ level: Level,
        _ message: String,
        _ fields: [Field] = [],
        kind: String? = nil,
        speaker: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line,
        function: StaticString = #function
    ) {
        guard let socket else {
            let line = "\(identifier): \(SafeText.journal(message))\n"
            // If writing to standard error fails, the failure cannot be reported anywhere.
            _ = line.withCString { Glibc.write(2, $0, strlen($0)) }
            return
        }
        var entry: [Field] = [
            ("MESSAGE", message), ("PRIORITY", "\(level.rawValue)"), ("SYSLOG_IDENTIFIER", speaker ?? identifier),
            ("SYSLOG_PID", "\(getpid())"), ("CODE_FILE", "\(file)"), ("CODE_LINE", "\(line)"),
            ("CODE_FUNC", "\(function)"),
        ]
        if let kind { entry.append(("MESSAGE_ID", kind)) }
        socket.send((entry + fields).map { ($0.name, Self.cut(SafeText.journal($0.value))) })
    }

    private static func cut(_ value: String) -> String {
        value.utf8.count <= valueLimit ? value : "\(value.prefix(utf8: valueLimit))…"
    }
}
