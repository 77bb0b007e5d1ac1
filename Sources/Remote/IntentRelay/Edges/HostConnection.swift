package import IntentClient
package import IntentLinux
import IntentProtocol
import Synchronization

/// A session with the relay on another host, through the user's ssh. The session opens connections to that host's
/// intentd.
///
/// One thread serves all of these connections through one ssh process, and restarts ssh if it exits.
package final class HostConnection: Sendable {
    /// An event to report to the user.
    package enum Notice: Equatable, Sendable {
        case lost(reason: String)
        case regained
        /// The relay exited, and a new relay was started. Clients must reconnect to intentd.
        case restarted
        /// The relay exited. Changes that runs make to files on the host are not copied back.
        case changesLost
        /// A large file is being sent: the number of bytes that were sent, and the size of the file.
        case sending(byteCount: UInt64, of: UInt64)
    }

    /// The parameters for reaching the host with ssh.
    package struct Options: Sendable {
        /// The host, as an ssh(1) destination.
        package var host: String
        /// The name or path of the ssh program.
        package var program: String
        /// The arguments that ssh receives before the destination.
        package var arguments: [String]
        /// The command that starts the relay. The host's shell interprets it.
        package var command: String
        package var software: String

        package init(host: String, program: String, arguments: [String], command: String, software: String) {
            self.host = host
            self.program = program
            self.arguments = arguments
            self.command = command
            self.software = software
        }
    }

    struct State {
        var waiting: [PendingChannel] = []
        var isClosing = false
        var hasEnded = false
        var hasLostChanges = false
        var failure: IntentClientError?
    }

    let options: Options
    let state = Mutex(State())
    let wake: EventCounter
    let ended: EventCounter
    let notify: @Sendable (Notice) -> Void

    /// Starts the thread, which starts ssh. The first ``open()`` waits until the relay has answered.
    package init(
        _ options: Options,
        notify: @escaping @Sendable (Notice) -> Void
    ) throws(IntentClientError) {
        self.options = options
        self.notify = notify
        do throws(SystemError) {
            wake = try EventCounter()
            ended = try EventCounter()
            try DetachedThread.start { HostLoop(self).run() }
        } catch {
            let failure = "cannot connect to '\(options.host)': \(error)"
            throw IntentClientError(.system, failure, hint: "raise 'ulimit -u' and 'ulimit -n'")
        }
    }

    /// Opens a connection to the host's intentd. Waits until the host has answered.
    ///
    /// - Parameter socket: The non-blocking socket of a client that the connection serves; nil for a new pair.
    /// - Returns: The client's end of the new pair, or `socket`.
    @discardableResult
    package func open(for socket: SharedFileDescriptor? = nil) throws(IntentClientError) -> SharedFileDescriptor {
        let pending: PendingChannel
        do throws(SystemError) {
            pending = try PendingChannel(socket)
        } catch {
            let failure = "cannot connect to '\(options.host)': \(error)"
            throw IntentClientError(.system, failure, hint: "raise 'ulimit -n'")
        }
        let failure = state.withLock { state -> IntentClientError? in
            if state.hasEnded || state.isClosing { return state.failure ?? Self.closed(options.host) }
            state.waiting.append(pending)
            return nil
        }
        if let failure { throw failure }
        wake.signal()
        return try pending.wait()
    }

    /// Ends the session and waits until ssh has exited.
    package func close() {
        state.withLock { $0.isClosing = true }
        wake.signal()
        while !state.withLock(\.hasEnded) { ended.wait(milliseconds: 1000) }
    }

    /// True if changes that runs made to files on the host were not copied back.
    package var hasLostChanges: Bool { state.withLock(\.hasLostChanges) }

    static func closed(_ host: String) -> IntentClientError {
        IntentClientError(.connectionLost, "the connection to '\(host)' was closed")
    }
}

/// A connection that a client has requested and the host has not answered yet.
final class PendingChannel: Sendable {
    /// The socket of the client; nil if the client receives one.
    let socket: SharedFileDescriptor?
    private let outcome = Mutex<Result<SharedFileDescriptor, IntentClientError>?>(nil)
    private let answered: EventCounter

    init(_ socket: SharedFileDescriptor?) throws(SystemError) {
        self.socket = socket
        answered = try EventCounter()
    }

    func answer(_ result: Result<SharedFileDescriptor, IntentClientError>) {
        outcome.withLock { $0 = result }
        answered.signal()
    }

    func wait() throws(IntentClientError) -> SharedFileDescriptor {
        while true {
            if let result = outcome.withLock(\.self) {
                return try result.get()
            }
            answered.wait(milliseconds: nil)
        }
    }
}
