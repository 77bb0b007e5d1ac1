import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentSupervisor

/// The order in which clients are read, with real sockets and without a supervisor.
@Suite(.timeLimit(.minutes(2))) struct ClientTurnsTests {
    /// Clients of named users. Each request contains the name of its user.
    private final class Clients {
        let loop: EventLoop
        private let closing: ClosingThreads
        private var sessions: [ClientID: ClientSession] = [:]
        private var turns: ClientTurns?
        private var peers: [SharedFileDescriptor] = []
        /// The users of the requests, in the order in which the requests were read.
        private(set) var served: [String] = []
        private let expectedCount: Int

        init(expecting count: Int) throws {
            loop = try EventLoop()
            closing = try ClosingThreads()
            expectedCount = count
            turns = try ClientTurns(on: loop, journal: Journal(identifier: "test")) { [weak self] id in
                self?.sessions[id]
            }
        }

        /// Connects a client that sends this many requests in one write.
        func connect(_ name: String, user: UInt32, requestCount: Int) throws {
            let (near, far) = try UnixSocket.Pair(.stream).shared()
            peers.append(far)
            let id = ClientID(number: UInt64(peers.count))
            sessions[id] = try ClientSession(
                near,
                id: id,
                user: .local(user: user, account: name),
                account: { .local(user: $0.uid, account: $0.account) },
                peer: nil,
                groups: [],
                rank: .user,
                on: loop,
                closing: closing,
                input: { [weak self] input in self?.received(input, from: id) }
            )
            let frame = try Frame.encode(Array(name.utf8), limit: Frame.clientPayloadLimit)
            let bytes = Array((0..<requestCount).map { _ in frame }.joined())
            #expect(send(far.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }

        private func received(_ input: ClientSession.Input, from id: ClientID) {
            guard let session = sessions[id] else { return }
            switch input {
            case .ready: turns?.serveOrAppend(session)
            case .payload(let payload):
                served.append(String(decoding: payload, as: UTF8.self))
                if served.count == expectedCount { loop.exit(0) }
            case .malformed, .end, .encode, .answered, .receivedAnswers, .queued, .unfinished, .deadlineBegan: break
            }
        }
    }

    @Test func `a user with one request waits for only one request of another user, however many that user sends`()
        throws
    {
        let clients = try Clients(expecting: 41)
        try clients.connect("ann", user: 1001, requestCount: 40)
        try clients.connect("ben", user: 1002, requestCount: 1)
        #expect(try clients.loop.run() == 0)
        let turn = try #require(clients.served.firstIndex(of: "ben"))
        #expect(turn <= 2, "\(clients.served)")
        #expect(clients.served.count { $0 == "ann" } == 40)
    }

    @Test func `a user with many connections gets no more turns than one with a single connection`() throws {
        let clients = try Clients(expecting: 50)
        for _ in 0..<10 { try clients.connect("ann", user: 1001, requestCount: 4) }
        try clients.connect("ben", user: 1002, requestCount: 10)
        #expect(try clients.loop.run() == 0)
        let last = try #require(clients.served.lastIndex(of: "ben"))
        // Ten requests of ben, each behind at most one request of ann, and the requests that arrived before ben
        // connected.
        #expect(last <= 10 + 10 + 10, "\(clients.served)")
    }

    @Test func `the requests of a client are read in order, and its disconnection is reported`() throws {
        let clients = try Clients(expecting: 3)
        try clients.connect("ann", user: 1001, requestCount: 3)
        #expect(try clients.loop.run() == 0)
        #expect(clients.served == ["ann", "ann", "ann"])
    }
}
