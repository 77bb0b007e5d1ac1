import CSystemd
import Glibc

/// Lines for systemd's journal with fields of their own, or for standard error where there is no journal.
package struct Journal: Sendable {
    /// syslog(3)'s levels, as far as they are used here.
    package enum Level: Int32, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    /// False: lines go to standard error, where a person may be reading.
    package let isConnected: Bool
    /// SYSLOG_IDENTIFIER: the program's name.
    private let identifier: String

    /// Speaks to the journal when standard error leads there (JOURNAL_STREAM of systemd.exec(5)).
    package init(identifier: String) {
        isConnected = getenv("JOURNAL_STREAM") != nil
        self.identifier = identifier
    }

    /// Writes one line. Fields have names of `A-Z`, digits and `_` (sd_journal_send(3)).
    package func write(_ level: Level, _ message: String, _ fields: [(name: String, value: String)] = []) {
        guard isConnected else {
            let line = "\(identifier): \(message)\n"
            // A line that standard error does not take has no other place to go.
            _ = line.withCString { Glibc.write(2, $0, strlen($0)) }
            return
        }
        let texts =
            ["MESSAGE=\(message)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
            + fields.map { "\($0.name)=\($0.value)" }
        let buffers = texts.map { Array($0.utf8) }
        var vectors: [iovec] = []
        // One stretch of memory that stays put while the vectors point into it.
        var bytes = buffers.flatMap { $0 }
        bytes.withUnsafeMutableBytes { memory in
            var offset = 0
            for buffer in buffers {
                vectors.append(iovec(iov_base: memory.baseAddress.map { $0 + offset }, iov_len: buffer.count))
                offset += buffer.count
            }
            // The journal may be away for a moment; the service goes on without this line.
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}
