import IntentLauncherMessages

/// Determines whether a client notices that a response of HTTP/1 has been cut off.
struct ResponseFraming {
    private let isHead: Bool
    private var head: [UInt8]? = []
    /// True if the length of the body is known, so that the end of the connection is not the end of the body.
    private(set) var showsItsEnd = false

    /// - Parameter isHead: True for the response to a HEAD request, which has no body.
    init(isHead: Bool) { self.isHead = isHead }

    /// Receives the next bytes of the response.
    mutating func take(_ bytes: [UInt8]) {
        guard var read = head else { return }
        read += bytes
        head = read
        while let end = Self.end(of: read) {
            let lines = read[..<end].split(separator: 10)
            let status = lines.first.map { $0.drop { $0 != 0x20 }.dropFirst().prefix(3) } ?? []
            guard status.first != UInt8(ascii: "1") else {
                // An interim response precedes the final one.
                read.removeSubrange(..<end)
                head = read
                continue
            }
            let isEmpty = ["204", "304"].contains { status.elementsEqual($0.utf8) }
            let isFramed = lines.dropFirst().contains { line in
                let name = line.prefix { $0 != UInt8(ascii: ":") }
                return AsciiText.isSame(name, "content-length") || AsciiText.isSame(name, "transfer-encoding")
            }
            showsItsEnd = isHead || isEmpty || isFramed
            return head = nil
        }
        if read.count > FirstBytes.limit { head = nil }
    }

    /// Returns the end of the first head, after its empty line.
    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
    }
}
