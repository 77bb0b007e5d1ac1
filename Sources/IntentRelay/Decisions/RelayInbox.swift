package import IntentProtocol
import IntentWire

/// Decides what each message of the peer means, and which messages are legal. Only this value permits an effect of what a
/// peer says.
package struct RelayInbox {
    /// The end that this value belongs to.
    package enum Role: Sendable {
        /// The end that the user started. It opens channels.
        case user
        /// The end at the other host. It connects channels to intentd.
        case relay
    }

    package enum Action: Equatable {
        case connect(channel: UInt32)
        case channelOpened(UInt32)
        case channelRefused(UInt32, ErrorReport)
        /// Pass a frame on. The files were created and completed before.
        case deliver(channel: UInt32, files: [UInt32], payload: [UInt8])
        /// The peer has closed the channel: pass on what was delivered, close its socket, and send `close`.
        case closeChannel(UInt32)
        /// Both ends have closed the channel.
        case forgetChannel(UInt32)
        case addCredit(channel: UInt32, byteCount: Int)
        case createFile(FileAnnouncement)
        case appendData(file: UInt32, [UInt8])
        case appendZeros(file: UInt32, byteCount: Int)
        /// The contents are whole and have their digest.
        case completeFile(UInt32, RelayFileAccess)
        /// No frame will pass this file on.
        case discardFile(UInt32)
        /// The contents are whole, and replace those of a file that this end sent for writing.
        case changeFile(original: UInt32, from: UInt32)
        case finish
    }

    private struct Channel {
        /// Bytes of frames that were delivered and not passed on.
        var heldByteCount = 0
    }

    /// The maximum number of channels at a time.
    package static let channelLimit = 64
    /// The maximum number of received files that no frame has passed on yet.
    package static let fileLimit = 2 * Frame.descriptorLimit

    private let role: Role
    private var channels: [UInt32: Channel] = [:]
    /// Channels that were requested; only of the user's end.
    private var requested: Set<UInt32> = []
    /// Channels that this end has closed, until the peer's `close` says that no message for them follows.
    private var closing: Set<UInt32> = []
    private var incoming: [UInt32: IncomingFile] = [:]
    private var complete: [UInt32: FileAnnouncement] = [:]
    /// Files that this end sent with access for writing.
    private var writable: Set<UInt32> = []

    package init(_ role: Role) {
        self.role = role
    }

    // MARK: What this end does

    package mutating func requestedChannel(_ channel: UInt32) { requested.insert(channel) }

    /// The socket of the channel has ended at this end.
    package mutating func closedChannel(_ channel: UInt32) {
        if channels.removeValue(forKey: channel) != nil || requested.remove(channel) != nil { closing.insert(channel) }
    }

    /// The channel that the peer requested cannot be connected.
    package mutating func refusedChannel(_ channel: UInt32) { channels[channel] = nil }

    package mutating func sentWritable(_ file: UInt32) { writable.insert(file) }

    /// Bytes of a channel's frames were passed on.
    package mutating func passedOn(_ byteCount: Int, of channel: UInt32) {
        channels[channel]?.heldByteCount -= byteCount
    }

    // MARK: What the peer says

    package mutating func receive(_ message: RelayMessage) throws(RelayViolation) -> [Action] {
        switch message {
        case .open(let channel):
            guard role == .relay else { throw RelayViolation("a relay that opens a channel") }
            guard channels[channel] == nil, !closing.contains(channel) else {
                throw RelayViolation("a second channel \(channel)")
            }
            guard channels.count + closing.count < Self.channelLimit else {
                throw RelayViolation("more than \(Self.channelLimit) channels")
            }
            channels[channel] = Channel()
            return [.connect(channel: channel)]
        case .opened(let channel):
            if closing.contains(channel) { return [] }
            guard requested.remove(channel) != nil else { throw RelayViolation("channel \(channel), not requested") }
            channels[channel] = Channel()
            return [.channelOpened(channel)]
        case .refused(let channel, let report):
            if closing.remove(channel) != nil { return [.forgetChannel(channel)] }
            guard requested.remove(channel) != nil else { throw RelayViolation("channel \(channel), not requested") }
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
                throw RelayViolation("a frame with file \(file), which was not sent for it")
            }
        }
        if closing.contains(channel) || payload.isEmpty { return files.map { .discardFile($0) } }
        guard let held = channels[channel]?.heldByteCount else { throw Self.unknown(channel) }
        guard held == 0 || held + payload.count <= RelayMessage.channelWindow else {
            throw RelayViolation("more than \(RelayMessage.channelWindow) bytes for channel \(channel) without credit")
        }
        channels[channel]?.heldByteCount = held + payload.count
        return [.deliver(channel: channel, files: files, payload: payload)]
    }

    private mutating func receiveFile(_ announcement: FileAnnouncement) throws(RelayViolation) -> [Action] {
        let file = announcement.file
        guard incoming[file] == nil, complete[file] == nil else { throw RelayViolation("a second file \(file)") }
        guard incoming.count + complete.count < Self.fileLimit else {
            throw RelayViolation("more than \(Self.fileLimit) files that no frame passes")
        }
        switch announcement.purpose {
        case .passed(let access):
            guard channels[announcement.channel] != nil || closing.contains(announcement.channel) else {
                throw Self.unknown(announcement.channel)
            }
            guard role == .relay || access == .reading else { throw RelayViolation("a result file with write access") }
        case .changed(let original):
            guard role == .user, writable.contains(original) else {
                throw RelayViolation("new contents of file \(original), which was not passed for writing")
            }
        }
        incoming[file] = IncomingFile(announcement)
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

    /// Forgets the files that no frame has passed on, when the peer has closed their channel.
    private mutating func discardFiles(of channel: UInt32) -> [Action] {
        let partial = incoming.filter { $0.value.announcement.channel == channel }.map(\.key)
        let whole = complete.filter { $0.value.channel == channel }.map(\.key)
        for file in partial { incoming[file] = nil }
        for file in whole { complete[file] = nil }
        return (partial + whole).sorted().map { .discardFile($0) }
    }

    private static func unknown(_ channel: UInt32) -> RelayViolation {
        RelayViolation("a message for channel \(channel), which is not open")
    }

    private static func unknown(file: UInt32) -> RelayViolation {
        RelayViolation("contents of file \(file), which was not announced")
    }
}
