import IntentLauncherMessages
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// The check of a new program before an upgrade, with real programs and without a supervisor.
@Suite(.ownThread, .timeLimit(.minutes(1))) struct ProgramUpgradeTests {
    /// One client that requests an upgrade.
    private final class Scene {
        private let parts: SupervisorParts
        private let ending: Ending
        private let client: SharedFileDescriptor
        private var source: EventSource?
        private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
        private(set) var refusal: ErrorReport?
        var successor: String? { ending.successor }

        init(program: String, loss: String? = nil) throws {
            parts = try SupervisorParts()
            let (loop, journal) = (parts.loop, parts.journal)
            ending = Ending(
                of: nil,
                on: loop,
                journal: journal,
                decisions: parts.decisions,
                launcher: parts.launcher,
                clients: parts.clients,
                leavesRuns: { loss == nil }
            )
            let upgrade = ProgramUpgrade(of: program, on: loop, journal: journal, ending: ending)
            let ends = try UnixSocket.Pair(.stream).shared()
            client = ends.second
            try client.setNonblocking()
            try parts.clients.start { event in
                if case .asked(let session, _) = event { upgrade.begin(for: session, 1, loss: loss) }
            }
            try #require(parts.clients.add(ends.first) != nil)
            source = try loop.descriptor(client, .readable) { [weak self] _ in self?.receive() }
        }

        /// Sends a request, and runs the loop until the upgrade is refused or the loop exits for the next program.
        func run() throws {
            let request = NumberedRequest(id: 1, .status)
            let frame = try Frame.encode(WireCoding.encode(request), limit: Frame.clientPayloadLimit)
            _ = try UnixSocket.send(frame[...], on: client.rawValue)
            _ = try parts.loop.run()
        }

        private func receive() {
            let received = try? UnixSocket.receive(from: client.rawValue, upTo: 1 << 16, descriptorLimit: 0)
            guard case .message(let bytes, _)? = received else { return }
            decoder.append(bytes)
            while let payload = try? decoder.next() {
                let message = try? WireCoding.decode(ClientMessage.self, from: payload)
                guard case .answer(_, .refused(let report))? = message else { continue }
                refusal = report
                parts.loop.exit(0)
            }
        }
    }

    @Test func `a program that accepts the versions replaces this one`() throws {
        let scene = try Scene(program: "/bin/true")
        try scene.run()
        #expect(scene.successor == "/bin/true")
        #expect(scene.refusal == nil)
    }

    @Test(arguments: ["exit 1", "kill -9 $$", nil])
    func `a program that refuses, crashes or does not exist changes nothing`(_ commands: String?) throws {
        let folder = TemporaryDirectory()
        let path = folder("intentd")
        if let commands { try Script.write(commands, at: path) }
        let scene = try Scene(program: path)
        try scene.run()
        #expect(scene.successor == nil)
        let refusal = try #require(scene.refusal)
        #expect(refusal.code == .notUpgraded)
        #expect(refusal.message.contains("was not upgraded"))
        #expect(refusal.message.contains(path))
        #expect(refusal.hint != nil)
    }

    @Test func `runs that would end with this program are a reason to refuse`() throws {
        let scene = try Scene(program: "/bin/true", loss: "it has no memory for notes")
        try scene.run()
        #expect(scene.successor == nil)
        #expect(scene.refusal?.message.contains("its runs would end, because it has no memory for notes") == true)
    }
}
