import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests calls for which intentd has no room at first.
@Suite struct CallQueueTests {
    private static let busy: ErrorReport = {
        var report = ErrorReport(.busy, "too many runs", hint: "try again")
        report.retryAfter = .seconds(1)
        return report
    }()

    private static func started(_ actions: [MCPServer.Action]) -> [RPCID] {
        actions.compactMap { if case .perform(let id, _, _) = $0 { id } else { nil } }
    }

    private static func call(_ peer: inout MCPPeer, progressToken: JSONValue? = nil) -> RPCID {
        peer.call("Kitchen_Clean", progressToken: progressToken).id
    }

    @Test func `two hundred parallel calls all succeed, in their order`() {
        var peer = MCPPeer()
        let ids = (0..<200).map { _ in Self.call(&peer) }
        let room = 16
        for id in ids[..<room] { _ = peer.send(.accepted(id, RunID(randomBits: UInt64(room + Int(id.json.text())!)))) }
        for id in ids[room...] { #expect(peer.send(.refused(id, Self.busy)).messages.isEmpty) }
        var order: [RPCID] = []
        var running = ids[..<room].map { RunID(randomBits: UInt64(room + Int($0.json.text())!)) }
        var answered = 0
        while !running.isEmpty {
            let run = running.removeFirst()
            var actions = peer.send(
                .ended(
                    EndedRun(
                        RunEnd(run: run, outcome: .done(value: nil, dialog: nil), account: RunAccount()),
                        reason: nil,
                        files: []
                    )
                )
            )
            answered += actions.messages.count
            while let id = Self.started(actions).first {
                #expect(Self.started(actions).count == 1)
                if running.count == room {
                    actions = peer.send(.refused(id, Self.busy))
                } else {
                    order.append(id)
                    running.append(RunID(randomBits: UInt64(1000 + order.count)))
                    actions = peer.send(.accepted(id, running[running.count - 1]))
                    answered += actions.messages.count
                }
            }
        }
        #expect(order == Array(ids[room...]) && answered == 200 && peer.server.open.isEmpty)
    }

    @Test func `a later call does not overtake the calls that wait, and time alone leads to another attempt`() {
        var peer = MCPPeer()
        let first = Self.call(&peer)
        _ = peer.send(.refused(first, Self.busy))
        let (second, actions) = peer.call("Kitchen_Clean")
        #expect(actions.performed == nil)
        peer.now = .milliseconds(999)
        #expect(Self.started(peer.send(.time)).isEmpty)
        peer.now = .seconds(1)
        #expect(Self.started(peer.send(.time)) == [first])
        #expect(Self.started(peer.send(.accepted(first, MCPPeer.run))) == [second])
    }

    @Test func `a call that waits reports progress, and is answered with the refusal when its time is over`() {
        var peer = MCPPeer()
        let waiting = Self.call(&peer, progressToken: "t")
        let progress = peer.send(.refused(waiting, Self.busy)).messages
        #expect(progress.first?["method"] == "notifications/progress")
        #expect(progress.first?["params"]?.members["message"]?.text?.contains("waiting") == true)
        let plain = Self.call(&peer)
        var answers: [JSONValue?] = []
        for second in 1...600 {
            peer.now = .seconds(second)
            let actions = peer.send(.time)
            if Self.started(actions) == [waiting] { _ = peer.send(.refused(waiting, Self.busy)) }
            for message in actions.messages where message["id"] != nil {
                answers.append(message["id"])
                #expect(message["result"]?.members["structuredContent"]?.members["error"]?.members["code"] == "busy")
                #expect(second == (message["id"] == plain.json ? 45 : 600))
            }
        }
        _ = peer.send(.refused(waiting, Self.busy))
        #expect(answers.first == plain.json && peer.server.open.isEmpty && peer.server.queue.isEmpty)
    }

    @Test func `a refusal that waiting does not help is answered at once, and a cancelled call is not tried again`() {
        var peer = MCPPeer()
        let asking = Self.call(&peer)
        let refused = peer.send(.refused(asking, ErrorReport(.busy, "16 runs wait: A, B", hint: "withdraw one")))
        #expect(refused.state == "refused" && refused.text == "16 runs wait: A, B; withdraw one")
        let waiting = Self.call(&peer)
        _ = peer.send(.refused(waiting, Self.busy))
        let line =
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(waiting.json.text())}}"#
        #expect(peer.send(line: line).messages.isEmpty)
        peer.now = .seconds(5)
        #expect(Self.started(peer.send(.time)).isEmpty && peer.server.open.isEmpty)
    }

    @Test func `a call that waits is answered before its client gives up (--answer-after)`() {
        for token in [nil, "t"] as [JSONValue?] {
            var peer = MCPPeer(answerAfter: .seconds(4))
            let waiting = Self.call(&peer, progressToken: token)
            _ = peer.send(.refused(waiting, Self.busy))
            peer.now = .milliseconds(3900)
            if Self.started(peer.send(.time)) == [waiting] { _ = peer.send(.refused(waiting, Self.busy)) }
            peer.now = .seconds(4)
            let answers = peer.send(.time).messages.filter { $0["id"] == waiting.json }
            #expect(answers.first?["result"]?.members["isError"] == true && peer.server.queue.isEmpty)
        }
    }

    @Test func `at the end of the input, calls that wait are dropped`() {
        var peer = MCPPeer()
        let waiting = Self.call(&peer)
        _ = peer.send(.refused(waiting, Self.busy))
        #expect(peer.send(.inputEnded).hasEnd)
    }
}
