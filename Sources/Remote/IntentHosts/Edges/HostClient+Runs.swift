import IntentClient
import IntentCommandLine
import IntentLinux
import IntentProtocol

/// Performs and watches runs: streams their events, and continues after the last event when a channel is lost.
extension HostClient {
    /// What the client has received of a run.
    private struct Progress {
        let id: UInt64
        /// The run; nil until the answer has been received.
        var run: String?
        var lastSerial: UInt64?
        /// True if the client has received the answer to its request.
        var isAnswered = false
        /// The run's last event, which the client receives when all changed files have been copied.
        var end: [UInt8]?
    }

    func perform(_ request: Request) throws(ChannelFailure) {
        let uploads = request.files.map { Upload($0, reportingTo: host) }
        var progress = Progress(id: request.id)
        try finishing(request, &progress) { progress throws(ChannelFailure) in
            try self.follow { channel throws(ChannelFailure) in
                if let run = progress.run {
                    try self.stream(.following(run: run, after: progress.lastSerial), over: channel, &progress)
                } else {
                    var names: [String] = []
                    for upload in uploads { names.append(try upload.store(over: channel, from: self.software)) }
                    guard let call = HostCall.performing(request.members, files: names) else {
                        throw .refused(ErrorReport(.badRequest, "the request names no app or no intent"))
                    }
                    try self.stream(call, over: channel, &progress)
                }
                try self.copyChanges(of: uploads, channel, hasEnded: progress.end != nil)
            }
        }
        // A run that its client attached ends with the client, as if the client were connected to intentd.
        guard progress.end == nil, hasLeft, let run = progress.run else { return }
        let rule = request.members["onDisconnect"] ?? "cancel"
        if rule == "cancel" {
            _ = try host.exchange { channel throws(ChannelFailure) in
                try channel.answer(to: .leaving(run: run), from: self.software)
            }
        }
    }

    func watch(_ request: Request) throws(ChannelFailure) {
        guard case .string(let run)? = request.members["run"] else {
            throw .refused(ErrorReport(.badRequest, "the request names no run"))
        }
        var progress = Progress(id: request.id, run: run)
        if case .int(let serial)? = request.members["after"] { progress.lastSerial = UInt64(exactly: serial) }
        try finishing(request, &progress) { progress throws(ChannelFailure) in
            try self.follow { channel throws(ChannelFailure) in
                try self.stream(.following(run: run, after: progress.lastSerial), over: channel, &progress)
            }
        }
    }

    /// Repeats a closure until the run has ended, and sends its end to the client.
    private func finishing(
        _ request: Request,
        _ progress: inout Progress,
        _ body: (inout Progress) throws(ChannelFailure) -> Void
    ) throws(ChannelFailure) {
        while progress.end == nil {
            do throws(ChannelFailure) {
                try body(&progress)
            } catch {
                if case .abandoned = error { return }
                guard progress.isAnswered else { throw error }
                // The client connects again, asks for the run, and receives the error as the answer.
                return disconnect()
            }
        }
        if let end = progress.end { send(payload: Self.withKeptFiles(end)) }
    }

    /// Sends a call, and passes the events in its response to the client, except the run's last event.
    private func stream(
        _ call: HostCall,
        over channel: HostChannel,
        _ progress: inout Progress
    ) throws(ChannelFailure) {
        try channel.send(call, from: software)
        _ = try channel.head()
        host.answered()
        var events = EventReader()
        while let bytes = try channel.body() {
            events.append(bytes)
            do throws(ResponseViolation) {
                while let event = try events.next() { receive(event, &progress) }
            } catch {
                throw .failed(channel.violation(error))
            }
        }
    }

    private func receive(_ event: EventReader.Event, _ progress: inout Progress) {
        progress.lastSerial = event.id ?? progress.lastSerial
        switch event.name {
        case "answer":
            // After a lost channel, the answer has been sent before.
            guard !progress.isAnswered else { return }
            if progress.run == nil { progress.run = RunName.of(event.data) }
            progress.isAnswered = true
            send(payload: Self.numbered(event.data, progress.id))
        case "finished": progress.end = event.data
        default: send(payload: event.data)
        }
    }

    /// Replaces the user's files with what the run has written to their copies.
    private func copyChanges(of uploads: [Upload], _ channel: HostChannel, hasEnded: Bool) throws(ChannelFailure) {
        for upload in uploads where upload.isWritable && !upload.isCopied {
            guard upload.session == channel.session else {
                upload.isCopied = true
                host.loseChanges()
                continue
            }
            if hasEnded { try upload.copyChanges(over: channel, from: software) }
        }
    }

    /// Makes the client fetch the files of a result, because a stream of events carries none.
    static func withKeptFiles(_ payload: [UInt8]) -> [UInt8] {
        // A message that is not known is passed on as it is.
        guard case .event(var event)? = try? WireCoding.decode(ClientMessage.self, from: payload),
            case .finished(var end) = event.event, end.fileCount > 0
        else { return payload }
        (end.fileCount, end.keptFileCount) = (0, end.fileCount)
        event.event = .finished(end)
        return WireCoding.encode(ClientMessage.event(event))
    }
}

/// The run that an answer names.
private struct RunName: Decodable {
    var run: String

    static func of(_ payload: [UInt8]) -> String? { try? WireCoding.decode(RunName.self, from: payload).run }
}
