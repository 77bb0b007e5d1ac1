import Glibc
import IntentLinux
import Synchronization

/// The journal's socket. Sends one datagram per entry, in the journal's native format
/// (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
///
/// sd_journal_sendv(3) would block while the journal is too slow, and intentd would not enforce deadlines in the
/// meantime. This socket waits once for 100 ms. Then it drops entries until the journal accepts them again, and logs
/// the number of dropped entries.
final class JournalSocket: Sendable {
    static let systemPath = "/run/systemd/journal/socket"

    private struct State {
        var socket: SharedFileDescriptor?
        /// True once the journal has failed to accept an entry in time. Entries are then sent without waiting, until
        /// the journal accepts an entry.
        var isBehind = false
        var lostCount = 0
    }

    private static let patienceMilliseconds: Int32 = 100
    private let path: String
    private let state = Mutex(State())

    init(path: String) {
        self.path = path
    }

    func send(_ fields: [Journal.Field]) {
        state.withLock { state in
            if state.lostCount > 0 {
                let lines = state.lostCount == 1 ? "1 line was" : "\(state.lostCount) lines were"
                let note: [Journal.Field] = [
                    ("MESSAGE", "\(lines) dropped because the journal was too slow"),
                    ("PRIORITY", "\(Journal.Level.warning.rawValue)"),
                ]
                guard Self.send(Self.encode(note), &state, to: path) else {
                    state.lostCount += 1
                    return
                }
                state.lostCount = 0
            }
            if !Self.send(Self.encode(fields), &state, to: path) { state.lostCount += 1 }
        }
    }

    private static func send(_ datagram: [UInt8], _ state: inout State, to path: String) -> Bool {
        do throws(SystemError) {
            let socket = try connected(&state, to: path)
            if try UnixSocket.send(datagram[...], on: socket.rawValue, waiting: .never) != nil {
                state.isBehind = false
                return true
            }
            if state.isBehind { return false }
            var ready = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
            // Ignore the result, because the next attempt to send shows whether there is space.
            _ = poll(&ready, 1, patienceMilliseconds)
            let wasSent = try UnixSocket.send(datagram[...], on: socket.rawValue, waiting: .never) != nil
            state.isBehind = !wasSent
            return wasSent
        } catch {
            // Close the socket, so that the next entry connects again. The journal may have been stopped or restarted.
            state.socket = nil
            return false
        }
    }

    private static func connected(_ state: inout State, to path: String) throws(SystemError) -> SharedFileDescriptor {
        if let socket = state.socket { return socket }
        let socket = SharedFileDescriptor(try UnixSocket.connect(.datagram, to: path))
        state.socket = socket
        return socket
    }

    /// Encodes fields as `NAME=value`, or with a binary length if the value has several lines.
    static func encode(_ fields: [Journal.Field]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            let value = Array(value.utf8)
            bytes += name.utf8
            if value.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
