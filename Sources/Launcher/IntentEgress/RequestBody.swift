import IntentLauncherMessages

/// The body of a request. Its end must be known, because bytes after it would be a second request.
struct RequestBody {
    private enum State {
        case bytes(Int64)
        /// In the line before a chunk: its size so far, and the number of digits.
        case size(Int64, digits: Int)
        case lineEnd(Int64)
        case chunk(Int64)
        /// After a chunk, or after the last one: CR, then LF.
        case chunkEnd(isSecond: Bool)
        case bodyEnd(isSecond: Bool)
        case ended
        case malformed
    }

    private var state: State

    /// The maximum number of digits of a chunk's size.
    private static let digitLimit = 15

    /// Returns nil if servers could find different ends.
    init?(_ head: RequestHead, isNew: Bool) {
        let codings = head.values("transfer-encoding")
        let lengths = head.values("content-length")
        if codings.isEmpty {
            guard lengths.count <= 1 else { return nil }
            guard let length = lengths.first else {
                state = .ended
                return
            }
            guard (1...18).contains(length.count), length.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int64(String(foreign: length))
            else { return nil }
            state = count == 0 ? .ended : .bytes(count)
        } else {
            guard isNew, lengths.isEmpty, codings.count == 1, AsciiText.isSame(codings[0], "chunked"),
                head.values("trailer").isEmpty
            else { return nil }
            state = .size(0, digits: 0)
        }
    }

    var isMalformed: Bool { if case .malformed = state { true } else { false } }
    var isEnded: Bool { if case .ended = state { true } else { false } }

    /// Returns the bytes that belong to the body. The rest is a second request, or follows a mistake.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch state {
            case .ended, .malformed: return bytes[..<index]
            case .bytes(let left), .chunk(let left):
                let count = min(left, Int64(bytes.endIndex - index))
                index += Int(count)
                if case .chunk = state {
                    state = count == left ? .chunkEnd(isSecond: false) : .chunk(left - count)
                } else {
                    state = count == left ? .ended : .bytes(left - count)
                }
            case .size, .lineEnd, .chunkEnd, .bodyEnd:
                state = after(bytes[index])
                index += 1
            }
        }
        return bytes
    }

    /// Returns the state after a byte of the framing. A chunk has no extension and the body no trailer, because servers
    /// read them in different ways.
    private func after(_ byte: UInt8) -> State {
        switch state {
        case .size(let size, let digits):
            if let digit = Self.digit(byte) {
                return digits < Self.digitLimit ? .size(size << 4 | digit, digits: digits + 1) : .malformed
            }
            return byte == 13 && digits > 0 ? .lineEnd(size) : .malformed
        case .lineEnd(let size):
            guard byte == 10 else { return .malformed }
            return size == 0 ? .bodyEnd(isSecond: false) : .chunk(size)
        case .chunkEnd(let isSecond):
            guard byte == (isSecond ? 10 : 13) else { return .malformed }
            return isSecond ? .size(0, digits: 0) : .chunkEnd(isSecond: true)
        case .bodyEnd(let isSecond):
            guard byte == (isSecond ? 10 : 13) else { return .malformed }
            return isSecond ? .ended : .bodyEnd(isSecond: true)
        case .bytes, .chunk, .ended, .malformed: return state
        }
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        switch byte {
        case 0x30...0x39: Int64(byte - 0x30)
        case 0x41...0x46, 0x61...0x66: Int64((byte | 0x20) - 0x61 + 10)
        default: nil
        }
    }
}
