package import IntentClient
package import IntentLinux
import IntentProtocol
import Synchronization

/// A session with the relay of another host, over the user's ssh. It opens connections to the intentd there.
///
/// One thread serves all connections of the host over one ssh, and replaces an ssh that dies.
package final class HostConnection: Sendable {
    /// What the user should know.
    package enum Notice: Equatable, Sendable {
        case lost(reason: String)
        case regained
        /// The relay has ended, and a new one has started. Clients connect again.
        case restarted
        /// The changes of a run to files stay at the host.
        case changesLost
        /// A large file is on its way: bytes that the host has, and the size of the file.
        case sending(byteCount: UInt64, of: UInt64)
    }

    /// How to reach the host.
    package struct Options: Sendable {
        /// What ssh takes as its destination.
        package var host: String
        /// The program that is run as ssh.
        package var program: String
        /// Arguments of ssh before the destination.
        package var arguments: [String]
        /// The command that starts the relay, as a shell of the host reads it.
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

    /// Starts ssh. The first ``open()`` waits until the relay answers.
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
            throw IntentClientError(.system, "cannot start the connection to '\(options.host)': \(error)")
        }
    }

    /// Opens a connection to the intentd of the host. Waits for the host's answer.
    package func open() throws(IntentClientError) -> SharedFileDescriptor {
        let pending: PendingChannel
        do throws(SystemError) {
            pending = try PendingChannel()
        } catch {
            throw IntentClientError(.system, "cannot open a connection: \(error)")
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

    /// Ends the session, and waits for ssh to end.
    package func close() {
        state.withLock { $0.isClosing = true }
        wake.signal()
        while !state.withLock(\.hasEnded) { ended.wait(milliseconds: 1000) }
    }

    /// True when changes of a run to files stayed at the host.
    package var hasLostChanges: Bool { state.withLock(\.hasLostChanges) }

    static func closed(_ host: String) -> IntentClientError {
        IntentClientError(.connectionLost, "the connection to '\(host)' was closed")
    }
}

/// A connection that was requested and not answered yet.
final class PendingChannel: Sendable {
    private let outcome = Mutex<Result<SharedFileDescriptor, IntentClientError>?>(nil)
    private let answered: EventCounter

    init() throws(SystemError) {
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
