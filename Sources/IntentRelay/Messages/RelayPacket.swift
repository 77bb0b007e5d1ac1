package import IntentProtocol
import IntentWire

/// One unit on a link: a greeting, an acknowledgement or a message.
///
/// On the link, each end first sends ``preamble``. A packet is one byte for its kind, four for the length of its payload
/// (big-endian), then the payload.
package enum RelayPacket: Equatable, Sendable {
    /// The first packet of the user's end.
    case hello(RelayHello)
    /// The relay's answer. Without the session of the `hello`, that session has ended and a new one begins.
    case welcome(RelayHello)
    /// The sender ends the session.
    case refusal(ErrorReport)
    /// The sender has received and carried out this many messages of the session.
    case received(UInt64)
    case message(RelayMessage)

    /// The bytes at the begin of each direction of a link. What else appears there was printed by a program that is not
    /// the relay.
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

        /// The maximum payload, so that a peer cannot make this end keep more.
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

/// A peer broke the rules of the relay protocol. The session ends.
package struct RelayViolation: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
