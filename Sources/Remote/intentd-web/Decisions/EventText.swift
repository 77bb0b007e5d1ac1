package import IntentProtocol

/// Formats the Server-Sent Events that a page receives over its link.
package enum EventText {
    /// Returns the first event, with the name of the link. The page sends its input to `/link/NAME/SERIAL`.
    package static func opened(_ link: String) -> [UInt8] { Array("event: link\ndata: \(link)\n\n".utf8) }

    /// Returns an event of a run without its line `id`, which differs between watchers.
    package static func message(_ event: NumberedEvent) -> [UInt8] {
        let name =
            switch event.event {
            case .state: "state"
            case .progress: "progress"
            case .question: "question"
            case .answered: "answered"
            case .output: "output"
            case .finished: "finished"
            }
        return text(name, WireCoding.encode(event))
    }

    /// Returns the event with which a stream of events begins: the answer to the request that opened it.
    package static func answer(_ answer: ClientAnswer) -> [UInt8] { text("answer", WireCoding.encode(answer)) }

    /// Returns a message of the Model Context Protocol, which is one line.
    package static func mcp(_ message: String, number: UInt64?) -> [UInt8] {
        Array((number.map { "id: \($0)\n" } ?? "").utf8) + text("message", Array(message.utf8))
    }

    /// A message is one line, because JSON escapes line breaks.
    private static func text(_ name: String, _ message: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + message + [newline, newline]
    }

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
