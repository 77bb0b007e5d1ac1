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
    /// One frame of the client protocol, without its length field, after the files to which it refers. If the payload
    /// is empty, the receiver discards the files.
    case frame(channel: UInt32, files: [UInt32], payload: [UInt8])
    /// The sender has closed the channel, or confirms the peer's `close`.
    case close(channel: UInt32)
    /// The receiver has written this many bytes of the channel's frames to its socket.
    case credit(channel: UInt32, byteCount: UInt32)
    /// Announces a file. Its content follows in `data` and `zeros` messages, and then `end`.
    case file(FileAnnouncement)
    case data(file: UInt32, [UInt8])
    /// The next part of a file consists of this many zeros. The receiver creates a hole.
    case zeros(file: UInt32, byteCount: UInt32)
    /// The file is complete. The digest is the SHA-256 of its content.
    case end(file: UInt32, digest: [UInt8])
    /// The sender sends no more of the file, which it cannot read or no longer needs. The receiver discards the file.
    case abandon(file: UInt32)
    /// Ends the session. No further message follows.
    case finish
}

/// Announces a file that is about to be sent.
package struct FileAnnouncement: Equatable, Sendable {
    /// What the receiver does with the file.
    package enum Purpose: Equatable, Sendable {
        /// The receiver passes the file on with a later frame on the channel, with this access.
        case passed(RelayFileAccess)
        /// The user's end replaces the content of a file that it sent for writing.
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

/// The access with which the receiver passes a file on.
package enum RelayFileAccess: UInt8, Sendable {
    case reading = 0
    case readingAndWriting = 1
}

extension RelayMessage {
    /// The maximum number of bytes in one `data` or `zeros` message.
    package static let chunkByteLimit = 128 << 10
    /// The maximum number of bytes in a channel's frames for which the receiver has not granted credit. A single frame
    /// may exceed this limit.
    package static let channelWindow = 2 << 20
}
