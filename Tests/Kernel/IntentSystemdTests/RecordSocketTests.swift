import Glibc
import IntentLinux
import IntentSystemd
import Testing

@Suite struct RecordSocketTests {
    /// The socket to a peer that sent records and exited without reading the records that it received.
    private func socketOfPeerThatLeft(saying texts: [String]) throws -> SharedFileDescriptor {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        _ = send(near.rawValue, "x", 1, Int32(MSG_NOSIGNAL))
        for text in texts { _ = send(far.rawValue, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
        return near
    }

    @Test func `records that a peer sent before it exited without reading are received before its end`() throws {
        let loop = try EventLoop()
        var story: [String] = []
        let socket = try socketOfPeerThatLeft(saying: ["a", "b"])
        let listener = try RecordSocket(socket, on: loop, recordLimit: 64, descriptorLimit: 0) { record, _ in
            story.append(String(decoding: record, as: UTF8.self))
        } ended: { end in
            story.append("\(end)")
            loop.exit(0)
        }
        #expect(try loop.run() == 0)
        withExtendedLifetime(listener) {}
        #expect(story == ["a", "b", "\(RecordSocket.End.closed)"])
    }

    @Test func `records that arrived together are received in one batch`() throws {
        let loop = try EventLoop()
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        var story: [String] = []
        let listener = try RecordSocket(near, on: loop, recordLimit: 64, descriptorLimit: 0) { record, _ in
            story.append(String(decoding: record, as: UTF8.self))
        } ended: { _ in
        }
        listener.batch = { receive in
            story.append("begin")
            receive()
            story.append("end")
            loop.exit(0)
        }
        for text in ["a", "b"] { _ = send(far.rawValue, text, 1, Int32(MSG_NOSIGNAL)) }
        #expect(try loop.run() == 0)
        withExtendedLifetime(listener) {}
        #expect(story == ["begin", "a", "b", "end"])
    }

    @Test(arguments: [false, true])
    func `a failure to send is reported from the loop, and never after the connection was abandoned`(isAbandoned: Bool)
        throws
    {
        let loop = try EventLoop()
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        var endCount = 0
        let listener = try RecordSocket(near, on: loop, recordLimit: 64, descriptorLimit: 0) { _, _ in
        } ended: { _ in
            endCount += 1
        }
        // The record is larger than the socket's buffer (EMSGSIZE).
        listener.send([UInt8](repeating: 0, count: 4 << 20))
        #expect(endCount == 0)
        if isAbandoned { listener.abandon() }
        let last = try loop.deferred { loop.exit(0) }
        try last.fireOnce()
        #expect(try loop.run() == 0)
        withExtendedLifetime((listener, far)) {}
        #expect(endCount == (isAbandoned ? 0 : 1))
    }
}
