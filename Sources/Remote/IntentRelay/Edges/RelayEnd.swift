import Glibc
import IntentClient
import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// One end of a session. Carries out the decisions of ``RelayInbox``, ``RelayOutbox`` and ``RelayStream`` on the
/// current link and the sockets of the channels.
///
/// Must be used from one thread only.
final class RelayEnd {
    /// An event that the owner of this end must handle.
    enum Event {
        /// The peer sent its hello message. The owner calls ``RelayEnd/resume(peerReceived:)`` to receive messages.
        case hello(RelayHello)
        case welcome(RelayHello)
        /// The peer requested a channel, which the owner must connect to intentd.
        case connect(UInt32)
        case opened(UInt32)
        case refused(UInt32, ErrorReport)
        case finished
        /// The link was lost. The session can continue on another link.
        case linkEnded
        /// The session failed with this error.
        case ended(ErrorReport)
    }

    /// The time without input after which a link counts as lost.
    static let silenceLimit: Duration = .seconds(45)
    private static let keepAliveInterval: Duration = .seconds(15)

    let role: RelayInbox.Role
    /// The name of the other host, for error messages.
    let peerName: String
    private(set) var link: RelayLink?
    var stream = RelayStream()
    var inbox: RelayInbox
    var outbox = RelayOutbox()
    var channels: [UInt32: RelayChannel] = [:]
    var files = RelayFiles()
    var writables = WritableRuns()
    private(set) var events: [Event] = []
    private let buffer = RelayLink.makeBuffer()
    private var lastChannel: UInt32 = 0

    init(_ role: RelayInbox.Role, peerName: String) {
        self.role = role
        self.peerName = peerName
        inbox = RelayInbox(role)
    }

    /// The current time on a monotonic clock.
    static var now: Duration { .nanoseconds(ClockReading.monotonicNanoseconds()) }

    func drainEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    func report(_ event: Event) { events.append(event) }

    // MARK: Link

    /// Replaces the link. The previous link is closed.
    func attach(_ link: RelayLink) { self.link = link }

    func detach() { link = nil }

    /// Sends a packet that is not a message: a hello message, an acknowledgement or a refusal.
    func sendPacket(_ packet: RelayPacket) { link?.queue(packet.encode(), at: Self.now) }

    /// Continues the session after the exchange of hello messages.
    func resume(peerReceived count: UInt64) throws(RelayViolation) {
        try stream.resume(peerReceived: count)
        link?.isGreeted = true
    }

    /// Discards the session's state, so that a new session can begin. Keeps the contents of pipes, which cannot be read
    /// again.
    func reset() {
        stream = RelayStream()
        inbox = RelayInbox(role)
        outbox = RelayOutbox()
        channels = [:]
        files = RelayFiles(keepingPipesOf: files)
        writables = WritableRuns()
    }

    /// Writes the queued bytes, for at most the given time. Called before the link is closed.
    func flush(for time: Duration) {
        let end = Self.now + time
        while link?.hasOutput == true, Self.now < end {
            guard (try? link?.write()) != nil else { return }
            guard link?.hasOutput == true, let output = link?.output.rawValue else { return }
            var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            _ = poll(&ready, 1, Int32((end - Self.now).wholeMilliseconds))
        }
    }

    /// True if the peer has acknowledged all messages and no frame is waiting.
    var isIdle: Bool {
        outbox.isIdle && stream.isSettled && channels.values.allSatisfy { $0.received == nil }
    }

    /// The progress of a file that is being sent: bytes sent and total bytes; nil if no file is being sent.
    var upload: (byteCount: UInt64, of: UInt64)? { outbox.upload }

    // MARK: Channels

    /// Requests a channel from the relay.
    func requestChannel() throws(RelayViolation) -> UInt32 {
        lastChannel += 1
        inbox.requestedChannel(lastChannel)
        try stream.enqueue(.open(channel: lastChannel))
        return lastChannel
    }

    /// Serves the socket of a channel that is open at both ends.
    func adopt(_ socket: SharedFileDescriptor, as channel: UInt32) {
        channels[channel] = RelayChannel(socket, of: role)
    }

    /// Confirms to the peer that a channel is connected to intentd.
    func sendOpened(_ channel: UInt32) throws(RelayViolation) { try stream.enqueue(.opened(channel: channel)) }

    func refuse(_ channel: UInt32, _ report: ErrorReport) throws(RelayViolation) {
        inbox.refusedChannel(channel)
        try stream.enqueue(.refused(channel: channel, report))
    }

    /// Closes a channel at this end, because its socket has closed or failed.
    func close(_ channel: UInt32) {
        channels[channel] = nil
        writables.closed(channel)
        inbox.closedChannel(channel)
        outbox.add(.close(channel: channel), to: channel)
    }

    // MARK: Loop

    /// Waits until a descriptor is ready or a deadline has passed, and processes the descriptors that are ready.
    ///
    /// - Parameters:
    ///   - others: Further descriptors to wait for. This method does not process them.
    ///   - end: The latest time at which to return; nil to wait without a deadline.
    /// - Returns: `others`, with their `revents` set.
    func step(_ others: [pollfd] = [], until end: Duration? = nil) -> [pollfd] {
        do throws(RelayViolation) {
            try fill()
            var polls = others
            let sources = addSources(to: &polls)
            let now = Self.now
            let wake = [end, keepAlive].compactMap(\.self).min()
            guard poll(&polls, nfds_t(polls.count), Self.milliseconds(from: now, to: wake)) >= 0 else { return others }
            for (source, ready) in zip(sources, polls[others.count...]) where ready.revents != 0 {
                try act(on: source)
            }
            checkSilence()
            return Array(polls[..<others.count])
        } catch {
            let report = ErrorReport(
                .protocolViolation,
                "'\(peerName)' violated the relay protocol: \(error)"
            )
            self.report(.ended(report))
            return others
        }
    }

    /// Returns the timeout for poll(2), rounded up; -1 for no timeout.
    private static func milliseconds(from now: Duration, to wake: Duration?) -> Int32 {
        guard let wake else { return -1 }
        guard wake > now else { return 0 }
        return Int32(min(wake - now, .seconds(3600)).wholeMilliseconds) + 1
    }

    private enum Source {
        case linkInput
        case linkOutput
        case channel(UInt32)
        case pipe(UInt32)
    }

    private func addSources(to polls: inout [pollfd]) -> [Source] {
        var sources: [Source] = []
        if let link {
            polls.append(pollfd(fd: link.input.rawValue, events: Int16(POLLIN), revents: 0))
            sources.append(.linkInput)
            if link.hasOutput {
                polls.append(pollfd(fd: link.output.rawValue, events: Int16(POLLOUT), revents: 0))
                sources.append(.linkOutput)
            }
        }
        for (number, channel) in channels {
            let wantsInput = !channel.isClosedByPeer && channel.received == nil && outbox.isIdle(number)
            let wants = (wantsInput ? POLLIN : 0) | (channel.hasOutput ? POLLOUT : 0)
            if wants != 0 {
                polls.append(pollfd(fd: channel.socket.rawValue, events: Int16(wants), revents: 0))
                sources.append(.channel(number))
            }
            if let received = channel.received, received.spool != nil {
                polls.append(pollfd(fd: received.files[received.index].rawValue, events: Int16(POLLIN), revents: 0))
                sources.append(.pipe(number))
            }
        }
        return sources
    }

    private func act(on source: Source) throws(RelayViolation) {
        switch source {
        case .linkInput: try readLink()
        case .linkOutput:
            do throws(SystemError) {
                try link?.write()
            } catch {
                endLink()
            }
        case .channel(let number): try serve(number)
        case .pipe(let number): readPipe(number)
        }
    }

    /// The next time at which a keep-alive packet is due or the link counts as lost; nil without a link.
    private var keepAlive: Duration? {
        guard let link else { return nil }
        return min(link.lastQueuedAt + Self.keepAliveInterval, link.lastReceivedAt + Self.silenceLimit)
    }

    private func checkSilence() {
        guard let link, link.isGreeted else { return }
        let now = Self.now
        if now - link.lastReceivedAt >= Self.silenceLimit { return endLink() }
        if now - link.lastQueuedAt >= Self.keepAliveInterval { sendPacket(.received(stream.receivedCount)) }
    }

    func endLink() {
        guard link != nil else { return }
        link = nil
        report(.linkEnded)
    }

    // MARK: Sending

    private func fill() throws(RelayViolation) {
        guard link?.isGreeted == true else { return }
        if let count = stream.acknowledgement() { sendPacket(.received(count)) }
        while link?.hasRoom == true {
            if let bytes = stream.nextBytes() {
                link?.queue(bytes, at: Self.now)
                continue
            }
            guard stream.hasRoom, let step = outbox.next() else { break }
            switch step {
            case .send(let message):
                if case .end(let file, _) = message { files.sent(file) }
                try stream.enqueue(message)
            case .read(let file, let offset, let count): try readPart(of: file, offset, count)
            }
        }
    }

    private func readPart(of file: UInt32, _ offset: UInt64, _ count: Int) throws(RelayViolation) {
        do throws(SystemError) {
            let bytes = try files.read(file, at: offset, count)
            if !bytes.isEmpty { return try send(bytes, of: file) }
            failToSend(file, "the file shrank during the transfer")
        } catch {
            failToSend(file, "\(error.code)")
        }
    }

    private func send(_ bytes: [UInt8], of file: UInt32) throws(SystemError) {
        let message = outbox.read(bytes, of: file)
        do throws(RelayViolation) {
            try stream.enqueue(message)
        } catch {
            report(.ended(ErrorReport(.protocolViolation, "\(error)")))
        }
    }

    // MARK: Receiving

    private func readLink() throws(RelayViolation) {
        do throws(SystemError) {
            guard try link?.read(at: Self.now, by: buffer) == true else { return endLink() }
        } catch {
            return endLink()
        }
        try readPackets()
    }

    /// Processes the packets that have arrived. Stops after the peer's answer to the hello message, and the owner calls
    /// this function again if the session continues.
    func readPackets() throws(RelayViolation) {
        while let packet = try link?.nextPacket() {
            switch packet {
            case .hello(let hello):
                guard role == .relay, link?.isGreeted == false else {
                    throw RelayViolation("the peer sent an unexpected hello message")
                }
                report(.hello(hello))
            case .welcome(let hello):
                guard role == .user, link?.isGreeted == false else {
                    throw RelayViolation("the peer sent an unexpected hello message")
                }
                report(.welcome(hello))
                // Decode no message until the owner has decided whether the session continues.
                return
            case .refusal(let refusal): report(.ended(refusal))
            case .received(let count): try stream.acknowledged(upTo: count)
            case .message(let message):
                guard link?.isGreeted == true else { throw RelayViolation("a message precedes the hello message") }
                for action in try inbox.receive(message) { try perform(action) }
                stream.received()
            }
        }
    }
}
