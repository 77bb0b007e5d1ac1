import IntentProtocol

/// Tracks the files that runs may write to, from the request for a run until the run's end.
///
/// Frames are decoded only while a run has such a file.
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

    private struct RequestKey: Hashable {
        var channel: UInt32
        var id: UInt64
    }

    /// The writable files for a channel's next `perform` request, keyed by channel.
    private var passed: [UInt32: [UInt32]] = [:]
    /// The writable files of unanswered `perform` requests, keyed by request identifier. The channel is not part of the
    /// key, because a client can repeat a request on another channel.
    private var ofRequests: [String: [UInt32]] = [:]
    private var unanswered: [RequestKey: String] = [:]
    private var ofRuns: [String: [UInt32]] = [:]

    var isEmpty: Bool { passed.isEmpty && ofRequests.isEmpty && ofRuns.isEmpty }

    /// Adds a writable file for the channel's next `perform` request.
    mutating func pass(_ file: UInt32, on channel: UInt32) { passed[channel, default: []].append(file) }

    /// Processes a request that a client sends to intentd.
    mutating func request(_ payload: [UInt8], on channel: UInt32) {
        guard let files = passed[channel] else { return }
        guard let fields = try? WireCoding.decode(RequestFields.self, from: payload), fields.type != "files" else {
            return
        }
        passed[channel] = nil
        guard fields.type == "perform", let request = fields.request, let id = fields.id else { return }
        ofRequests[request, default: []] += files
        unanswered[RequestKey(channel: channel, id: id)] = request
    }

    /// Processes a message that intentd sends to a client.
    ///
    /// - Returns: The writable files of the run, if the message reports its end.
    mutating func message(_ payload: [UInt8], on channel: UInt32) -> [UInt32] {
        guard !isEmpty, let fields = try? WireCoding.decode(MessageFields.self, from: payload) else { return [] }
        switch fields.type {
        case "accepted", "error":
            guard let id = fields.id,
                let request = unanswered.removeValue(forKey: RequestKey(channel: channel, id: id)),
                let files = ofRequests.removeValue(forKey: request)
            else { return [] }
            if fields.type == "accepted", let run = fields.run { ofRuns[run, default: []] += files }
            return []
        case "finished", "ended": return fields.run.flatMap { ofRuns.removeValue(forKey: $0) } ?? []
        default: return []
        }
    }

    /// Removes a closed channel. Keeps the files of its requests, because clients can repeat them on another channel.
    mutating func closed(_ channel: UInt32) {
        passed[channel] = nil
        unanswered = unanswered.filter { $0.key.channel != channel }
    }
}
