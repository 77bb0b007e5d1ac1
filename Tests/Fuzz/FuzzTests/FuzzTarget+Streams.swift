import IntentHosts
import IntentProtocol
import IntentSharedTypes

@testable import IntentFleet

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
        FuzzTarget("response", .bytes, 1 << 16) { bytes in
            let all = bytes.partitions.map { parts -> (parts: String, body: [UInt8]) in
                var reader = ResponseReader()
                var events = EventReader()
                var found = ""
                var body: [UInt8] = []
                do {
                    for part in parts {
                        reader.append(part)
                        while let next = try reader.next() {
                            switch next {
                            case .head(let head):
                                let fields = head.fields.sorted { $0.key < $1.key }
                                found += "\(head.status) \(fields) "
                            case .body(let bytes):
                                body += bytes
                                events.append(bytes)
                                while let event = try events.next() { found += "\(event) " }
                            case .end: found += "end "
                            }
                        }
                    }
                } catch {
                    return ("\(found)\(error)", [])
                }
                return (found, body)
            }
            for one in all {
                try require(one.0, equals: all[0].0, "the parts of a response")
                try require(one.1, equals: all[0].1, "the body of a response")
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
