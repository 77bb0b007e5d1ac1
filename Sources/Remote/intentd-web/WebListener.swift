import CIntentHTTP
import Glibc
import IntentLinux
import IntentSystemd

/// The listening socket of the server, and its address for the browser.
struct WebListener {
    let socket: SharedFileDescriptor
    let access: WebAccess.Listener
    /// The path of the Unix socket, which ``close()`` removes; nil for a port.
    let path: String?
    /// The folder of a private socket, which ``close()`` removes, too.
    private(set) var folder: String?

    init(_ listener: WebArguments.Listener) throws(SystemError) {
        switch listener {
        case .port(let port):
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = try syscall("socket") { Glibc.socket(AF_INET, kind, 0) }
            socket = SharedFileDescriptor(owning: descriptor)
            var on: Int32 = 1
            try syscall("setsockopt") {
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withUnsafeMutablePointer(to: &address) { pointer throws(SystemError) in
                let general = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
                try syscall("bind", on: "127.0.0.1:\(port)") { bind(descriptor, general, size) }
                try syscall("listen") { listen(descriptor, 64) }
                try syscall("getsockname") { getsockname(descriptor, general, &size) }
            }
            access = .port(UInt16(bigEndian: address.sin_port))
            path = nil
        case .socket(let path):
            socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o600))
            access = .socket
            self.path = path
        case .privateSocket, .standardStreams:
            let folder = try OpeningFile.makePrivateFolder()
            let path = folder + "/http.sock"
            socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o600))
            access = .socket
            self.path = path
            self.folder = folder
        case .service:
            let passed = try SocketActivation.receiveSockets()
            guard passed.count == 1 else {
                let problem = "expected one socket of systemd, got \(passed.count)"
                throw SystemError("sd_listen_fds", on: problem, code: Errno(rawValue: EINVAL))
            }
            socket = passed[0].socket
            access = .socket
            path = nil
        }
        try socket.setNonblocking()
    }

    /// True if only clients on this host can connect: a Unix socket, or an address of the loopback interface.
    var isLocal: Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            getsockname(socket.rawValue, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &size)
                == 0
        }
        return isKnown && ClientAddress(address).isLocal
    }

    /// Returns the address of the page. For a remote login or a Unix socket, a line with the ssh command that forwards
    /// the connection follows.
    func announcement(entrance: String, hostName: String, isRemoteLogin: Bool) -> [String] {
        switch access {
        case .port(let port):
            let address = "http://127.0.0.1:\(port)\(entrance)"
            guard isRemoteLogin else { return [address] }
            return [address, "first, on your own machine, run: ssh -L \(port):127.0.0.1:\(port) \(hostName)"]
        case .socket:
            let path = path ?? ""
            return [
                "http://127.0.0.1:8484\(entrance)", "first, on your own machine, run: ssh -L 8484:\(path) \(hostName)",
            ]
        }
    }

    func close() {
        if let path { _ = unlink(path) }
        if let folder { _ = rmdir(folder) }
    }
}
