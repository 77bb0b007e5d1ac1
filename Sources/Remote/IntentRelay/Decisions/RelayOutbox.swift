import IntentHash

/// Schedules the frames and files to send. Channels take turns, so that a large file does not delay other channels.
///
/// Within a channel, a frame's files are sent before the frame itself.
package struct RelayOutbox {
    package enum Step: Equatable {
        case send(RelayMessage)
        /// Read this part of a file, and pass the bytes to ``RelayOutbox/read(_:of:)``, which returns the message to
        /// send.
        case read(file: UInt32, offset: UInt64, byteCount: Int)
    }

    private enum Job {
        case message(RelayMessage)
        case file(OutgoingFile)
    }

    private struct OutgoingFile {
        var announcement: FileAnnouncement
        var offset: UInt64 = 0
        var isAnnounced = false
        var hash = SHA256()
    }

    private struct Channel {
        var jobs: [Job] = []
        /// The number of bytes in sent frames for which the peer has not granted credit yet.
        var unpassedByteCount = 0

        /// True if the first job can be sent now.
        var isReady: Bool {
            guard let job = jobs.first else { return false }
            if case .message(.frame(_, _, let payload)) = job {
                return unpassedByteCount == 0 || unpassedByteCount + payload.count <= RelayMessage.channelWindow
            }
            return true
        }
    }

    private var channels: [UInt32: Channel] = [:]
    /// The channels, in the order of their turns.
    private var turns: [UInt32] = []

    package init() {}

    /// Returns true if nothing is queued for the channel.
    package func isIdle(_ channel: UInt32) -> Bool { channels[channel]?.jobs.isEmpty ?? true }

    /// True if nothing is queued for any channel.
    package var isIdle: Bool { channels.values.allSatisfy(\.jobs.isEmpty) }

    /// The progress of a file that is being sent: bytes sent and total bytes; nil if no file is being sent.
    package var upload: (byteCount: UInt64, of: UInt64)? {
        for channel in channels.values {
            if case .file(let file)? = channel.jobs.first { return (file.offset, file.announcement.byteCount) }
        }
        return nil
    }

    package mutating func add(_ message: RelayMessage, to channel: UInt32) { add(.message(message), channel) }

    package mutating func add(_ file: FileAnnouncement) {
        add(.file(OutgoingFile(announcement: file)), file.channel)
    }

    private mutating func add(_ job: Job, _ channel: UInt32) {
        if channels[channel] == nil { turns.append(channel) }
        channels[channel, default: Channel()].jobs.append(job)
    }

    /// Removes all queued messages and files of a channel. Queues `abandon` for a file that was already announced.
    ///
    /// - Returns: The numbers of the removed files, which can now be closed.
    package mutating func drop(_ channel: UInt32) -> [UInt32] {
        guard let jobs = channels[channel]?.jobs else { return [] }
        channels[channel]?.jobs = jobs.compactMap { job in
            guard case .file(let file) = job, file.isAnnounced else { return nil }
            return .message(.abandon(file: file.announcement.file))
        }
        return jobs.compactMap { if case .file(let file) = $0 { file.announcement.file } else { nil } }
    }

    /// Removes the frame to which an unreadable file belongs. Makes the peer discard the frame's files.
    ///
    /// - Returns: The channel, the frame's payload, and the numbers of the removed files, which can now be closed.
    package mutating func fail(_ file: UInt32) -> (channel: UInt32, payload: [UInt8], files: [UInt32])? {
        for (channel, queue) in channels {
            guard case .file(let first)? = queue.jobs.first, first.announcement.file == file else { continue }
            var dropped: [UInt32] = []
            for (index, job) in queue.jobs.enumerated() {
                switch job {
                case .file(let other): dropped.append(other.announcement.file)
                case .message(.frame(_, let files, let payload)):
                    // The peer has already received the frame's earlier files. A frame without a payload makes the peer
                    // discard them.
                    let sent = files.filter { !dropped.contains($0) }
                    let instead: [Job] = [
                        .message(.abandon(file: file)), .message(.frame(channel: channel, files: sent, payload: [])),
                    ]
                    channels[channel]?.jobs.replaceSubrange(...index, with: instead)
                    return (channel, payload, dropped)
                case .message: continue
                }
            }
        }
        return nil
    }

    package mutating func addCredit(_ byteCount: Int, to channel: UInt32) throws(RelayViolation) {
        guard let unpassed = channels[channel]?.unpassedByteCount else { return }
        guard byteCount <= unpassed else { throw RelayViolation("credit was granted for bytes that were not sent") }
        channels[channel]?.unpassedByteCount = unpassed - byteCount
    }

    /// Removes a channel that both ends have closed.
    package mutating func forget(_ channel: UInt32) {
        channels[channel] = nil
        turns.removeAll { $0 == channel }
    }

    /// Returns the next step; nil when no channel has a message or file that can be sent now.
    package mutating func next() -> Step? {
        guard let index = turns.firstIndex(where: { channels[$0]?.isReady == true }) else { return nil }
        let channel = turns.remove(at: index)
        turns.append(channel)
        guard let job = channels[channel]?.jobs.first else { return nil }
        switch job {
        case .message(let message):
            channels[channel]?.jobs.removeFirst()
            if case .frame(_, _, let payload) = message { channels[channel]?.unpassedByteCount += payload.count }
            return .send(message)
        case .file(var file):
            if !file.isAnnounced {
                file.isAnnounced = true
                channels[channel]?.jobs[0] = .file(file)
                return .send(.file(file.announcement))
            }
            let rest = file.announcement.byteCount - file.offset
            guard rest == 0 else {
                let count = min(rest, UInt64(RelayMessage.chunkByteLimit))
                return .read(file: file.announcement.file, offset: file.offset, byteCount: Int(count))
            }
            channels[channel]?.jobs.removeFirst()
            return .send(.end(file: file.announcement.file, digest: file.hash.finish()))
        }
    }

    /// Returns the message that contains the next part of a file. The part must not be empty.
    package mutating func read(_ bytes: [UInt8], of file: UInt32) -> RelayMessage {
        for (channel, queue) in channels {
            guard case .file(var outgoing)? = queue.jobs.first, outgoing.announcement.file == file else { continue }
            outgoing.offset += UInt64(bytes.count)
            outgoing.hash.add(bytes)
            channels[channel]?.jobs[0] = .file(outgoing)
            break
        }
        return bytes.allSatisfy { $0 == 0 }
            ? .zeros(file: file, byteCount: UInt32(bytes.count)) : .data(file: file, bytes)
    }
}
