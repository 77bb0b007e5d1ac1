import Glibc
import IntentClient
import IntentLinux
import IntentProtocol
import Synchronization

/// The loop of a ``HostConnection``'s thread. Starts ssh, serves the session, and restarts ssh if it exits.
final class HostLoop {
    private let owner: HostConnection
    private let end: RelayEnd
    private var ssh: SSHProcess?
    private var session: RelaySession?
    private var reconnection = Reconnection()
    /// The time at which ssh is started again; nil while ssh is running.
    private var connectAt: Duration?
    private var pending: [UInt32: PendingChannel] = [:]
    /// True once the first link has been established. Before the first link, a failure is reported immediately and ssh
    /// is not restarted.
    private var wasConnected = false
    private var isInterrupted = false
    /// The size of the large file that is being sent; nil if no large file is being sent.
    private var uploading: UInt64?
    private static let largeFileByteCount: UInt64 = 8 << 20

    init(_ owner: HostConnection) {
        self.owner = owner
        end = RelayEnd(.user, peerName: SafeText.line(owner.options.host))
    }

    private var host: String { end.peerName }

    /// An error that ends the session. `failure` is nil if the user closed the session.
    private struct Ending: Error {
        var failure: IntentClientError?
    }

    func run() {
        do throws(Ending) {
            try connect()
            while true { try turn() }
        } catch {
            finish(error.failure)
        }
    }

    private func turn() throws(Ending) {
        var others = [pollfd(fd: owner.wake.rawValue, events: Int16(POLLIN), revents: 0)]
        if let ssh, !ssh.hasEndedErrors {
            others.append(pollfd(fd: ssh.errors.rawValue, events: Int16(POLLIN), revents: 0))
        }
        let ready = end.step(others, until: connectAt)
        if ready[0].revents != 0 { owner.wake.reset() }
        if ready.count > 1, ready[1].revents != 0 { ssh?.readErrors() }
        for event in end.drainEvents() { try handle(event) }
        if let connectAt, RelayEnd.now >= connectAt { try connect() }
        reportProgress()
        try handleClientRequests()
    }

    /// Opens the channels that client threads have requested, and ends the session if ``HostConnection/close()`` was
    /// called.
    private func handleClientRequests() throws(Ending) {
        let (waiting, isClosing) = owner.state.withLock { state in
            // Leave the requests in the queue until the session has been established.
            guard session != nil, connectAt == nil else { return ([] as [PendingChannel], state.isClosing) }
            defer { state.waiting = [] }
            return (state.waiting, state.isClosing)
        }
        try guarded { () throws(RelayViolation) in
            for channel in waiting { pending[try end.requestChannel()] = channel }
        }
        guard isClosing else { return }
        try drain()
        throw Ending()
    }

    /// Waits up to 5 s for the peer to acknowledge all messages, and then sends `finish`.
    private func drain() throws(Ending) {
        guard session != nil, end.link?.isGreeted == true else { return }
        let last = RelayEnd.now + .seconds(5)
        while !end.isIdle, RelayEnd.now < last, end.link != nil {
            _ = end.step(until: min(last, RelayEnd.now + .milliseconds(50)))
            for event in end.drainEvents() {
                if case .ended(let report) = event { throw Ending(failure: failure(report)) }
            }
        }
        try guarded { () throws(RelayViolation) in try end.stream.enqueue(.finish) }
        _ = end.step(until: RelayEnd.now)
        end.flush(for: .seconds(1))
    }

    // MARK: Events

    private func handle(_ event: RelayEnd.Event) throws(Ending) {
        switch event {
        case .welcome(let hello): try begin(hello)
        case .opened(let channel): try open(channel)
        case .refused(let channel, let report):
            pending.removeValue(forKey: channel)?.answer(.failure(atHost(report)))
        case .linkEnded: try linkEnded()
        case .ended(let report): throw Ending(failure: failure(report))
        case .finished: throw Ending(failure: failure(ErrorReport(.stopping, "the relay ended the session")))
        case .hello, .connect: preconditionFailure("only a relay receives hello and connect messages")
        }
    }

    private func begin(_ hello: RelayHello) throws(Ending) {
        guard hello.version == RelayHello.currentVersion else {
            throw Ending(
                failure: IntentClientError(
                    .versionMismatch,
                    "\(SafeText.line(hello.software)) on '\(host)' uses version \(hello.version) of the relay "
                        + "protocol, but this intentctl uses version \(RelayHello.currentVersion)",
                    hint: "install the same version on both hosts"
                )
            )
        }
        guard let new = hello.session else {
            throw Ending(failure: failure(ErrorReport(.protocolViolation, "the relay's hello message has no session")))
        }
        let continues = new == session
        if session != nil, !continues { restart() }
        session = new
        wasConnected = true
        reconnection.established()
        try guarded { () throws(RelayViolation) in
            try end.resume(peerReceived: continues ? hello.receivedCount : 0)
            try end.readPackets()
        }
        if isInterrupted { owner.notify(continues ? .regained : .restarted) }
        isInterrupted = false
    }

    /// Discards the state of a session after its relay has exited. The relay's connections to intentd are closed, so
    /// clients must open new ones.
    private func restart() {
        if !end.writables.isEmpty {
            owner.state.withLock { $0.hasLostChanges = true }
            owner.notify(.changesLost)
        }
        end.reset()
        for channel in pending.values {
            channel.answer(.failure(IntentClientError(.connectionLost, "the relay on '\(host)' exited")))
        }
        pending = [:]
    }

    private func open(_ channel: UInt32) throws(Ending) {
        guard let waiting = pending.removeValue(forKey: channel) else { return }
        if let socket = waiting.socket {
            end.adopt(socket, as: channel)
            return waiting.answer(.success(socket))
        }
        do throws(SystemError) {
            let pair = try UnixSocket.Pair(.stream).shared()
            try pair.first.setNonblocking()
            end.adopt(pair.first, as: channel)
            waiting.answer(.success(pair.second))
        } catch {
            end.close(channel)
            waiting.answer(.failure(IntentClientError(.system, "cannot connect to '\(host)': \(error)")))
        }
    }

    // MARK: ssh

    private func connect() throws(Ending) {
        connectAt = nil
        let options = owner.options
        do throws(SystemError) {
            let arguments = options.arguments + ["--", options.host, options.command]
            let ssh = try SSHProcess(options.program, arguments: arguments)
            self.ssh = ssh
            end.attach(try RelayLink(input: ssh.socket, output: ssh.socket, at: RelayEnd.now))
            end.sendPacket(
                .hello(
                    RelayHello(
                        software: options.software,
                        session: session,
                        receivedCount: session == nil ? 0 : end.stream.receivedCount
                    )
                )
            )
        } catch {
            throw Ending(
                failure: IntentClientError(
                    .unreachableHost,
                    "cannot start '\(options.program)': \(error.code)",
                    hint: "install an ssh client, or set INTENTD_SSH to the path of an ssh client"
                )
            )
        }
    }

    private func linkEnded() throws(Ending) {
        guard let ended = ssh else { return }
        ssh = nil
        let code = ended.end(within: .seconds(2))
        let failure = RelayStart.failure(of: host, exitCode: code, errors: ended.errorText)
        guard wasConnected else { throw Ending(failure: failure) }
        if !isInterrupted { owner.notify(.lost(reason: failure.message)) }
        isInterrupted = true
        switch reconnection.ended(at: RelayEnd.now) {
        case .connect(let time): connectAt = time
        case .giveUp: throw Ending(failure: failure)
        }
    }

    // MARK: The end

    private func finish(_ failure: IntentClientError?) {
        if let failure, end.link?.isGreeted == true {
            // Without this packet, the relay would keep the session and wait for another link.
            end.sendPacket(.refusal(ErrorReport(failure.code, failure.message)))
            end.flush(for: .milliseconds(500))
        }
        end.detach()
        ssh?.end(within: .seconds(2))
        ssh = nil
        let error = failure ?? HostConnection.closed(host)
        let waiting = owner.state.withLock { state in
            state.failure = failure
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for channel in waiting + pending.values { channel.answer(.failure(error)) }
        // Close the clients' sockets after `state.failure` is set: clients then reconnect, and `open` throws the
        // failure.
        end.reset()
        owner.ended.signal()
    }

    private func guarded(_ body: () throws(RelayViolation) -> Void) throws(Ending) {
        do throws(RelayViolation) {
            try body()
        } catch {
            throw Ending(failure: failure(ErrorReport(.protocolViolation, "the relay violated its protocol: \(error)")))
        }
    }

    private func failure(_ report: ErrorReport) -> IntentClientError {
        // If another program, such as the shell, printed the first bytes, its output explains the failure.
        if let link = end.link, !link.decoder.knowsPeer, !link.decoder.rest.isEmpty {
            return RelayStart.noise(String(foreign: link.decoder.rest.prefix(80)), from: host)
        }
        return atHost(report)
    }

    private func atHost(_ report: ErrorReport) -> IntentClientError {
        IntentClientError(
            report.code,
            "'\(host)': \(SafeText.line(report.message))",
            hint: report.hint.map { "on '\(host)': \(SafeText.line($0))" }
        )
    }

    private func reportProgress() {
        if let (sent, size) = end.upload, size >= Self.largeFileByteCount {
            uploading = size
            owner.notify(.sending(byteCount: sent, of: size))
        } else if let size = uploading {
            uploading = nil
            owner.notify(.sending(byteCount: size, of: size))
        }
    }
}
