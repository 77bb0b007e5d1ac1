import IntentProtocol
import IntentSharedTypes

@testable import IntentFleet
@testable import IntentRelay

// Streams. A read may end at any byte.
extension FuzzTarget {
    static let streams = [
        FuzzTarget("frames", .bytes, 1 << 16) { bytes in
            let all = bytes.partitions.map { parts in
                var decoder = FrameDecoder(payloadLimit: 1 << 16)
                var found: [[UInt8]] = []
                for part in parts {
                    decoder.append(part)
                    do {
                        while let payload = try decoder.next() { found.append(payload) }
                    } catch {
                        return (found, "\(error)")
                    }
                }
                return (found, "")
            }
            for one in all {
                try require(one.0, equals: all[0].0, "frames")
                try require(one.1, equals: all[0].1, "the error of a frame")
            }
        },
        FuzzTarget("relay", .bytes, 1 << 16) { bytes in
            let all = bytes.partitions.map { parts in
                var decoder = RelayDecoder(isBegun: true)
                var found: [RelayPacket] = []
                for part in parts {
                    decoder.append(part)
                    do {
                        while let packet = try decoder.next() { found.append(packet) }
                    } catch {
                        return (found, "\(error)")
                    }
                }
                return (found, "")
            }
            for one in all {
                try require(one.0.map { $0.encode() }, equals: all[0].0.map { $0.encode() }, "packets")
                try require(one.1, equals: all[0].1, "the error of a packet")
            }
            for role in [RelayInbox.Role.user, .relay] {
                var inbox = RelayInbox(role)
                for case .message(let message) in all[0].0 {
                    guard (try? inbox.receive(message)) != nil else { break }
                }
            }
        },
        FuzzTarget("errand", .bytes, 1 << 16) { bytes in
            let all = bytes.partitions.map { parts in
                var answer = ErrandBytes(limit: 1000)
                var content: [UInt8] = []
                do {
                    for part in parts { content += try answer.append(part).content }
                } catch {
                    return "\(error)"
                }
                return "\(answer.message.map { WireCoding.encode($0) } ?? []) \(content)"
            }
            for one in all { try require(one, equals: all[0], "an errand") }
        },
    ]
}
