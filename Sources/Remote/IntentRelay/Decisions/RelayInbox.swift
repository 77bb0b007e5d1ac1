import IntentLauncherMessages
package import IntentProtocol

/// Checks each message from the peer and returns the resulting actions. No other code acts on a message from the peer.
package struct RelayInbox {
    /// The role of this end in the session.
    package enum Role: Sendable {
        /// The end that the user started, which opens channels.
        case user
        /// The end on the other host, which connects channels to intentd.
        case relay
    }

    package enum Action: Equatable {
        case connect(channel: UInt32)
        case channelOpened(UInt32)
        case channelRefused(UInt32, ErrorReport)
        /// Write a frame to the channel's socket. All of its files are complete.
        case deliver(channel: UInt32, files: [UInt32], payload: [UInt8])
        /// The peer has closed the channel. Write the remaining frames, close the socket, and send `close`.
        case closeChannel(UInt32)
        /// Remove the channel, because both ends have closed it.
        case forgetChannel(UInt32)
        case addCredit(channel: UInt32, byteCount: Int)
        case createFile(FileAnnouncement)
        case appendData(file: UInt32, [UInt8])
        case appendZeros(file: UInt32, byteCount: Int)
        /// The file is complete, and its digest is correct.
        case completeFile(UInt32, RelayFileAccess)
        /// Discard a file, because no frame will refer to it.
        case discardFile(UInt32)
        /// Replace the content of a file that this end sent for writing. The new content is complete.
        case changeFile(original: UInt32, from: UInt32)
        case finish
    }

    /// The maximum number of open channels.
    package static let channelLimit = 64
    /// The maximum number of received files to which no frame has referred yet.
    package static let fileLimit = 2 * Frame.descriptorLimit

    private let role: Role
    /// The open channels, with the number of bytes in frames that have not been written to the channel's socket yet.
    private var channels: [UInt32: Int] = [:]
    /// The channels that this end has requested but the peer has not answered yet. Always empty at the relay.
    private var requested: Set<UInt32> = []
    /// The channels that this end has closed but the peer has not closed yet. Their frames and credit are ignored. The
    /// peer's last message for such a channel is `close` or `refused`.
    private var closing: Set<UInt32> = []
    private var incoming: [UInt32: RelayedFile] = [:]
    private var complete: [UInt32: FileAnnouncement] = [:]
    /// The files that this end passed to runs for writing.
    private var writable: Set<UInt32> = []

    package init(_ role: Role) {
        self.role = role
    }

    // MARK: Actions of this end

    package mutating func requestedChannel(_ channel: UInt32) { requested.insert(channel) }

    /// Records that this end has closed the channel.
    package mutating func closedChannel(_ channel: UInt32) {
        if channels.removeValue(forKey: channel) != nil || requested.remove(channel) != nil { closing.insert(channel) }
    }

    /// Records that this end could not connect a channel that the peer requested.
    package mutating func refusedChannel(_ channel: UInt32) { channels[channel] = nil }

    package mutating func sentWritable(_ file: UInt32) { writable.insert(file) }

    /// Records that this many bytes of a channel's frames were written to its socket.
    package mutating func passedOn(_ byteCount: Int, of channel: UInt32) {
        channels[channel]? -= byteCount
    }

    // MARK: Messages of the peer

    package mutating func receive(_ message: RelayMessage) throws(RelayViolation) -> [Action] {
        switch message {
        case .open(let channel):
            guard role == .relay else { throw RelayViolation("a relay must not open channels") }
            guard channels[channel] == nil, !closing.contains(channel) else {
                throw RelayViolation("channel \(channel) is already open")
            }
            guard channels.count + closing.count < Self.channelLimit else {
                throw RelayViolation("more than \(Self.channelLimit) channels are open")
            }
            channels[channel] = 0
            return [.connect(channel: channel)]
        case .opened(let channel):
            if closing.contains(channel) { return [] }
            guard requested.remove(channel) != nil else { throw RelayViolation("channel \(channel) was not requested") }
            channels[channel] = 0
            return [.channelOpened(channel)]
        case .refused(let channel, let report):
            if closing.remove(channel) != nil { return [.forgetChannel(channel)] }
            guard requested.remove(channel) != nil else { throw RelayViolation("channel \(channel) was not requested") }
            return [.channelRefused(channel, report)]
        case .frame(let channel, let files, let payload):
            return try receiveFrame(payload, files, channel)
        case .close(let channel):
            let files = discardFiles(of: channel)
            if closing.remove(channel) != nil { return files + [.forgetChannel(channel)] }
            guard channels.removeValue(forKey: channel) != nil else { throw Self.unknown(channel) }
            return files + [.closeChannel(channel)]
        case .credit(let channel, let count):
            if closing.contains(channel) { return [] }
            guard channels[channel] != nil else { throw Self.unknown(channel) }
            return [.addCredit(channel: channel, byteCount: Int(count))]
        case .file(let announcement): return try receiveFile(announcement)
        case .data(let file, let bytes):
            guard incoming[file] != nil else { throw Self.unknown(file: file) }
            try incoming[file]?.add(bytes)
            return [.appendData(file: file, bytes)]
        case .zeros(let file, let count):
            guard incoming[file] != nil else { throw Self.unknown(file: file) }
            try incoming[file]?.addZeros(count)
            return [.appendZeros(file: file, byteCount: Int(count))]
        case .end(let file, let digest): return try receiveEnd(of: file, digest)
        case .abandon(let file):
            guard incoming.removeValue(forKey: file) != nil else { throw Self.unknown(file: file) }
            return [.discardFile(file)]
        case .finish: return [.finish]
        }
    }

    private mutating func receiveFrame(
        _ payload: [UInt8],
        _ files: [UInt32],
        _ channel: UInt32
    ) throws(RelayViolation) -> [Action] {
        for file in files {
            guard complete[file]?.channel == channel, complete.removeValue(forKey: file) != nil else {
                throw RelayViolation("a frame refers to file \(file), which was not sent before it")
            }
        }
        if closing.contains(channel) || payload.isEmpty { return files.map { .discardFile($0) } }
        guard let held = channels[channel] else { throw Self.unknown(channel) }
        guard held == 0 || held + payload.count <= RelayMessage.channelWindow else {
            throw RelayViolation("channel \(channel) exceeded its window of \(RelayMessage.channelWindow) bytes")
        }
        channels[channel] = held + payload.count
        return [.deliver(channel: channel, files: files, payload: payload)]
    }

    private mutating func receiveFile(_ announcement: FileAnnouncement) throws(RelayViolation) -> [Action] {
        let file = announcement.file
        guard incoming[file] == nil, complete[file] == nil else {
            throw RelayViolation("file \(file) was announced twice")
        }
        guard incoming.count + complete.count < Self.fileLimit else {
            throw RelayViolation("more than \(Self.fileLimit) files were sent without a frame that refers to them")
        }
        switch announcement.purpose {
        case .passed(let access):
            guard channels[announcement.channel] != nil || closing.contains(announcement.channel) else {
                throw Self.unknown(announcement.channel)
            }
            guard role == .relay || access == .reading else {
                throw RelayViolation("a result file was sent with write access")
            }
        case .changed(let original):
            guard role == .user, writable.contains(original) else {
                throw RelayViolation("file \(original) was changed, but it was not sent for writing")
            }
        }
        incoming[file] = RelayedFile(announcement)
        return [.createFile(announcement)]
    }

    private mutating func receiveEnd(of file: UInt32, _ digest: [UInt8]) throws(RelayViolation) -> [Action] {
        guard let announcement = incoming[file]?.announcement else { throw Self.unknown(file: file) }
        try incoming[file]?.end(digest)
        incoming[file] = nil
        switch announcement.purpose {
        case .passed(let access):
            complete[file] = announcement
            return [.completeFile(file, access)]
        case .changed(let original): return [.changeFile(original: original, from: file)]
        }
    }

    /// Removes files to which no frame has referred, after their channel has closed.
    private mutating func discardFiles(of channel: UInt32) -> [Action] {
        let partial = incoming.filter { $0.value.announcement.channel == channel }.map(\.key)
        let whole = complete.filter { $0.value.channel == channel }.map(\.key)
        for file in partial { incoming[file] = nil }
        for file in whole { complete[file] = nil }
        return (partial + whole).sorted().map { .discardFile($0) }
    }

    private static func unknown(_ channel: UInt32) -> RelayViolation {
        RelayViolation("a message refers to channel \(channel), which is not open")
    }

    private static func unknown(file: UInt32) -> RelayViolation {
        RelayViolation("a message refers to file \(file), which was not announced")
    }
}
