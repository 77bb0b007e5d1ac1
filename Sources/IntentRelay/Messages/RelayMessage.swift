package import IntentProtocol

/// What both ends of a relay session say to each other, in order and exactly once, however often the link between them
/// is replaced.
///
/// A channel is one connection to intentd. The end that the user started opens channels; the relay serves them.
package enum RelayMessage: Equatable, Sendable {
    /// Connect to intentd. Only the user's end sends it.
    case open(channel: UInt32)
    /// The channel is connected to intentd.
    case opened(channel: UInt32)
    /// The relay cannot connect to intentd. The channel does not exist.
    case refused(channel: UInt32, ErrorReport)
    /// One frame of the client protocol, without its length. Its files were sent before it. Without a payload, the files
    /// are discarded.
    case frame(channel: UInt32, files: [UInt32], payload: [UInt8])
    /// The channel's socket was closed, or must be.
    case close(channel: UInt32)
    /// The receiver has passed on this many bytes of the channel's frames.
    case credit(channel: UInt32, byteCount: UInt32)
    /// The contents of a file follow, in `data` and `zeros`, then `end`.
    case file(FileAnnouncement)
    case data(file: UInt32, [UInt8])
    /// This many bytes of the file are zero. They become a hole.
    case zeros(file: UInt32, byteCount: UInt32)
    /// The file is complete. The digest is the SHA-256 of its contents.
    case end(file: UInt32, digest: [UInt8])
    /// The rest of the file cannot be read, or is not needed. It is discarded.
    case abandon(file: UInt32)
    /// The session ends. No message follows.
    case finish
}

/// The begin of a file that is sent to the other end.
package struct FileAnnouncement: Equatable, Sendable {
    /// What the contents are for.
    package enum Purpose: Equatable, Sendable {
        /// A file that a later frame of the channel passes.
        case passed(RelayFileAccess)
        /// The new contents of a file that the user's end sent with access for writing.
        case changed(original: UInt32)
    }

    package var file: UInt32
    package var channel: UInt32
    package var purpose: Purpose
    package var byteCount: UInt64

    package init(file: UInt32, channel: UInt32, purpose: Purpose, byteCount: UInt64) {
        self.file = file
        self.channel = channel
        self.purpose = purpose
        self.byteCount = byteCount
    }
}

/// How the receiver of a relayed file passes it on.
package enum RelayFileAccess: UInt8, Sendable {
    case reading = 0
    case readingAndWriting = 1
}

extension RelayMessage {
    /// The maximum number of bytes in one `data` or `zeros`.
    package static let chunkByteLimit = 128 << 10
    /// The maximum number of bytes of a channel's frames that the receiver has not passed on. One frame may exceed it
    /// if it is the only one.
    package static let channelWindow = 2 << 20
}
