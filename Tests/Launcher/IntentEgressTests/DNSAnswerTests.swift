import IntentLauncherMessages
import TestSupport
import Testing

@testable import IntentEgress

@Suite struct DNSAnswerTests {
    private let names = NameTable(["api.example:443", "*.w.example:443"].compactMap(HostGrant.init))

    private func query(_ name: String, type: UInt8, options: Bool = false) -> [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return [0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, options ? 1 : 0] + labels + [0, 0, type, 0, 1]
            + (options ? [0, 0, 41, 16, 0, 0, 0, 0, 0, 0, 0] : [])
    }

    private func reply(to query: [UInt8]) -> [UInt8]? {
        var names = names
        return DNSAnswer.to(query[...], from: &names) { _, _ in }
    }

    @Test func `a granted name has an IPv4 and an IPv6 address, in any case of its letters`() throws {
        for name in ["api.example", "API.Example"] {
            let v4 = try #require(reply(to: query(name, type: 1)))
            #expect(v4.prefix(12) == [0xAB, 0xCD, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
            #expect(v4.suffix(6) == [0, 4, 198, 18, 0, 16])
            let v6 = try #require(reply(to: query(name, type: 28)))
            #expect(
                v6.suffix(18) == [0, 16, 0xFD, 0x69, 0x6E, 0x74, 0x65, 0x6E, 0x74, 0x64, 0, 0, 0, 0, 198, 18, 0, 16]
            )
        }
    }

    @Test func `another name does not exist, and the client learns that it is blocked`() throws {
        var refused: [String] = []
        var names = names
        let answer = DNSAnswer.to(query("Tracker.example", type: 1, options: true)[...], from: &names) { name, entry in
            refused.append("\(name) \(entry)")
        }
        #expect(answer?[3] == 0x83)
        #expect(answer?.suffix(8) == [0, 6, 0, 15, 0, 2, 0, 15])
        #expect(refused == ["tracker.example notGranted"])
    }

    @Test(arguments: [(12, 5), (16, 5), (255, 5), (65, 0), (33, 0)] as [(UInt8, UInt8)])
    func `other records of a granted name are refused or empty`(type: UInt8, code: UInt8) throws {
        let answer = try #require(reply(to: query("api.example", type: type)))
        #expect(answer[3] & 0x0F == code)
        #expect(answer[7] == 0)
    }

    @Test func `an answer, and a message without a whole head, get no answer`() {
        var other = query("api.example", type: 1)
        other[2] |= 0x80
        #expect(reply(to: other) == nil)
        for count in 0..<12 { #expect(reply(to: Array(query("api.example", type: 1).prefix(count))) == nil) }
    }

    @Test func `a malformed query gets an answer of its own size at most, or an error`() {
        let good = query("a.w.example", type: 1, options: true)
        var names = names
        var random = SeededNumbers(seed: 48)
        for _ in 0..<(Endurance.isWhole ? 1_000_000 : 20_000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            guard let answer = DNSAnswer.to(bytes[...], from: &names, refused: { _, _ in }) else { continue }
            #expect(answer.count <= bytes.count + DNSAnswer.extraRoom)
            #expect(answer[0...1] == bytes[0...1] && answer[2] & 0x80 != 0)
        }
    }
}
