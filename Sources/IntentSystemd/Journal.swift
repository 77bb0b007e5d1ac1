import Glibc
import IntentLinux

/// Lines for systemd's journal with fields of their own, or for standard error where there is no journal.
package struct Journal: Sendable {
    package typealias Field = (name: String, value: String)

    /// syslog(3)'s levels, as far as they are used here.
    package enum Level: Int32, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    /// SYSLOG_IDENTIFIER: the program's name.
    private let identifier: String
    /// Nil: lines go to standard error, where a person may be reading.
    private let socket: JournalSocket?

    /// Longer values are cut, in bytes: an entry must fit into one datagram.
    private static let valueLimit = 32 << 10

    /// Speaks to the journal when standard error leads there (JOURNAL_STREAM of systemd.exec(5)).
    package init(identifier: String) {
        self.init(identifier: identifier, at: getenv("JOURNAL_STREAM") == nil ? nil : JournalSocket.systemPath)
    }

    /// Speaks to the journal at that socket; nil: to standard error.
    package init(identifier: String, at path: String?) {
        self.identifier = identifier
        socket = path.map { JournalSocket(path: $0) }
    }

    package var isConnected: Bool { socket != nil }

    /// Writes one entry. Fields have names of `A-Z`, digits and `_`; no control character of a value passes.
    ///
    /// - Parameters:
    ///   - kind: MESSAGE_ID, 32 hexadecimal digits, for an entry that the message catalogue explains.
    ///   - speaker: SYSLOG_IDENTIFIER, when it is somebody else's line.
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
            let line = "\(identifier): \(JournalText.clean(message))\n"
            // A line that standard error does not take has no other place to go.
            _ = line.withCString { Glibc.write(2, $0, strlen($0)) }
            return
        }
        var entry: [Field] = [
            ("MESSAGE", message), ("PRIORITY", "\(level.rawValue)"), ("SYSLOG_IDENTIFIER", speaker ?? identifier),
            ("SYSLOG_PID", "\(getpid())"), ("CODE_FILE", "\(file)"), ("CODE_LINE", "\(line)"),
            ("CODE_FUNC", "\(function)"),
        ]
        if let kind { entry.append(("MESSAGE_ID", kind)) }
        socket.send((entry + fields).map { ($0.name, Self.cut(JournalText.clean($0.value))) })
    }

    private static func cut(_ value: String) -> String {
        value.utf8.count <= valueLimit ? value : String(decoding: value.utf8.prefix(valueLimit), as: UTF8.self) + "…"
    }
}
