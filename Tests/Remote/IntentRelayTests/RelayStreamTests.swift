import IntentRelay
import TestSupport
import Testing

/// Tests messages over links that end at any byte.
@Suite(.ownThread) struct RelayStreamTests {
    @Test func `a message is repeated over a new link until it is acknowledged`() throws {
        var stream = RelayStream()
        for channel in 1...3 { try stream.enqueue(.open(channel: UInt32(channel))) }
        #expect(stream.nextBytes() == RelayPacket.message(.open(channel: 1)).encode())
        #expect(stream.nextBytes() != nil)
        try stream.acknowledged(upTo: 1)
        try stream.resume(peerReceived: 1)
        #expect(stream.nextBytes() == RelayPacket.message(.open(channel: 2)).encode())
        #expect(stream.nextBytes() == RelayPacket.message(.open(channel: 3)).encode())
        #expect(stream.nextBytes() == nil)
        try stream.acknowledged(upTo: 3)
        #expect(stream.isSettled)
    }

    @Test func `an acknowledgement of a message that was not sent is a violation`() throws {
        var stream = RelayStream()
        try stream.enqueue(.finish)
        #expect(throws: RelayViolation.self) { try stream.acknowledged(upTo: 1) }
        _ = stream.nextBytes()
        #expect(throws: RelayViolation.self) { try stream.acknowledged(upTo: 2) }
        try stream.acknowledged(upTo: 1)
        #expect(throws: RelayViolation.self) { try stream.acknowledged(upTo: 0) }
        #expect(throws: RelayViolation.self) { try stream.resume(peerReceived: 0) }
        #expect(throws: RelayViolation.self) { try stream.resume(peerReceived: 2) }
    }

    @Test func `a peer that never acknowledges ends the session, and cannot use up the memory`() throws {
        var stream = RelayStream()
        let message = RelayMessage.data(file: 1, [UInt8](repeating: 1, count: RelayMessage.chunkByteLimit))
        var count = 0
        while stream.hasRoom {
            try stream.enqueue(message)
            count += 1
        }
        #expect(count <= RelayStream.window / RelayMessage.chunkByteLimit + 1)
        #expect(throws: RelayViolation.self) { for _ in 0..<1000 { try stream.enqueue(message) } }
    }

    @Test func `each received message is acknowledged once`() {
        var stream = RelayStream()
        #expect(stream.acknowledgement() == nil)
        stream.received()
        stream.received()
        #expect(stream.acknowledgement() == 2)
        #expect(stream.acknowledgement() == nil)
    }

    @Test func `over links that end at random bytes, all messages arrive once and in order`() throws {
        for seed in 0..<UInt64(Endurance.isWhole ? 2000 : 60) {
            var numbers = SeededNumbers(seed: seed)
            var (sender, receiver) = (RelayStream(), RelayStream())
            var arrived: [UInt32] = []
            var sent: UInt32 = 0
            while arrived.count < 200 {
                // On each link, some bytes arrive, and some acknowledgements return.
                var decoder = RelayDecoder(isBegun: true)
                try sender.resume(peerReceived: receiver.receivedCount)
                var left = Int.random(in: 0...400, using: &numbers)
                while left > 0 {
                    if Bool.random(using: &numbers), sent < 200 {
                        sent += 1
                        try sender.enqueue(.open(channel: sent))
                    }
                    guard let bytes = sender.nextBytes() else {
                        if sent == 200 { break }
                        continue
                    }
                    decoder.append(bytes.prefix(left))
                    left -= bytes.count
                    while let packet = try decoder.next() {
                        guard case .message(.open(let channel)) = packet else { continue }
                        arrived.append(channel)
                        receiver.received()
                    }
                    if Bool.random(using: &numbers), let count = receiver.acknowledgement() {
                        try sender.acknowledged(upTo: count)
                    }
                }
            }
            #expect(arrived == Array(1...200), "seed \(seed)")
        }
    }

    @Test func `a link is replaced after growing pauses, for a minute`() {
        var reconnection = Reconnection()
        var now: Duration = .seconds(100)
        var tries = 0
        while case .connect(let time) = reconnection.ended(at: now) {
            #expect(time > now && time - now <= .seconds(5))
            now = time
            tries += 1
        }
        #expect(tries > 10)
        #expect(now <= .seconds(160))
        reconnection.established()
        #expect(reconnection.ended(at: now) == .connect(at: now + .milliseconds(100)))
    }
}
