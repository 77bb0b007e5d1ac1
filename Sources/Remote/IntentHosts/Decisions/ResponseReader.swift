import IntentProtocol

/// The status and the header fields of an HTTP response.
package struct ResponseHead: Equatable, Sendable {
    package var status: Int
    /// The header fields by their names in lower case. Of several fields with one name, the last counts.
    package var fields: [String: String]
}

/// A response that violates HTTP, or a limit.
package struct ResponseViolation: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Reads HTTP/1.1 responses (RFC 9112) from the bytes of a connection, in parts of any size.
///
/// intentctl does not load libcurl, which would delay each of its commands: the only server is intentd-web.
package struct ResponseReader: Sendable {
    package enum Part: Equatable, Sendable {
        case head(ResponseHead)
        case body([UInt8])
        case end
    }

    private enum State {
        case head
        case bytes(UInt64)
        case chunkSize
        case chunk(UInt64)
        case chunkEnd
        case trailer
    }

    /// The maximum size of a head, in bytes.
    package static let headByteLimit = 32 << 10
    private static let sizeLineByteLimit = 64

    private var state = State.head
    private var lines: [[UInt8]] = []
    private var headByteCount = 0
    private var received: [UInt8] = []
    private var usedCount = 0
    /// The number of received bytes that contain no further end of a line.
    private var searchedCount = 0
    /// True if the next response has no body, because it answers a HEAD request.
    package var answersHead = false

    package init() {}

    package mutating func append(_ bytes: [UInt8]) {
        if usedCount == received.count {
            (received, searchedCount) = (bytes, 0)
        } else {
            if usedCount > 0 { received.removeFirst(usedCount) }
            searchedCount = max(0, searchedCount - usedCount)
            received += bytes
        }
        usedCount = 0
    }

    /// Returns the next part of a response; nil when more bytes are needed.
    package mutating func next() throws(ResponseViolation) -> Part? {
        while true {
            switch state {
            case .head:
                guard let head = try removeHead() else { return nil }
                // An informational response (RFC 9110, section 15.2) precedes the response.
                if (100..<200).contains(head.status) { continue }
                state = try bodyState(of: head)
                return .head(head)
            case .bytes(0):
                state = .head
                return .end
            case .bytes(let count):
                guard let bytes = removeBytes(upTo: count) else { return nil }
                state = .bytes(count - UInt64(bytes.count))
                return .body(bytes)
            case .chunkSize:
                guard let line = try removeLine(upTo: Self.sizeLineByteLimit) else { return nil }
                let digits = line.prefix { $0 != UInt8(ascii: ";") }
                guard (1...15).contains(digits.count), digits.allSatisfy(Self.isHexDigit),
                    let count = UInt64(String(foreign: Array(digits)), radix: 16)
                else { throw ResponseViolation("expected the size of a chunk") }
                state = count == 0 ? .trailer : .chunk(count)
            case .chunk(0): state = .chunkEnd
            case .chunk(let count):
                guard let bytes = removeBytes(upTo: count) else { return nil }
                state = .chunk(count - UInt64(bytes.count))
                return .body(bytes)
            case .chunkEnd:
                guard let line = try removeLine(upTo: 0) else { return nil }
                guard line.isEmpty else { throw ResponseViolation("expected the end of a chunk") }
                state = .chunkSize
            case .trailer:
                guard let line = try removeLine(upTo: Self.headByteLimit) else { return nil }
                if line.isEmpty {
                    state = .head
                    return .end
                }
            }
        }
    }

    // MARK: Head

    private mutating func removeHead() throws(ResponseViolation) -> ResponseHead? {
        while let line = try removeLine(upTo: Self.headByteLimit - headByteCount) {
            headByteCount += line.count + 2
            // Another protocol may send no further line.
            if lines.isEmpty { _ = try Self.status(of: line) }
            guard line.isEmpty else {
                lines.append(line)
                continue
            }
            defer { (lines, headByteCount) = ([], 0) }
            return try Self.head(lines)
        }
        return nil
    }

    private static func status(of line: [UInt8]) throws(ResponseViolation) -> Int {
        let text = String(foreign: line)
        guard text.hasPrefix(utf8: "HTTP/1.1 "),
            let status = Int(String(text.dropFirst(scalars: 9).unicodeScalars.prefix(3))),
            (100..<600).contains(status)
        else { throw ResponseViolation("expected an HTTP/1.1 response") }
        return status
    }

    private static func head(_ lines: [[UInt8]]) throws(ResponseViolation) -> ResponseHead {
        let status = try Self.status(of: lines.first ?? [])
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
                throw ResponseViolation("expected a header field")
            }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            fields[String(foreign: Array(line[..<colon])).lowercased()] = String(foreign: Array(value))
        }
        return ResponseHead(status: status, fields: fields)
    }

    private mutating func bodyState(of head: ResponseHead) throws(ResponseViolation) -> State {
        defer { answersHead = false }
        if answersHead || head.status == 204 || head.status == 304 { return .bytes(0) }
        if let coding = head.fields["transfer-encoding"] {
            guard coding.lowercased() == "chunked" else { throw ResponseViolation("unknown Transfer-Encoding") }
            return .chunkSize
        }
        guard let count = head.fields["content-length"].flatMap({ UInt64($0) }) else {
            throw ResponseViolation("expected the length of the response")
        }
        return .bytes(count)
    }

    // MARK: Bytes

    /// Removes a line without its end; nil if it is not complete.
    private mutating func removeLine(upTo limit: Int) throws(ResponseViolation) -> [UInt8]? {
        guard let end = received[max(usedCount, searchedCount)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searchedCount = received.count
            // A line that ends with its next byte has this length, with its carriage return.
            guard received.count - usedCount <= limit + 1 else { throw ResponseViolation("a line is too long") }
            return nil
        }
        var line = received[usedCount..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard line.count <= limit else { throw ResponseViolation("a line is too long") }
        usedCount = end + 1
        return Array(line)
    }

    private mutating func removeBytes(upTo count: UInt64) -> [UInt8]? {
        let available = received.count - usedCount
        guard available > 0 else { return nil }
        let taken = Int(min(UInt64(available), count))
        defer { usedCount += taken }
        return taken == received.count ? received : Array(received[usedCount..<usedCount + taken])
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
