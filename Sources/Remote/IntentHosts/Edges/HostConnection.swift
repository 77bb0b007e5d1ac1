import Glibc
import IntentAPI
package import IntentClient
package import IntentLinux
import IntentProtocol
import Synchronization

/// A session with the HTTP API of another host, through the user's ssh. Clients use it as they use intentd's socket.
///
/// Each client has a thread that reads its requests, and each request a thread that sends it over a channel of ssh. The
/// channels share one login (ssh_config(5), ControlMaster).
package final class HostConnection: Sendable {
    /// An event to report to the user.
    package enum Notice: Equatable, Sendable {
        case lost(reason: String)
        case regained
        /// The server exited, and a new server was started.
        case restarted
        /// The server exited. Changes that runs make to files on the host are not copied back.
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
        /// The command that starts the server. The host's shell interprets it.
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

    private struct State {
        var clients: [ObjectIdentifier: HostClient] = [:]
        var idle: [HostChannel] = []
        /// All processes that have not been waited for.
        var processes: [ObjectIdentifier: SSHProcess] = [:]
        var threadCount = 0
        var isClosing = false
        var hasLostChanges = false
        var failure: IntentClientError?
        /// True once a response has been received. Before that, a failure is reported at once.
        var wasConnected = false
        var reconnection = Reconnection()
    }

    /// The state of the link to the host. The lock is held while a channel is opened.
    private struct Link {
        var session: SessionAnswer?
        var generation = 0
        var isInterrupted = false
    }

    /// How long ``close()`` waits for requests in progress.
    private static let closingPatience: Duration = .seconds(5)

    private let options: Options
    private let notify: @Sendable (Notice) -> Void
    private let state = Mutex(State())
    private let link = Mutex(Link())
    /// Signalled when the session closes, or a thread has ended.
    private let changed: EventCounter
    private let controlPath: String

    package init(
        _ options: Options,
        notify: @escaping @Sendable (Notice) -> Void
    ) throws(IntentClientError) {
        self.options = options
        self.notify = notify
        controlPath = Self.makeControlPath()
        do throws(SystemError) {
            changed = try EventCounter()
        } catch {
            throw IntentClientError(.system, "cannot connect to '\(options.host)': \(error)", hint: "raise 'ulimit -n'")
        }
    }

    /// Returns a path for the socket that the channels' ssh processes share. Its name cannot be guessed, and ssh lets only
    /// its user connect.
    private static func makeControlPath() -> String {
        let folder = getenv("XDG_RUNTIME_DIR").map { String(foreign: $0) } ?? ""
        let parent = folder.hasPrefix(utf8: "/") && access(folder, W_OK) == 0 ? folder : "/tmp"
        return "\(parent)/intentctl-\(String(UInt64.random(in: 0 ... .max), radix: 16)).ssh"
    }

    var host: String { SafeText.line(options.host) }

    // MARK: Clients

    /// Opens a connection for a client. Waits until the host has answered.
    ///
    /// - Parameter socket: The socket of a client that the connection serves; nil for a new pair.
    /// - Returns: The client's end of the new pair, or `socket`.
    @discardableResult
    package func open(for socket: SharedFileDescriptor? = nil) throws(IntentClientError) -> SharedFileDescriptor {
        do throws(ChannelFailure) {
            release(try acquire(), hasAnswered: false)
        } catch {
            throw failure(error)
        }
        do throws(SystemError) {
            if let socket {
                try serve(HostClient(socket, of: self))
                return socket
            }
            let pair = try UnixSocket.Pair(.stream).shared()
            try serve(HostClient(pair.first, of: self))
            return pair.second
        } catch {
            throw IntentClientError(.system, "cannot connect to '\(host)': \(error)", hint: "raise 'ulimit -n'")
        }
    }

    private func serve(_ client: HostClient) throws(SystemError) {
        state.withLock { $0.clients[ObjectIdentifier(client)] = client }
        try DetachedThread.start { [self] in
            client.readRequests()
            state.withLock { $0.clients[ObjectIdentifier(client)] = nil }
        }
    }

    /// Serves a request on a thread.
    func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        state.withLock { $0.threadCount += 1 }
        do throws(SystemError) {
            try DetachedThread.start { [self] in
                body()
                state.withLock { $0.threadCount -= 1 }
                changed.signal()
            }
        } catch {
            state.withLock { $0.threadCount -= 1 }
            throw error
        }
    }

    /// Ends the session and waits until ssh has exited.
    package func close() {
        // The clients need no answer any more, but their requests are still sent.
        for client in state.withLock({ Array($0.clients.values) }) { client.leave() }
        let last = ContinuousClock.now + Self.closingPatience
        while state.withLock({ $0.threadCount > 0 }), ContinuousClock.now < last {
            changed.reset()
            if state.withLock({ $0.threadCount > 0 }) { changed.wait(milliseconds: 50) }
        }
        let processes = state.withLock { state in
            state.isClosing = true
            state.idle = []
            defer { state.processes = [:] }
            return Array(state.processes.values)
        }
        changed.signal()
        for process in processes { process.disconnect() }
        for process in processes { process.end(within: .seconds(2)) }
        _ = unlink(controlPath)
    }

    /// True if changes that runs made to files on the host were not copied back.
    package var hasLostChanges: Bool { state.withLock(\.hasLostChanges) }

    func loseChanges() {
        state.withLock { $0.hasLostChanges = true }
        notify(.changesLost)
    }

    func report(_ notice: Notice) { notify(notice) }

    // MARK: Channels

    /// Calls a closure with a channel, and again with another one for as long as channels are lost.
    ///
    /// - Parameter isAbandoned: Returns true if the call has lost its purpose.
    func exchange<Result>(
        isAbandoned: () -> Bool = { false },
        _ body: (HostChannel) throws(ChannelFailure) -> Result
    ) throws(ChannelFailure) -> Result {
        while true {
            if isAbandoned() { throw .abandoned }
            let channel = try acquire()
            do throws(ChannelFailure) {
                let result = try body(channel)
                release(channel, hasAnswered: true)
                return result
            } catch {
                switch error {
                case .refused:
                    release(channel, hasAnswered: true)
                    throw error
                case .failed, .abandoned:
                    discard(channel)
                    throw error
                case .lost:
                    let code = discard(channel)
                    if isAbandoned() { throw .abandoned }
                    try link.withLock { link throws(ChannelFailure) in
                        guard channel.generation == link.generation else { return }
                        try interrupted(&link, because: reason(of: channel.ssh, code))
                    }
                }
            }
        }
    }

    /// Records that the host answers, so that the full time for reconnecting is available after the next loss.
    func answered() {
        state.withLock { state in
            state.wasConnected = true
            state.reconnection.established()
        }
    }

    private func acquire() throws(ChannelFailure) -> HostChannel {
        if let channel = try idleChannel() { return channel }
        return try link.withLock { link throws(ChannelFailure) in
            while true {
                // Another thread may have opened or released a channel in the meantime.
                if let channel = try idleChannel() { return channel }
                let ssh = try startSSH()
                let channel = HostChannel(ssh, host: host, generation: link.generation)
                do throws(ChannelFailure) {
                    let opening = SessionOpening(software: options.software, session: link.session?.session)
                    began(try channel.begin(opening, known: link.session), &link)
                    channel.generation = link.generation
                    return channel
                } catch {
                    let code = discard(channel)
                    guard case .lost = error else { throw error }
                    try interrupted(&link, because: reason(of: ssh, code))
                }
            }
        }
    }

    private func began(_ answer: SessionAnswer, _ link: inout Link) {
        let isRestarted = link.session.map { $0.session != answer.session } ?? false
        if link.isInterrupted || isRestarted {
            link.generation += 1
            notify(isRestarted ? .restarted : .regained)
        }
        link.isInterrupted = false
        link.session = answer
    }

    /// Waits before the next attempt to connect.
    ///
    /// - Throws: ``ChannelFailure/failed(_:)`` if there is no further attempt.
    private func interrupted(_ link: inout Link, because reason: IntentClientError) throws(ChannelFailure) {
        let (wasConnected, isClosing) = state.withLock { ($0.wasConnected, $0.isClosing) }
        guard wasConnected, !isClosing else { throw .failed(reason) }
        if !link.isInterrupted { notify(.lost(reason: reason.message)) }
        link.isInterrupted = true
        let now = Duration.nanoseconds(ClockReading.monotonicNanoseconds())
        guard case .connect(let time) = state.withLock({ $0.reconnection.ended(at: now) }) else {
            fail(reason)
            throw .failed(reason)
        }
        var left = time - now
        while left > .zero, !state.withLock(\.isClosing) {
            _ = poll(nil, 0, Int32(min(left, .milliseconds(50)).wholeMilliseconds) + 1)
            left = time - Duration.nanoseconds(ClockReading.monotonicNanoseconds())
        }
    }

    private func idleChannel() throws(ChannelFailure) -> HostChannel? {
        let (channel, failure) = state.withLock { state in
            let isClosed = state.isClosing || state.failure != nil
            return isClosed ? (nil, state.failure ?? Self.closed(host)) : (state.idle.popLast(), nil)
        }
        if let failure { throw .failed(failure) }
        return channel
    }

    private func release(_ channel: HostChannel, hasAnswered: Bool) {
        if hasAnswered { answered() }
        state.withLock { if !$0.isClosing { $0.idle.append(channel) } }
    }

    /// Ends a channel. Returns the exit code of its ssh.
    @discardableResult
    private func discard(_ channel: HostChannel) -> Int32 {
        let code = channel.ssh.end(within: .seconds(2))
        state.withLock { $0.processes[ObjectIdentifier(channel.ssh)] = nil }
        return code
    }

    private func startSSH() throws(ChannelFailure) -> SSHProcess {
        let sharing = ["-o", "ControlMaster=auto", "-o", "ControlPath=\(controlPath)", "-o", "ControlPersist=no"]
        do throws(SystemError) {
            let arguments = options.arguments + sharing + ["--", options.host, options.command]
            let ssh = try SSHProcess(options.program, arguments: arguments)
            state.withLock { $0.processes[ObjectIdentifier(ssh)] = ssh }
            return ssh
        } catch {
            throw .failed(
                IntentClientError(
                    .unreachableHost,
                    "cannot start '\(options.program)': \(error.code)",
                    hint: "install an ssh client, or set INTENTD_SSH to the path of an ssh client"
                )
            )
        }
    }

    // MARK: Failures

    private func reason(of ssh: SSHProcess, _ code: Int32) -> IntentClientError {
        HostStart.failure(of: host, exitCode: code, errors: ssh.errorText)
    }

    /// Ends the session with an error, of which all clients hear.
    func fail(_ failure: IntentClientError) {
        let clients = state.withLock { state in
            state.failure = state.failure ?? failure
            return Array(state.clients.values)
        }
        for client in clients { client.disconnect() }
    }

    func failure(_ failure: ChannelFailure) -> IntentClientError {
        switch failure {
        case .failed(let error): error
        case .refused(let report): IntentClientError(report.code, report.message, hint: report.hint)
        case .lost, .abandoned: Self.closed(host)
        }
    }

    private static func closed(_ host: String) -> IntentClientError {
        IntentClientError(.connectionLost, "the connection to '\(host)' was closed")
    }
}
