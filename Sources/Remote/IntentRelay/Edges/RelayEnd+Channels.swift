import IntentClient
import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// Transfers frames between the sockets of the channels and the link.
extension RelayEnd {
    func perform(_ action: RelayInbox.Action) throws(RelayViolation) {
        switch action {
        case .connect(let channel): report(.connect(channel))
        case .channelOpened(let channel): report(.opened(channel))
        case .channelRefused(let channel, let problem): report(.refused(channel, problem))
        case .deliver(let channel, let files, let payload): deliver(payload, files, to: channel)
        case .closeChannel(let channel):
            for file in outbox.drop(channel) { files.sent(file) }
            outbox.add(.close(channel: channel), to: channel)
            writables.closed(channel)
            channels[channel]?.isClosedByPeer = true
            channels[channel]?.received = nil
            if channels[channel]?.hasOutput != true { channels[channel] = nil }
        case .forgetChannel(let channel): outbox.forget(channel)
        case .addCredit(let channel, let count): try outbox.addCredit(count, to: channel)
        case .createFile(let announcement): files.create(announcement)
        case .appendData(let file, let bytes): files.append(bytes, to: file)
        case .appendZeros(let file, let count): files.appendZeros(count, to: file)
        case .completeFile(let file, let access): files.complete(file, access)
        case .discardFile(let file): files.discard(file)
        case .finish: report(.finished)
        case .changeFile(let original, let changed):
            if let problem = files.change(original, to: changed) { report(.ended(problem)) }
        }
    }

    // MARK: To the socket

    private func deliver(_ payload: [UInt8], _ numbers: [UInt32], to channel: UInt32) {
        let removed = files.removeReceived(numbers)
        guard channels[channel] != nil else { return }
        if let problem = removed.problem ?? channels[channel]?.problem {
            switch role {
            case .relay: return refuse(payload, on: channel, because: problem)
            case .user: return report(.ended(problem))
            }
        }
        switch role {
        case .relay:
            for file in removed.writable { writables.pass(file, on: channel) }
            writables.request(payload, on: channel)
        case .user: for file in writables.message(payload, on: channel) { files.releaseWritable(file) }
        }
        do throws(FrameError) {
            try channels[channel]?.queue(payload, removed.descriptors)
        } catch {
            preconditionFailure("the packet decoder accepted an invalid frame: \(error)")
        }
    }

    /// Answers a request with an error on behalf of intentd, because one of the request's files could not be
    /// transferred.
    func refuse(_ request: [UInt8], on channel: UInt32, because problem: ErrorReport) {
        // Do not answer a `files` request. The `perform` request that needs its files is refused instead.
        if RequestType.of(request) == "files" {
            channels[channel]?.problem = problem
            return
        }
        channels[channel]?.problem = nil
        guard let id = NumberedRequest.id(in: request) else { return close(channel) }
        let answer = WireCoding.encode(ClientMessage.answer(id: id, .refused(problem)))
        switch role {
        case .relay: outbox.add(.frame(channel: channel, files: [], payload: answer), to: channel)
        case .user:
            do throws(FrameError) {
                try channels[channel]?.queue(answer, [])
            } catch {
                close(channel)
            }
        }
    }

    // MARK: From the socket

    func serve(_ number: UInt32) throws(RelayViolation) {
        guard var channel = channels[number] else { return }
        do {
            if channel.hasOutput {
                let passedOn = try channel.write()
                if passedOn > 0, !channel.isClosedByPeer {
                    inbox.passedOn(passedOn, of: number)
                    try stream.enqueue(.credit(channel: number, byteCount: UInt32(passedOn)))
                }
                if channel.isClosedByPeer, !channel.hasOutput {
                    channels[number] = nil
                    return
                }
            }
            if !channel.isClosedByPeer, channel.received == nil, outbox.isIdle(number), try !channel.receive() {
                channel.hasEnded = true
            }
            channels[number] = channel
            prepareFrames(of: number)
        } catch let violation as RelayViolation {
            throw violation
        } catch {
            // Close the channel: its socket failed, or its frames cannot be decoded.
            channels[number] = channel
            if channel.isClosedByPeer { channels[number] = nil } else { close(number) }
        }
    }

    /// Queues the received frames for sending, each after its files.
    func prepareFrames(of number: UInt32) {
        do {
            while channels[number] != nil {
                try channels[number]?.nextFrame()
                guard let received = channels[number]?.received else { break }
                guard received.index < received.files.count else {
                    channels[number]?.received = nil
                    sendFrame(received, on: number)
                    continue
                }
                switch try File.status(of: received.files[received.index].rawValue).kind {
                case .regular: channels[number]?.received?.index += 1
                case .pipe:
                    if let spooled = files.spooledPipe(at: received.index, of: received.payload) {
                        channels[number]?.received?.files[received.index] = spooled
                        continue
                    }
                    channels[number]?.received?.spool = try SpoolFile(byteCount: nil, access: .reading)
                    return
                case .directory, .socket, .device, .other:
                    channels[number]?.received = nil
                    let problem = ErrorReport(.badRequest, "a passed descriptor is neither a file nor a pipe")
                    refuse(received.payload, on: number, because: problem)
                }
            }
        } catch {
            channels[number]?.hasEnded = true
        }
        if channels[number]?.hasEnded == true { close(number) }
    }

    /// Copies the bytes available in a pipe to a temporary file. At the pipe's end, the file replaces the pipe so that
    /// a later session can send the content again.
    func readPipe(_ number: UInt32) {
        guard let received = channels[number]?.received else { return }
        let pipe = received.files[received.index]
        do throws(SystemError) {
            guard let bytes = try File.read(pipe.rawValue, upTo: 64 << 10) else { return }
            guard bytes.isEmpty else {
                try channels[number]?.received?.spool?.append(bytes)
                return
            }
            guard let whole = try received.spool?.finish(.reading) else { return }
            files.keepSpooledPipe(whole, at: received.index, of: received.payload)
            channels[number]?.received?.files[received.index] = whole
            channels[number]?.received?.spool = nil
            prepareFrames(of: number)
        } catch {
            channels[number]?.received = nil
            let problem = ErrorReport(
                .tooLarge,
                "cannot store the content of a pipe in '\(SpoolFile.folder)': \(error.code)",
                hint: "free some space, or set TMPDIR"
            )
            refuse(received.payload, on: number, because: problem)
        }
    }

    private func sendFrame(_ received: RelayChannel.Received, on channel: UInt32) {
        if let problem = channels[channel]?.problem { return refuse(received.payload, on: channel, because: problem) }
        if role == .relay {
            for file in writables.message(received.payload, on: channel) { sendChanges(of: file, on: channel) }
        }
        var announced: [FileAnnouncement] = []
        for file in received.files {
            do throws(SystemError) {
                announced.append(try files.announce(file, on: channel, from: role))
            } catch {
                for file in announced { files.discardSent(file.file) }
                return failToSend(received.payload, on: channel, "\(error)")
            }
        }
        for announcement in announced {
            if case .passed(.readingAndWriting) = announcement.purpose {
                inbox.sentWritable(announcement.file)
                writables.pass(announcement.file, on: channel)
            }
            outbox.add(announcement)
        }
        let numbers = announced.map(\.file)
        if role == .user { writables.request(received.payload, on: channel) }
        outbox.add(.frame(channel: channel, files: numbers, payload: received.payload), to: channel)
    }

    /// Sends a file that a run has changed, before the frame that reports the run's end.
    private func sendChanges(of original: UInt32, on channel: UInt32) {
        guard let announcement = files.changed(original, on: channel) else { return }
        outbox.add(announcement)
    }

    /// Drops the frame to which a file belongs, because the file could not be read.
    func failToSend(_ file: UInt32, _ reason: String) {
        guard let (channel, payload, dropped) = outbox.fail(file) else { return }
        for file in dropped { files.sent(file) }
        failToSend(payload, on: channel, reason)
    }

    private func failToSend(_ payload: [UInt8], on channel: UInt32, _ reason: String) {
        switch role {
        case .user:
            let problem = ErrorReport(
                .badRequest,
                "cannot read a file to send it to '\(peerName)': \(reason)",
                hint: "check the file, then try again"
            )
            refuse(payload, on: channel, because: problem)
        case .relay:
            report(.ended(ErrorReport(.historyUnavailable, "cannot read a result file: \(reason)")))
        }
    }
}

/// Decodes only the type of a request.
private struct RequestType: Decodable {
    var type: String

    /// Returns the type; nil if the payload is not a message.
    static func of(_ payload: [UInt8]) -> String? {
        try? WireCoding.decode(RequestType.self, from: payload).type
    }
}
