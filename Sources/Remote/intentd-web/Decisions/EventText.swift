package import IntentProtocol

/// Formats Server-Sent Events.
package enum EventText {
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

    private static let newline = UInt8(ascii: "\n")
}
