import Glibc
import IntentLinux

/// The address of a client or a socket.
struct ClientAddress {
    /// The address as text; empty for a Unix socket.
    let text: String
    /// True for a Unix socket and for the loopback interface.
    let isLocal: Bool

    init(_ address: sockaddr_storage) {
        var address = address
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch Int32(address.ss_family) {
        case AF_INET:
            (text, isLocal) = withUnsafeMutablePointer(to: &address) { pointer in
                let raw = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr_in.self)
                inet_ntop(AF_INET, &raw.pointee.sin_addr, &buffer, socklen_t(buffer.count))
                return (Self.text(buffer), UInt32(bigEndian: raw.pointee.sin_addr.s_addr) >> 24 == 127)
            }
        case AF_INET6:
            (text, isLocal) = withUnsafeMutablePointer(to: &address) { pointer in
                let raw = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr_in6.self)
                inet_ntop(AF_INET6, &raw.pointee.sin6_addr, &buffer, socklen_t(buffer.count))
                return (Self.text(buffer), Self.text(buffer) == "::1")
            }
        case AF_UNIX: (text, isLocal) = ("", true)
        default: (text, isLocal) = ("", false)
        }
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(foreign: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }
}
