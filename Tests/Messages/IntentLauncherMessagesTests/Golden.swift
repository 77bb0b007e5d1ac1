import IntentLauncherMessages
import Testing

/// A message and its expected bytes, written by hand and never by our encoder.
struct Golden<Message: Codable & Equatable & Sendable>: Sendable, CustomTestStringConvertible {
    let json: String
    let message: Message

    init(_ json: String, _ message: Message) {
        self.json = json
        self.message = message
    }

    var payload: [UInt8] { Array(json.utf8) }
    var testDescription: String { json }

    /// Checks four properties of every message: it encodes to the bytes, the bytes decode to it, no prefix decodes, and
    /// unknown fields are ignored.
    func check() throws {
        #expect(String(decoding: WireCoding.encode(message), as: UTF8.self) == json)
        #expect(try WireCoding.decode(Message.self, from: payload) == message)
        for count in 0..<payload.count {
            #expect(throws: WireError.self, "the first \(count) bytes") {
                try WireCoding.decode(Message.self, from: Array(payload.prefix(count)))
            }
        }
        let newer = #"{"aFieldOfVersion99":[{"x":null}],"# + json.dropFirst()
        #expect(try WireCoding.decode(Message.self, from: Array(newer.utf8)) == message)
    }
}
