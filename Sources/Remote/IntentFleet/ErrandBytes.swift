package import IntentProtocol

/// A parser for the answer to an ``Errand``. An answer consists of the length of intentd's message (4 bytes), the
/// message, the contents of a file if the answer includes a file, and the digest of all preceding bytes.
///
/// Another host wrote the answer, so every length is checked.
package struct ErrandBytes: Sendable {
    package enum Problem: Error, Equatable {
        case messageTooLong
        case unreadable
        case tooLong
    }

    /// The part of the received bytes that belongs to the file, and the part that the digest covers.
    package struct Piece: Sendable, Equatable {
        package var content: [UInt8] = []
        package var digested: [UInt8] = []
    }

    package static let digestByteCount = 32
    /// The maximum size of a file, in bytes.
    package static let contentLimit: Int64 = 1 << 30
    static let messageLimit = 1 << 20

    package private(set) var message: ClientMessage?
    private var head: [UInt8] = []
    /// The most recent bytes, which are the digest if no more bytes arrive.
    private var tail: [UInt8] = []
    package private(set) var contentByteCount: Int64 = 0
    private let limit: Int64

    /// - Parameter limit: The maximum size of the file, in bytes.
    package init(limit: Int64 = Self.contentLimit) {
        self.limit = limit
    }

    /// Returns the start of an answer: a message preceded by its length.
    package static func head(_ message: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
    }

    package mutating func append(_ bytes: [UInt8]) throws(Problem) -> Piece {
        tail += bytes
        var piece = Piece()
        guard tail.count > Self.digestByteCount else { return piece }
        piece.digested = Array(tail.dropLast(Self.digestByteCount))
        tail.removeFirst(piece.digested.count)
        guard message == nil else {
            piece.content = piece.digested
            return try counted(piece)
        }
        head += piece.digested
        guard head.count >= 4 else { return piece }
        let count = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= Self.messageLimit else { throw .messageTooLong }
        guard head.count >= 4 + count else { return piece }
        guard let message = try? WireCoding.decode(ClientMessage.self, from: Array(head[4..<4 + count])) else {
            throw .unreadable
        }
        self.message = message
        piece.content = Array(head[(4 + count)...])
        head = []
        return try counted(piece)
    }

    private mutating func counted(_ piece: Piece) throws(Problem) -> Piece {
        contentByteCount += Int64(piece.content.count)
        guard contentByteCount <= limit else { throw .tooLong }
        return piece
    }

    /// The digest at the end of the answer; nil if the answer is incomplete.
    package var digest: [UInt8]? { message != nil && tail.count == Self.digestByteCount ? tail : nil }
}
