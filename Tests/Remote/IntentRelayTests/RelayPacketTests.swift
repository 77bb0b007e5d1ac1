import IntentProtocol
import IntentRelay
import TestSupport
import Testing

/// Tests the bytes of the relay protocol's packets.
@Suite(.ownThread) struct RelayPacketTests {
    static let digest = [UInt8](0..<32)
    static let digits = "000102030405060708090a0b0c0d0e0f"

    /// Packets and their bytes, written by hand.
    static let golden: [(packet: RelayPacket, hex: String)] = [
        (.message(.open(channel: 1)), "01 00000004 00000001"),
        (.message(.opened(channel: 0xFFFF_FFFF)), "02 00000004 ffffffff"),
        (
            .message(.refused(channel: 2, ErrorReport(.busy, "no"))),
            "03 00000022 00000002 7b22636f6465223a2262757379222c226d657373616765223a226e6f227d"
        ),
        (.message(.frame(channel: 3, files: [], payload: [0x7B, 0x7D])), "04 00000007 00000003 00 7b7d"),
        (
            .message(.frame(channel: 3, files: [4, 5], payload: [0x7B])),
            "04 0000000e 00000003 02 00000004 00000005 7b"
        ),
        (.message(.close(channel: 9)), "05 00000004 00000009"),
        (.message(.credit(channel: 1, byteCount: 256)), "06 00000008 00000001 00000100"),
        (
            .message(.file(FileAnnouncement(file: 7, channel: 1, purpose: .passed(.reading), byteCount: 5))),
            "07 00000015 00000007 00000001 00 00000000 0000000000000005"
        ),
        (
            .message(.file(FileAnnouncement(file: 7, channel: 1, purpose: .passed(.readingAndWriting), byteCount: 0))),
            "07 00000015 00000007 00000001 01 00000000 0000000000000000"
        ),
        (
            .message(.file(FileAnnouncement(file: 8, channel: 1, purpose: .changed(original: 7), byteCount: 1 << 40))),
            "07 00000015 00000008 00000001 02 00000007 0000010000000000"
        ),
        (.message(.data(file: 7, [1, 2, 3])), "08 00000007 00000007 010203"),
        (.message(.zeros(file: 7, byteCount: 0x20000)), "09 00000008 00000007 00020000"),
        (
            .message(.end(file: 7, digest: digest)),
            "0a 00000024 00000007 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        ),
        (.message(.finish), "0b 00000000"),
        (.message(.abandon(file: 6)), "0c 00000004 00000006"),
        (.received(258), "83 00000008 0000000000000102"),
    ]

    @Test func `each packet has its recorded bytes`() throws {
        for (packet, hex) in Self.golden {
            let bytes = Self.bytes(hex)
            #expect(packet.encode() == bytes, "\(packet)")
            #expect(try Self.decode(bytes) == [packet])
        }
    }

    @Test func `a hello message is JSON with the version, the program, the session and the received messages`() throws {
        let text =
            #"{"received":3,"session":{"name":"\#(Self.digits)","secret":"\#(Self.digits)"},"software":"x 1","version":1}"#
        let bytes = [0x81, 0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        let packet = try #require(try Self.decode(bytes).first)
        guard case .welcome(let hello) = packet else {
            Issue.record("not a hello message: \(packet)")
            return
        }
        #expect(hello.version == 1 && hello.software == "x 1" && hello.receivedCount == 3)
        #expect(hello.session?.name == Self.digits)
        #expect(packet.encode() == bytes)
    }

    @Test(arguments: ["", "../../etc/passwd000000000000000000", "0123456789ABCDEF0123456789ABCDEF"])
    func `a session with a name other than 32 hexadecimal digits is refused`(name: String) {
        let text =
            #"{"received":0,"session":{"name":"\#(name)","secret":"\#(Self.digits)"},"software":"x","version":1}"#
        let bytes = [0x80, 0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        #expect(throws: RelayViolation.self) { try Self.decode(bytes) }
    }

    @Test func `packets arrive complete, no matter where their bytes were split`() throws {
        var decoder = RelayDecoder()
        var packets: [RelayPacket] = []
        for byte in RelayPacket.preamble + Self.golden.flatMap({ $0.packet.encode() }) {
            decoder.append([byte])
            while let packet = try decoder.next() { packets.append(packet) }
        }
        #expect(packets == Self.golden.map(\.packet))
        #expect(decoder.rest.isEmpty)
    }

    @Test func `a packet that ends at any byte before its last is not returned`() throws {
        for (packet, _) in Self.golden {
            let bytes = packet.encode()
            for count in 0..<bytes.count { #expect(try Self.decode(Array(bytes.prefix(count))) == [], "\(packet)") }
        }
    }

    @Test func `a payload that is shorter or longer than its kind is refused`() {
        for hex in [
            "01 00000003 000000", "01 00000005 0000000100", "04 00000004 00000003", "04 00000005 00000003 01",
            "07 00000014 00000007 00000001 00 00000000 00000000000005", "0a 00000005 00000007 00", "0b 00000001 00",
            "83 00000007 00000000000001",
        ] {
            #expect(throws: RelayViolation.self, "\(hex)") { try Self.decode(Self.bytes(hex)) }
        }
    }

    @Test func `a length above the limit for the kind is refused before the payload arrives`() {
        for hex in ["01 00000041", "04 00100046", "08 00020005", "80 00004001", "0b ffffffff"] {
            #expect(throws: RelayViolation.self, "\(hex)") { try Self.decode(Self.bytes(hex)) }
        }
    }

    @Test func `unknown kinds, more than 16 files, unknown purposes and negative sizes are refused`() {
        for hex in [
            "00 00000000", "0d 00000000", "ff 00000000", "04 00000005 00000001 11",
            "07 00000015 00000007 00000001 03 00000000 0000000000000005",
            "07 00000015 00000007 00000001 00 00000001 0000000000000005",
            "07 00000015 00000007 00000001 00 00000000 8000000000000000", "09 00000008 00000007 00020001",
        ] {
            #expect(throws: RelayViolation.self, "\(hex)") { try Self.decode(Self.bytes(hex)) }
        }
    }

    @Test func `text before the preamble is refused at its first byte`() {
        var decoder = RelayDecoder()
        decoder.append(Array("W".utf8))
        #expect(throws: RelayViolation.self) { try decoder.next() }
        #expect(!decoder.knowsPeer)
    }

    @Test func `random bytes can only end the session`() {
        var numbers = SeededNumbers(seed: 21)
        for _ in 0..<(Endurance.isWhole ? 200_000 : 5000) {
            var bytes = Self.golden.randomElement(using: &numbers)?.packet.encode() ?? []
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
                case 1: bytes.insert(.random(in: 0...255, using: &numbers), at: bytes.count / 2)
                default: if bytes.count > 1 { bytes.removeLast() }
                }
            }
            // The bytes are decoded as packets or cause a violation. Nothing else may happen.
            _ = try? Self.decode(bytes)
        }
    }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    static func decode(_ bytes: [UInt8]) throws -> [RelayPacket] {
        var decoder = RelayDecoder(isBegun: true)
        decoder.append(bytes)
        var packets: [RelayPacket] = []
        while let packet = try decoder.next() { packets.append(packet) }
        return packets
    }
}
