import Glibc
import IntentLauncherMessages
import IntentLinux
import Testing

@testable import IntentLauncher

/// Tests the launcher's connection to intentd, over a real socket.
@Suite(.timeLimit(.minutes(1))) struct SupervisorConnectionTests {
    private let parts: LauncherParts
    private let slot = SlotID(number: 1)

    init() throws { parts = try LauncherParts() }

    @Test func `commands that were sent before a disconnection are handled before it is reported`() throws {
        try parts.connect()
        try parts.send(.measure())
        try parts.send(.release(slot: slot))
        shutdown(parts.peer.rawValue, Int32(SHUT_RDWR))
        try parts.run(milliseconds: 200)
        #expect(parts.commands == [.measure(), .release(slot: slot)])
        #expect(parts.events.first == "connected")
        let losses = parts.events.filter { $0.hasPrefix("lost") }
        #expect(losses.count == 1)
        #expect(losses.first?.contains("lost the connection to intentd") == true)
    }

    @Test func `one pause is reported after commands that arrive together`() throws {
        try parts.connect()
        for _ in 0..<3 { try parts.send(.measure()) }
        try parts.run(milliseconds: 200)
        #expect(parts.commands.count == 3)
        #expect(parts.events == ["connected", "paused"])
    }

    @Test func `an invalid command ends the connection`() throws {
        try parts.connect()
        _ = try UnixSocket.send([1, 2, 3], on: parts.peer.rawValue)
        try parts.run(milliseconds: 200)
        #expect(parts.commands == [])
        #expect(parts.events.contains { $0.hasPrefix("lost") })
    }

    @Test func `a refusal is reported with a bounded message`() throws {
        try parts.connect()
        let app = try #require(AppName("Probe"))
        let request = LaunchRequest(slot: slot, app: app, mode: .once)
        parts.supervisor.refuse(request, String(repeating: "x", count: 5000))
        let failure = LaunchFailure(message: String(repeating: "x", count: 2000))
        #expect(try parts.reports() == [.launchFailed(slot: slot, failure)])
    }

    @Test func `reports to a disconnected intentd are dropped`() throws {
        try parts.connect()
        parts.supervisor.endConnection("test")
        parts.supervisor.send(.ended(slot: slot, SlotEnd(processEnd: .exited(code: 0), leftoverProcessCount: 0)))
        #expect(try parts.reports() == [])
    }
}
