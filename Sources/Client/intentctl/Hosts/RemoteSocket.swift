import Glibc
import IntentClient
import IntentLinux
import Synchronization

/// A socket in a private folder at which intentd of another host answers, for a program that only knows sockets.
final class RemoteSocket: Sendable {
    private let folder: String
    private let remote = Mutex<RemoteHost?>(nil)
    var path: String { folder + "/intentd.sock" }

    /// Starts the thread that accepts connections. The first one starts ssh.
    init(of host: HostName, _ invocation: Invocation) throws(SystemError) {
        let parent = environmentText("XDG_RUNTIME_DIR").flatMap { access($0, W_OK) == 0 ? $0 : nil } ?? "/tmp"
        folder = try File.makeTemporaryFolder(parent + "/intentctl-")
        let listener = SharedFileDescriptor(
            try UnixSocket.listen(.stream, at: folder + "/intentd.sock", permissions: 0o600)
        )
        try DetachedThread.start { self.accept(from: listener, of: host, invocation) }
    }

    /// Removes the socket, and ends the session with the host.
    func close() {
        _ = remote.withLock(\.self)?.close(.done)
        _ = unlink(path)
        _ = rmdir(folder)
    }

    private func accept(from listener: SharedFileDescriptor, of host: HostName, _ invocation: Invocation) {
        var shown = ""
        while true {
            do throws(IntentClientError) {
                guard let socket = try nextClient(of: listener) else { continue }
                if remote.withLock({ $0 == nil }) {
                    let new = try RemoteHost(host, invocation)
                    remote.withLock { $0 = new }
                }
                try remote.withLock(\.self)?.serve(socket)
                shown = ""
            } catch {
                // The session has ended: the next connection begins another.
                remote.withLock { $0 = nil }
                if shown != error.message { Console.note(SafeText.printed("intentctl: \(error.message)")) }
                shown = error.message
                // Do not start ssh more than once in a second. The client has closed or repeats its connection meanwhile.
                _ = poll(nil, 0, 1000)
            }
        }
    }

    private func nextClient(of listener: SharedFileDescriptor) throws(IntentClientError) -> SharedFileDescriptor? {
        do throws(SystemError) {
            guard let socket = try UnixSocket.accept(on: listener.rawValue) else { return nil }
            return SharedFileDescriptor(socket)
        } catch {
            throw IntentClientError(.system, "cannot accept a connection: \(error)")
        }
    }
}
