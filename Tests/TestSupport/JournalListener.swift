import Glibc
import IntentLinux

/// A socket that takes the role of the journal's socket.
package final class JournalListener {
    package let path: String
    private let socket: Int32

    package convenience init() throws { try self.init(at: "/tmp/intentd-journal-\(UInt64.random(in: .min ... .max))") }

    package init(at path: String) throws {
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
    package static func waitForEnd(of path: String) throws {
        while try File.text(at: "/proc/net/unix", limit: 16 << 20).contains(path) { usleep(1000) }
    }

    /// Receives one entry; nil if no entry is pending.
    package func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Receives one entry, and returns its fields with one line.
    package func lines() -> Set<String> {
        Set(String(decoding: receive() ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
    }
}
