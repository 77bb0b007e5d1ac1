import Foundation
import Glibc

/// The service manager's end of sd_notify(3).
final class NotifySocket {
    let path: String
    private let descriptor: Int32
    /// The newest `STATUS=`.
    private(set) var status = ""

    init(in folder: TemporaryFolder) throws {
        path = folder.appending("notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Reads all pending notifications, and returns the newest status.
    func newest() -> String {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return status }
            for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
            where line.hasPrefix("STATUS=") {
                status = String(line.dropFirst("STATUS=".count))
            }
        }
    }
}
