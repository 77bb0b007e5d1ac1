import Foundation
import IntentLauncherMessages
import TestSupport
import Testing

@Suite(.ownThread) struct BadInputTests {
    @Test(arguments: [
        (["Porbe/Echo"], Int32(66), "'Probe'"),
        (["Probe/Ehco", "--text", "a"], 66, "'Echo'"),
        (["Probe/Echo"], 64, "--text"),
        (["Probe/Echo", "--txet", "a"], 64, "--text"),
        (["Probe/Add", "--first", "many"], 64, "--first"),
        (["Probe/Echo", "--text", "a", "--detach"], 64, "--detach Probe/Echo"),
        (["../../bin/sh/Echo"], 66, "unknown app"),
        (["Archive/Compress", "--file", "/no/such/file"], 64, "/no/such/file"),
        (["Archive/Compress", "--file", "/"], 64, "'/'"),
    ])
    func `a wrong command line is refused with the reason and a correction`(
        _ arguments: [String],
        _ code: Int32,
        _ correction: String
    ) throws {
        let daemon = try Daemon()
        let run = try daemon.start(["run"] + arguments)
        #expect(run.exitCode() == code, "\(run.errors)")
        #expect(run.errors.contains(correction), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test(arguments: [
        (["Probe/Crash"], Int32(70), "signal"),
        (["Probe/ExitWith", "--code", "3"], 70, "code 3"),
        (["Probe/ExitWith", "--code", "0"], 70, "code 0"),
        (["Probe/Throws", "--message", "no soup today"], 1, "no soup today"),
        (["Probe/Liar", "--lie", "notjson"], 70, "invalid report"),
        (["Probe/Liar", "--lie", "halfframe"], 70, "invalid report"),
        (["Probe/Liar", "--lie", "hugeframe"], 70, "invalid report"),
        (["Probe/Liar", "--lie", "unknown"], 70, "invalid report"),
    ])
    func `a failing worker is reported accurately, and the next run is served`(
        _ arguments: [String],
        _ code: Int32,
        _ reason: String
    ) throws {
        let daemon = try Daemon()
        let run = try daemon.start(["run"] + arguments)
        #expect(run.exitCode() == code, "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still here").output == "still here\n")
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `a worker that prints endlessly does not block other runs`() throws {
        let daemon = try Daemon()
        let flood = try daemon.start(["run", "Probe/Flood", "--line-count", "2000000"])
        _ = try daemon.run()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "hello").output == "hello\n")
        flood.signal(SIGINT)
        #expect([0, 130].contains(flood.exitCode()))
    }

    @Test(arguments: [
        "no frame at all, only text that goes on and on",
        "\u{0}\u{0}\u{0}\u{2}{}",
        "\u{7F}\u{7F}\u{7F}\u{7F}",
        "\u{0}\u{0}\u{0}\u{12}{\"type\":\"list\"}   ",
    ])
    func `a client that sends garbage is disconnected with an error, and others are served`(_ garbage: String) throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon, greets: false)
        try client.send(raw: Array(garbage.utf8))
        let answer = try client.next()
        #expect(answer["type"] as? String == "error")
        #expect((answer["error"] as? [String: Any])?["code"] as? String == "protocolViolation")
        #expect(try client.isAtEnd())
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16, .utf32BigEndian])
    func `the error about JSON in another encoding names UTF-8`(_ encoding: String.Encoding) throws {
        let client = try SocketClient(Daemon())
        let payload = try #require(#"{"id":2,"type":"status"}"#.data(using: encoding))
        try client.send(raw: Frame.encode(Array(payload), limit: Frame.clientPayloadLimit))
        let error = try #require(try client.next()["error"] as? [String: Any])
        #expect(error["code"] as? String == "protocolViolation")
        #expect((error["message"] as? String)?.contains("UTF-8") == true, "\(error)")
        #expect(try client.isAtEnd())
    }

    @Test func `an unknown request fails without ending the connection`() throws {
        let client = try SocketClient(Daemon())
        let unknown = try client.ask(["type": "dance"])
        #expect((unknown["error"] as? [String: Any])?["code"] as? String == "unknownRequest")
        let bad = try client.ask(["type": "describe"])
        #expect((bad["error"] as? [String: Any])?["code"] as? String == "badRequest")
        #expect(try client.ask(["type": "status", "future": true])["type"] as? String == "status")
    }

    @Test func `a client may disconnect in the middle of a frame`() throws {
        let daemon = try Daemon()
        for _ in 0..<20 {
            let client = try SocketClient(daemon, greets: false)
            try client.send(raw: [0, 0, 1, 0, 0x7B])
        }
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test func `failing runs and clients leak no descriptors, workers or folders`() throws {
        let daemon = try Daemon(limits: ["GraceCancellable=50ms", "KillDelay=50ms"])
        func misbehave() throws {
            for arguments in [
                ["Probe/Crash"], ["Probe/ExitWith"], ["Probe/Liar", "--lie", "halfframe"], ["Probe/Grandchild"],
                ["--limit", "200ms", "Probe/Slow"], ["Probe/Ehco"], ["Probe/Throws"],
            ] {
                try daemon.start(["run"] + arguments).exitCode()
            }
            let client = try SocketClient(daemon, greets: false)
            try client.send(raw: [1, 2, 3, 4, 5])
            _ = try client.next()
        }
        try misbehave()
        let before = try daemon.settledDescriptorCount()
        for _ in 0..<5 { try misbehave() }
        try eventually("all is released: \(daemon.workers) \(daemon.runFolders) \(daemon.descriptorCount) \(before)") {
            daemon.workers.isEmpty && daemon.isCleared && daemon.descriptorCount <= before
        }
    }

    @Test func `the error without a running intentd names the next step`() throws {
        let status = try Command(Programs.intentctl, ["--socket", "/nonexistent/intentd.sock", "status"])
        #expect(status.exitCode() == 69)
        #expect(status.errors.contains("systemctl restart intentd.socket"))
    }
}
