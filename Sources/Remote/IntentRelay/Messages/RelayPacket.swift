import IntentLauncherMessages
package import IntentProtocol

/// A packet on a link: a hello message, an acknowledgement, a refusal or a message of the session.
///
/// Each end first sends ``preamble``. A packet consists of one byte for its kind, four bytes for the length of the
/// payload (big-endian), and the payload.
package enum RelayPacket: Equatable, Sendable {
    /// The first packet from the user's end.
    case hello(RelayHello)
    /// The relay's answer to `hello`. If its session differs from the one in `hello`, the earlier session has ended,
    /// and a new session begins.
    case welcome(RelayHello)
    /// The sender ends the session with an error.
    case refusal(ErrorReport)
    /// Acknowledges that the sender has received and processed this many messages of the session.
    case received(UInt64)
    case message(RelayMessage)

    /// The first bytes in each direction of a link. Any other first bytes come from a program other than the relay.
    package static let preamble = Array("intentd-relay\n".utf8)
    package static let headerByteCount = 5

    package enum Kind: UInt8, Sendable {
        case open = 1
        case opened = 2
        case refused = 3
        case frame = 4
        case close = 5
        case credit = 6
        case file = 7
        case data = 8
        case zeros = 9
        case end = 10
        case finish = 11
        case abandon = 12
        case hello = 0x80
        case welcome = 0x81
        case refusal = 0x82
        case received = 0x83

        /// The maximum payload length, which limits the memory that a peer can occupy.
        package var payloadLimit: Int {
            switch self {
            case .frame: 5 + 4 * Frame.descriptorLimit + Frame.clientPayloadLimit
            case .data: 4 + RelayMessage.chunkByteLimit
            case .hello, .welcome, .refusal, .refused: 16 << 10
            case .open, .opened, .close, .credit, .file, .zeros, .end, .abandon, .finish, .received: 64
            }
        }
    }
}

/// A violation of the relay protocol by the peer, which ends the session.
package struct RelayViolation: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
