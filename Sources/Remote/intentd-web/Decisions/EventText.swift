/// Formats the Server-Sent Events that a page receives over its link.
package enum EventText {
    /// Returns the first event, with the name of the link. The page sends its input to `/link/NAME/SERIAL`.
    package static func opened(_ link: String) -> [UInt8] { Array("event: link\ndata: \(link)\n\n".utf8) }

    /// Returns the last event, with the exit code of the relay.
    package static func ended(exitCode: Int32) -> [UInt8] { Array("event: end\ndata: \(exitCode)\n\n".utf8) }

    /// Returns an event with bytes from the relay, in Base64 (RFC 4648).
    package static func data(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text = Array("data: ".utf8)
        text.reserveCapacity(8 + (bytes.count + 2) / 3 * 4)
        var group = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | Int(byte)
            count += 1
            if count == 3 {
                for shift in [18, 12, 6, 0] { text.append(digits[group >> shift & 63]) }
                (group, count) = (0, 0)
            }
        }
        if count > 0 {
            group <<= 8 * (3 - count)
            for index in 0..<4 { text.append(index <= count ? digits[group >> (18 - 6 * index) & 63] : padding) }
        }
        text += [newline, newline]
        return text
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let newline = UInt8(ascii: "\n")
}
