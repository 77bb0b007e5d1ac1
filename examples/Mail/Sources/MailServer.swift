import Foundation
import Glibc

/// A session with the mail server on this host (RFC 5321).
struct MailServer: ~Copyable {
    private let socket: Int32
    private var unread: [UInt8] = []

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else {
            throw MailError(message: "cannot create a socket: \(String(cString: strerror(errno)))")
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            throw MailError(
                message:
                    "cannot connect to 127.0.0.1:\(port): \(reason). Check that AllowHosts= contains 127.0.0.1:\(port)."
            )
        }
    }

    deinit { close(socket) }

    mutating func deliver(_ mail: Mail) throws {
        try expect(220)
        try say("HELO localhost", expecting: 250)
        try say("MAIL FROM:<\(Mail.line(mail.from))>", expecting: 250)
        try say("RCPT TO:<\(Mail.line(mail.to))>", expecting: 250)
        try say("DATA", expecting: 354)
        try send(mail.text)
        try expect(250)
        try say("QUIT", expecting: 221)
    }

    private mutating func say(_ command: String, expecting code: Int) throws {
        try send(command + "\r\n")
        try expect(code)
    }

    private func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw MailError.closed }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a reply and checks its code. In a reply with several lines, all but the last have a hyphen after the code.
    private mutating func expect(_ code: Int) throws {
        var line: String
        repeat { line = try readLine() } while line.dropFirst(3).first == "-"
        guard line.hasPrefix("\(code)") else {
            throw MailError(message: "unexpected reply from the mail server: \(line)")
        }
    }

    private mutating func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 1)
                return line.trimmingCharacters(in: .whitespaces.union(.newlines))
            }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0, unread.count < 65536 else { throw MailError.closed }
            unread += buffer.prefix(count)
        }
    }
}

struct MailError: LocalizedError {
    static let closed = MailError(message: "the mail server closed the connection")

    var message: String
    var errorDescription: String? { message }
}
