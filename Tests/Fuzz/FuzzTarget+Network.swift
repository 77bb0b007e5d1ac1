import IntentLauncherMessages
import IntentText

@testable import IntentEgress

// What an app in a sandbox sends to intentd-egress.
extension FuzzTarget {
    static let network = [
        FuzzTarget("dns", .bytes, DNSAnswer.queryLimit + 8) { bytes in
            var table = NameTable(["host.example:443", "*.wild.example:80"].compactMap { HostGrant($0) })
            guard let answer = DNSAnswer.to(bytes[...], from: &table, refused: { _, _ in }) else { return }
            guard answer.count >= 12, answer.count <= bytes.count + DNSAnswer.extraRoom, answer[2] & 0x80 != 0,
                answer[0] == bytes[0], answer[1] == bytes[1]
            else { throw Finding("an answer does not belong to its query", "\(bytes)", "\(answer)") }
        },
        FuzzTarget("first-bytes", .bytes, FirstBytes.limit + 64) { bytes in
            for port: UInt16 in [443, 80] {
                var known = FirstBytes.Verdict.needsMore
                // A verdict about the first bytes stays true when more follow.
                for count in Set([0, 1, bytes.count / 2, bytes.count]).sorted() {
                    let verdict = FirstBytes.check(Array(bytes.prefix(count)), on: port, for: "host.example")
                    if known != .needsMore { try require(verdict, equals: known, "a verdict on port \(port)") }
                    known = verdict
                }
            }
        },
    ]
}
