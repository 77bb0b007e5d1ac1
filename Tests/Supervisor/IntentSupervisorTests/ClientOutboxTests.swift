import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentSupervisor

@Suite(.timeLimit(.minutes(2))) struct ClientOutboxTests {
    @Test func `progress that follows soon is delayed and sent once, and other messages are not delayed`() throws {
        let loop = try EventLoop()
        var sent: [UInt64] = []
        let outbox = ClientOutbox(on: loop) { client in
            sent.append(client.number)
            if sent.count == 3 { loop.exit(0) }
        }
        let run = RunID(randomBits: 1)
        outbox.posted(for: ClientID(number: 1), .latest(run))
        outbox.send()
        #expect(sent == [1])
        for _ in 0..<3 {
            outbox.posted(for: ClientID(number: 1), .latest(run))
            outbox.send()
        }
        outbox.posted(for: ClientID(number: 2), .always)
        outbox.send()
        #expect(sent == [1, 2])
        #expect(try loop.run() == 0)
        #expect(sent == [1, 2, 1])
    }

    @Test func `urgent messages are sent without the pending progress`() throws {
        let loop = try EventLoop()
        var sent: [UInt64] = []
        let outbox = ClientOutbox(on: loop) { sent.append($0.number) }
        outbox.posted(for: ClientID(number: 1), .latest(RunID(randomBits: 1)))
        outbox.posted(for: ClientID(number: 2), .always)
        outbox.sendUrgent()
        #expect(sent == [2])
        outbox.send()
        #expect(sent == [2, 1])
    }
}
