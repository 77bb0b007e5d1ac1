import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct EnduranceTests {
    /// Performs a thousand cases in every run of the tests, and ten thousand in `Tests/endurance cases`.
    @Test func `failing clients and workers leak neither descriptors nor memory`() throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "Grace=100ms", "GraceCancellable=100ms", "KillDelay=100ms"])
        // The first round fills catalogues and caches, and the allocator grows.
        try badClients(daemon, count: 500)
        try badWorkers(daemon, count: 32)
        let descriptors = try daemon.settledDescriptorCount()
        let memory = try daemon.residentKilobytes()

        try badClients(daemon, count: Endurance.isWhole ? 9600 : 900)
        try badWorkers(daemon, count: Endurance.isWhole ? 400 : 96)
        try eventually("all is released: \(daemon.workers) \(daemon.runFolders) \(daemon.descriptorCount)") {
            daemon.workers.isEmpty && daemon.isCleared && daemon.descriptorCount <= descriptors
        }
        // intentd's memory for ended runs is bounded. 8 MB covers this memory and the allocator's overhead.
        let growth = try daemon.residentKilobytes() - memory
        #expect(growth < 8 << 10, "grew by \(growth) kB")
    }

    private func badClients(_ daemon: Daemon, count: Int) throws {
        for number in 0..<count {
            switch number % 6 {
            case 0: try SocketClient(daemon, greets: false).send(raw: Array("GET / HTTP/1.1\r\n\r\n".utf8))
            case 1: try SocketClient(daemon, greets: false).send(raw: [0, 0, 1, 0, 0x7B])
            case 2: try SocketClient(daemon, greets: false).send(raw: [0xFF, 0xFF, 0xFF, 0xFF])
            case 3: _ = try SocketClient(daemon, greets: false)
            case 4: _ = try SocketClient(daemon).ask(["type": "perform", "app": "Nothing", "intent": "At all"])
            default:
                let request = String(repeating: "0", count: 24) + String(format: "%08x", number)
                _ = try SocketClient(daemon).ask([
                    "type": "perform", "app": "Probe", "intent": "Echo", "request": request, "values": ["text": 7],
                ])
            }
        }
    }

    /// Performs runs that fail in different ways, eight at a time.
    private func badWorkers(_ daemon: Daemon, count: Int) throws {
        let cases: [(intent: String, values: [String: Any])] = [
            ("ExitWith", ["code": 3]), ("Throws", [:]), ("Grandchild", [:]), ("Liar", ["lie": "notjson"]),
            ("Liar", ["lie": "halfframe"]), ("Liar", ["lie": "hugeframe"]), ("Liar", ["lie": "unknown"]),
            ("Liar", ["lie": "twice"]),
        ]
        let client = try SocketClient(daemon)
        for _ in 0..<(count / cases.count) {
            for bad in cases {
                let answer = try client.ask([
                    "type": "perform", "app": "Probe", "intent": bad.intent, "values": bad.values,
                    "request": UUID().uuidString.replacing("-", with: "").lowercased(),
                ])
                #expect(answer["type"] as? String == "accepted", "\(answer)")
            }
            var endedCount = 0
            while endedCount < cases.count {
                if try client.nextEvent()["type"] as? String == "finished" { endedCount += 1 }
            }
        }
    }
}
