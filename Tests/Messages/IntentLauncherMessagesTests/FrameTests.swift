import Foundation
import IntentLauncherMessages
import TestSupport
import Testing

@Suite(.ownThread) struct FrameTests {
    @Test func `a frame is its payload's length in four bytes, then the payload`() throws {
        #expect(try Frame.encode(Array("{}".utf8), limit: 2) == [0, 0, 0, 2, 0x7B, 0x7D])
        #expect(try Frame.encode([], limit: 0) == [0, 0, 0, 0])
        let payload = [UInt8](repeating: 7, count: 0x0102_03)
        #expect(try Array(Frame.encode(payload, limit: 1 << 20).prefix(5)) == [0, 1, 2, 3, 7])
    }

    @Test func `a payload over the limit is not framed`() {
        #expect(throws: FrameError.tooLarge(byteCount: 3, limit: 2)) { try Frame.encode([1, 2, 3], limit: 2) }
    }

    @Test func `a record is exactly one frame`() throws {
        #expect(try Frame.decode(record: [0, 0, 0, 1, 9]) == [9])
        #expect(try Frame.decode(record: [0, 0, 0, 0]) == [])
        #expect(throws: FrameError.lengthMismatch(announced: 2, received: 1)) {
            try Frame.decode(record: [0, 0, 0, 2, 9])
        }
        #expect(throws: FrameError.lengthMismatch(announced: 1, received: 2)) {
            try Frame.decode(record: [0, 0, 0, 1, 9, 9])
        }
        for count in 0..<4 {
            #expect(throws: FrameError.truncated(byteCount: count)) {
                try Frame.decode(record: [UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        .isoLatin1,
    ])
    func `a payload that is not UTF-8 is refused before it is decoded`(encoding: String.Encoding)
        throws
    {
        let payload = Array(try #require(#"{"type":"hällo"}"#.data(using: encoding)))
        let frame = try Frame.encode(payload, limit: 1000)
        #expect(throws: FrameError.notUTF8) { try Frame.decode(record: frame) }
        var decoder = FrameDecoder(payloadLimit: 1000)
        decoder.append(frame)
        #expect(throws: FrameError.notUTF8) { try decoder.next() }
    }

    @Test func `frames are reassembled from single bytes`() throws {
        let payloads = (ClientRequestTests.requests.map(\.payload)) + [[]]
        var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
        var received: [[UInt8]] = []
        for byte in try payloads.flatMap({ try Frame.encode($0, limit: Frame.clientPayloadLimit) }) {
            decoder.append([byte])
            while let payload = try decoder.next() { received.append(payload) }
        }
        #expect(received == payloads)
        #expect(decoder.isEmpty)
    }

    @Test func `a frame cut at any offset waits for the rest`() throws {
        let frame = try Frame.encode(Array(#"{"type":"started"}"#.utf8), limit: 100)
        for count in 0..<frame.count {
            var decoder = FrameDecoder(payloadLimit: 100)
            decoder.append(frame.prefix(count))
            #expect(try decoder.next() == nil)
            #expect(decoder.isEmpty == (count == 0))
            decoder.append(frame.dropFirst(count))
            #expect(try decoder.next() == Array(frame.dropFirst(4)))
        }
    }

    @Test func `an announced length of 4 GB is refused at the header, before memory is allocated`() {
        var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
        decoder.append([0xFF, 0xFF, 0xFF])
        #expect(throws: Never.self) { try decoder.next() == nil }
        decoder.append([0xFF])
        // A decoder that trusted the header would wait for 4 GB here.
        #expect(throws: FrameError.tooLarge(byteCount: 4_294_967_295, limit: Frame.clientPayloadLimit)) {
            try decoder.next()
        }
    }

    @Test func `the largest allowed frame is accepted, and one byte more is refused`() throws {
        var decoder = FrameDecoder(payloadLimit: 1000)
        decoder.append(try Frame.encode([UInt8](repeating: 1, count: 1000), limit: 1000))
        #expect(try decoder.next()?.count == 1000)
        decoder.append([0, 0, 0x03, 0xE9])
        #expect(throws: FrameError.tooLarge(byteCount: 1001, limit: 1000)) { try decoder.next() }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random frames in random chunks are decoded unchanged`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let payloads = (0..<200).map { _ in
            let byteCount = Int.random(in: 0...(Bool.random(using: &numbers) ? 20 : 3000), using: &numbers)
            return (0..<byteCount).map { _ in UInt8.random(in: 1...127, using: &numbers) }
        }
        let stream = try payloads.flatMap { try Frame.encode($0, limit: 3000) }
        var decoder = FrameDecoder(payloadLimit: 3000)
        var received: [[UInt8]] = []
        var sent = 0
        while sent < stream.count {
            let end = min(stream.count, sent + Int.random(in: 1...5000, using: &numbers))
            decoder.append(stream[sent..<end])
            sent = end
            while let payload = try decoder.next() { received.append(payload) }
        }
        #expect(received == payloads, "seed \(seed)")
        #expect(decoder.isEmpty, "seed \(seed)")
    }
}
