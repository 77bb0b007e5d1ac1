import Glibc
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

/// A socket that takes the role of the journal's socket.
private final class Listener {
    let path: String
    let socket: Int32

    convenience init() throws { try self.init(at: "/tmp/intentd-journal-\(UInt64.random(in: .min ... .max))") }

    init(at path: String) throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        guard result == 0 else { throw SystemError("bind", on: path, code: Errno(rawValue: errno)) }
    }

    deinit {
        close(socket)
        unlink(path)
    }

    /// Waits until no process has the socket open. A process that another test starts also has it, between fork and
    /// exec.
    static func waitForEnd(of path: String) throws {
        while try File.text(at: "/proc/net/unix", limit: 16 << 20).contains(path) { usleep(1000) }
    }

    /// Receives one entry; nil if no entry is pending.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Receives one entry, and returns its fields with one line.
    func lines() -> Set<String> {
        Set(String(decoding: receive() ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
    }
}

@Suite(.ownThread) struct JournalTests {
    @Test func `an entry has its fields, its source location and its message identifier`() throws {
        let listener = try Listener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        journal.write(.warning, "over there", [("INTENT_APP", "Soup")], kind: String(repeating: "a", count: 32))
        let lines = listener.lines()
        #expect(
            lines.isSuperset(of: ["MESSAGE=over there", "PRIORITY=4", "SYSLOG_IDENTIFIER=intentd", "INTENT_APP=Soup"])
        )
        #expect(lines.contains("MESSAGE_ID=" + String(repeating: "a", count: 32)))
        #expect(lines.contains("CODE_FILE=IntentSystemdTests/JournalTests.swift"))
        #expect(lines.contains { $0.hasPrefix("CODE_LINE=") } && lines.contains { $0.hasPrefix("CODE_FUNC=") })
    }

    @Test func `a value with several lines cannot imitate another field`() throws {
        let listener = try Listener()
        Journal(identifier: "intentd", at: listener.path).write(.info, "one\nINTENT_APP=Forged")
        let bytes = try #require(listener.receive())
        let value = Array("one\nINTENT_APP=Forged".utf8)
        let expected = Array("MESSAGE\n".utf8) + [UInt8(value.count), 0, 0, 0, 0, 0, 0, 0] + value + [0x0A]
        #expect(Array(bytes.prefix(expected.count)) == expected)
    }

    @Test func `control characters are escaped, and long values are truncated`() throws {
        let listener = try Listener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        journal.write(.info, "\u{1B}[31mred\u{7}\u{9B}\u{202E}")
        #expect(listener.lines().contains("MESSAGE=^[[31mred^G<U+009B><U+202E>"))
        journal.write(.info, String(repeating: "ü", count: 100_000))
        #expect(try #require(listener.receive()).count < 40_000)
    }

    @Test func `a slow journal delays a writer only briefly, and receives the number of dropped lines`() throws {
        let listener = try Listener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        // Send more entries than any queue holds. If every entry waited, the test would take minutes.
        for number in 0..<3000 { journal.write(.info, "line \(number)") }
        var count = 0
        while listener.receive() != nil { count += 1 }
        #expect(count > 0 && count < 3000)
        journal.write(.info, "there again")
        #expect(
            listener.lines().contains("MESSAGE=\(3000 - count) lines were dropped because the journal was too slow")
        )
        #expect(listener.lines().contains("MESSAGE=there again"))
    }

    @Test func `a journal that was restarted is connected again`() throws {
        var listener: Listener? = try Listener()
        let path = try #require(listener?.path)
        let journal = Journal(identifier: "intentd", at: path)
        journal.write(.info, "first")
        listener = nil
        try Listener.waitForEnd(of: path)
        journal.write(.info, "lost")
        journal.write(.info, "lost too")
        let next = try Listener(at: path)
        journal.write(.info, "back")
        #expect(next.lines().contains("MESSAGE=2 lines were dropped because the journal was too slow"))
        #expect(next.lines().contains("MESSAGE=back"))
    }
}
