import IntentProtocol

/// The files that runs may change, from their request to the end of the run.
///
/// It reads the frames of channels only while there are such files.
struct WritableRuns {
    private struct RequestFields: Decodable {
        var type: String
        var id: UInt64?
        var request: String?
    }

    private struct MessageFields: Decodable {
        var type: String
        var id: UInt64?
        var run: String?
    }

    private struct Place: Hashable {
        var channel: UInt32
        var id: UInt64
    }

    /// Files of a channel's frames since its last `perform`.
    private var passed: [UInt32: [UInt32]] = [:]
    /// Files by the identifier of their request, which is repeated over another channel if the first one ends.
    private var ofRequests: [String: [UInt32]] = [:]
    private var unanswered: [Place: String] = [:]
    private var ofRuns: [String: [UInt32]] = [:]

    var isEmpty: Bool { passed.isEmpty && ofRequests.isEmpty && ofRuns.isEmpty }

    /// A file that the next request of this channel passes for writing.
    mutating func pass(_ file: UInt32, on channel: UInt32) { passed[channel, default: []].append(file) }

    /// A request to intentd.
    mutating func request(_ payload: [UInt8], on channel: UInt32) {
        guard let files = passed[channel] else { return }
        guard let fields = try? WireCoding.decode(RequestFields.self, from: payload), fields.type != "files" else {
            return
        }
        passed[channel] = nil
        guard fields.type == "perform", let request = fields.request, let id = fields.id else { return }
        ofRequests[request, default: []] += files
        unanswered[Place(channel: channel, id: id)] = request
    }

    /// A message of intentd.
    ///
    /// - Returns: The files that a run has finished with.
    mutating func message(_ payload: [UInt8], on channel: UInt32) -> [UInt32] {
        guard !isEmpty, let fields = try? WireCoding.decode(MessageFields.self, from: payload) else { return [] }
        switch fields.type {
        case "accepted", "error":
            guard let id = fields.id, let request = unanswered.removeValue(forKey: Place(channel: channel, id: id)),
                let files = ofRequests.removeValue(forKey: request)
            else { return [] }
            if fields.type == "accepted", let run = fields.run { ofRuns[run, default: []] += files }
            return []
        case "finished", "ended": return fields.run.flatMap { ofRuns.removeValue(forKey: $0) } ?? []
        default: return []
        }
    }

    /// The channel has ended. Its requests can be repeated over another one.
    mutating func closed(_ channel: UInt32) {
        passed[channel] = nil
        unanswered = unanswered.filter { $0.key.channel != channel }
    }
}
