package import IntentProtocol

/// A message between the two ends of a relay session. Messages are delivered in order and exactly once, even if the
/// link is replaced.
///
/// A channel is one connection to intentd. The user's end opens channels, and the relay connects them.
package enum RelayMessage: Equatable, Sendable {
    /// Connect the channel to intentd. Only the user's end sends this message.
    case open(channel: UInt32)
    /// The channel is connected to intentd.
    case opened(channel: UInt32)
    /// The relay cannot connect to intentd. The channel is not open.
    case refused(channel: UInt32, ErrorReport)
    /// One frame of the client protocol, without its length field. The files were sent before the frame. If the payload
    /// is empty, the receiver discards the files.
    case frame(channel: UInt32, files: [UInt32], payload: [UInt8])
    /// The sender has closed the channel's socket, or asks the peer to close it.
    case close(channel: UInt32)
    /// The receiver has written this many bytes of the channel's frames to its socket.
    case credit(channel: UInt32, byteCount: UInt32)
    /// Announces a file. Its content follows in `data` and `zeros` messages, and then `end`.
    case file(FileAnnouncement)
    case data(file: UInt32, [UInt8])
    /// The given number of zero bytes in the file, which become a hole.
    case zeros(file: UInt32, byteCount: UInt32)
    /// The file is complete. The digest is the SHA-256 of its content.
    case end(file: UInt32, digest: [UInt8])
    /// Discard the file: the rest of it cannot be read or is not needed.
    case abandon(file: UInt32)
    /// Ends the session. No further message follows.
    case finish
}

/// Announces a file that is about to be sent.
package struct FileAnnouncement: Equatable, Sendable {
    /// The purpose of the file's content.
    package enum Purpose: Equatable, Sendable {
        /// The content is a file to which a later frame on the channel refers.
        case passed(RelayFileAccess)
        /// The content replaces the content of a file that the user's end sent for writing.
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

/// The access that the receiver of a file grants when it passes on the file.
package enum RelayFileAccess: UInt8, Sendable {
    case reading = 0
    case readingAndWriting = 1
}

extension RelayMessage {
    /// The maximum number of bytes in one `data` or `zeros` message.
    package static let chunkByteLimit = 128 << 10
    /// The maximum number of bytes in a channel's frames that the receiver has not written to its socket yet. A single
    /// frame may exceed this limit.
    package static let channelWindow = 2 << 20
}
