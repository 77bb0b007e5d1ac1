import IntentClient
import IntentLinux
import IntentProtocol

/// Assembles the requests of a client, each with its files, from the data on the client's socket.
struct RequestFrames {
    private struct Announcement: Decodable {
        var type: String
        var files: Int?
    }

    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var waiting: [SharedFileDescriptor] = []
    /// The number of files in `waiting` that belong to the next `perform` request. Its own number includes them.
    private var earlierCount = 0

    mutating func append(_ bytes: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        decoder.append(bytes)
        waiting += descriptors
    }

    /// Returns the next complete request; nil when more bytes are needed. A `files` request keeps its files here.
    mutating func next() throws(IntentClientError) -> (payload: [UInt8], files: [SharedFileDescriptor])? {
        let payload: [UInt8]?
        let announcement: Announcement
        do {
            payload = try decoder.next()
            guard let payload else { return nil }
            announcement = try WireCoding.decode(Announcement.self, from: payload)
        } catch {
            throw IntentClientError(.protocolViolation, "a client sent an invalid request: \(error)")
        }
        let isPerform = announcement.type == "perform"
        let count = announcement.files ?? 0
        // Check the number before any arithmetic, which would trap on overflow.
        guard (0...Frame.fileLimit).contains(count), isPerform || count <= Frame.descriptorLimit else {
            throw Self.problem(count)
        }
        let first = isPerform ? 0 : earlierCount
        guard first + count <= waiting.count, !isPerform || count >= earlierCount else { throw Self.problem(count) }
        if announcement.type == "files" {
            earlierCount += count
            guard earlierCount <= Frame.fileLimit else { throw Self.problem(earlierCount) }
            return payload.map { ($0, []) }
        }
        let files = Array(waiting[first..<first + count])
        waiting.removeSubrange(first..<first + count)
        if isPerform { earlierCount = 0 }
        return payload.map { ($0, files) }
    }

    private static func problem(_ count: Int) -> IntentClientError {
        IntentClientError(.protocolViolation, "a client announced \(count) files that it did not send, or too many")
    }
}
