import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// Assembles a client's frames, each with its files, from the data on the client's socket.
///
/// The number in the `files` field of a `perform` request includes the files from the preceding `files` requests.
struct RequestFrames {
    private struct Announcement: Decodable {
        var type: String
        var files: Int?
    }

    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var waiting: [SharedFileDescriptor] = []
    /// The number of files in the `files` requests since the last `perform` request.
    private var earlierCount = 0

    mutating func append(_ bytes: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        decoder.append(bytes)
        waiting += descriptors
    }

    /// Returns the next complete frame; nil when more bytes are needed.
    mutating func next() throws -> (payload: [UInt8], files: [SharedFileDescriptor])? {
        guard let payload = try decoder.next() else { return nil }
        let announcement = try WireCoding.decode(Announcement.self, from: payload)
        var count = announcement.files ?? 0
        // Check the number before any arithmetic, which would trap on overflow.
        guard (0...Frame.fileLimit).contains(count) else { throw RelayViolation(announced: count) }
        switch announcement.type {
        case "files": earlierCount += count
        case "perform":
            count -= earlierCount
            earlierCount = 0
        default: break
        }
        guard (0...Frame.descriptorLimit).contains(count) else { throw RelayViolation(announced: count) }
        guard count <= waiting.count else {
            throw RelayViolation("a client announced \(count) files in a frame, but sent \(waiting.count)")
        }
        defer { waiting.removeFirst(count) }
        return (payload, Array(waiting.prefix(count)))
    }
}

extension RelayViolation {
    fileprivate init(announced count: Int) {
        self.init("a client announced \(count) files in a frame, but the limit is \(Frame.descriptorLimit)")
    }
}
