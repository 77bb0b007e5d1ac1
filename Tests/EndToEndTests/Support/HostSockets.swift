import Glibc
import IntentLinux

/// Sockets outside the sandbox that apps try to connect to.
enum HostSockets {
    /// Listens on the loopback interface, on a port that the kernel chooses.
    static func listenTCP() throws -> (SharedFileDescriptor, port: UInt16) {
        let listener = SharedFileDescriptor(
            owning: try syscall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try syscall("bind") { bind(listener.rawValue, address, size) }
                try syscall("listen") { listen(listener.rawValue, 128) }
                try syscall("getsockname") { getsockname(listener.rawValue, address, &size) }
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// True when a socket listens at the path. Its file exists a moment earlier (proc_net(5), `unix`).
    static func listens(at path: String) throws -> Bool {
        try File.text(at: "/proc/net/unix", limit: 16 << 20).split(separator: "\n").contains { line in
            let words = line.split(separator: " ", maxSplits: 7)
            // The kernel's __SO_ACCEPTCON flag.
            return words.count == 8 && words[3] == "00010000" && words[7] == path
        }
    }

    /// Listens at an abstract name. `@` replaces its leading zero byte (unix(7)).
    static func listenAbstract(_ name: String) throws -> SharedFileDescriptor {
        let listener = SharedFileDescriptor(
            owning: try syscall("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
        )
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, byte) in name.utf8.dropFirst().enumerated() { path[index + 1] = byte }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let result = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener.rawValue, $0, size) }
        }
        try syscall("bind") { result }
        try syscall("listen") { listen(listener.rawValue, 128) }
        return listener
    }
}
