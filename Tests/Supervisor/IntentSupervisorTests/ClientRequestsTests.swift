import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// Requests of clients and answers of the history, over a real socket and without a supervisor.
@Suite(.timeLimit(.minutes(1))) struct ClientRequestsTests {
    /// One client, and the parts that serve it.
    private final class Scene {
        let parts: SupervisorParts
        private let requests: ClientRequests
        private let client: SharedFileDescriptor
        private var source: EventSource?
        private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
        private var messages: [ClientMessage] = []
        private(set) var hasEnded = false
        private let hasHistory: Bool
        /// Called when the history has been opened.
        private var begin: () -> Void = {}

        init(history: History? = nil, users: LocalUsers = LocalUsers()) throws {
            hasHistory = history != nil
            parts = try SupervisorParts(outlivesSupervisor: false, users: users)
            let (loop, journal, decisions) = (parts.loop, parts.journal, parts.decisions)
            let apps = AppDirectory(Installation(appFolders: [], user: nil), journal: journal)
            let recorder = Recorder(
                history,
                on: loop,
                journal: journal,
                decisions: decisions,
                clients: parts.clients,
                faults: FaultPoints()
            )
            let ending = Ending(
                of: nil,
                on: loop,
                journal: journal,
                decisions: decisions,
                launcher: parts.launcher,
                clients: parts.clients,
                leavesRuns: { false }
            )
            requests = ClientRequests(
                journal: journal,
                decisions: decisions,
                clients: parts.clients,
                apps: apps,
                files: try parts.files(),
                recorder: recorder,
                launcher: parts.launcher,
                workers: parts.workers,
                results: RunResults(
                    on: loop,
                    journal: journal,
                    decisions: decisions,
                    launcher: parts.launcher,
                    workers: parts.workers,
                    apps: apps
                ),
                upgrade: ProgramUpgrade(of: "/bin/false", on: loop, journal: journal, ending: ending),
                tickets: QuestionTickets(keptIn: nil, journal: journal)
            )
            let ends = try UnixSocket.Pair(.stream).shared()
            client = ends.second
            try client.setNonblocking()
            try parts.clients.start { [requests] event in
                if case .asked(let session, let request) = event { requests.serve(request, from: session) }
            }
            try recorder.start(
                perform: { _ in },
                reported: { [weak self] _ in self?.begin() },
                answered: { [requests] number, answer in requests.questions.answered(number, answer) },
                problemChanged: {}
            )
            try #require(parts.clients.add(ends.first) != nil)
        }

        /// Sends requests in one write. Returns this many of the received messages, or all messages until the
        /// connection is closed.
        func messages(for requests: [ClientRequest], count: Int) throws -> [ClientMessage] {
            let frames = try zip(1..., requests).map { number, request in
                try Frame.encode(
                    WireCoding.encode(NumberedRequest(id: UInt64(number), request)),
                    limit: Frame.clientPayloadLimit
                )
            }
            let bytes = Array(frames.joined())
            begin = { [weak self, client] in
                self?.begin = {}
                #expect(send(client.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
            }
            if !hasHistory { begin() }
            source = try parts.loop.descriptor(client, .readable) { [weak self] _ in self?.receive(count) }
            _ = try parts.loop.run()
            return messages
        }

        private func receive(_ count: Int) {
            do {
                switch try UnixSocket.receive(from: client.rawValue, upTo: 1 << 16, descriptorLimit: 0) {
                case .message(let bytes, _): decoder.append(bytes)
                case .end: hasEnded = true
                case .wouldBlock, .truncated: break
                }
                while let payload = try decoder.next() {
                    messages.append(try WireCoding.decode(ClientMessage.self, from: payload))
                }
            } catch {
                Issue.record("\(error)")
                hasEnded = true
            }
            if messages.count >= count || hasEnded { parts.loop.exit(0) }
        }
    }

    private static let hello = ClientRequest.hello(Hello(software: "a test"))

    private func refusal(_ message: ClientMessage?) -> ErrorReport? {
        guard case .answer(_, .refused(let report))? = message else { return nil }
        return report
    }

    @Test func `a request before hello is refused with the reason, and the connection is closed`() throws {
        let scene = try Scene()
        let messages = try scene.messages(for: [.status], count: 2)
        #expect(messages.count == 1)
        #expect(refusal(messages.first)?.message.contains("first message must be hello") == true)
        #expect(scene.hasEnded)
    }

    @Test func `the error for a client of another version names the program to update`() throws {
        let scene = try Scene()
        let messages = try scene.messages(for: [.hello(Hello(protocolVersion: 99, software: "a test"))], count: 2)
        #expect(refusal(messages.first)?.message.contains("update intentd") == true)
        #expect(scene.hasEnded)
    }

    @Test func `requests are passed to the run table in the order in which they were sent`() throws {
        let scene = try Scene()
        // The last request is answered without the run table, after the two requests that the run table decides.
        let messages = try scene.messages(
            for: [Self.hello, .runs, .cancel(run: "nonsense"), .story(run: "x")],
            count: 2
        )
        #expect(messages.count == 2)
        guard case .answer(1, .hello)? = messages.first else {
            Issue.record("\(messages)")
            return
        }
        let answers = scene.parts.actions.compactMap { action -> UInt64? in
            if case .answer(_, let id, _) = action { id } else { nil }
        }
        #expect(answers == [2, 3])
    }

    @Test(.enabled(if: getuid() == 0, "needs root, who is an operator"))
    func `an operator's status reports ids that two accounts share`() throws {
        let folder = TemporaryDirectory()
        let ranges = try File.open(folder("subuid"), O_WRONLY | O_CREAT)
        try File.write(ranges.rawValue, Array("1000:100000:10\n1001:100005:10\n".utf8)[...])
        let users = LocalUsers(at: folder("subuid"), nameServices: folder("nsswitch.conf"))
        let scene = try Scene(users: users)
        // The last request is answered without the run table.
        _ = try scene.messages(for: [Self.hello, .status, .story(run: "x")], count: 2)
        let problems = scene.parts.actions.lazy.compactMap { action -> [ServiceProblem]? in
            if case .answer(_, id: 2, .status(let status)) = action { status.problems } else { nil }
        }.first
        #expect(problems?.contains { $0.message.contains("overlap") && $0.hint != nil } == true, "\(problems ?? [])")
    }

    @Test func `without a history, queries to it are refused with the next step`() throws {
        let scene = try Scene()
        let messages = try scene.messages(for: [Self.hello, .history(HistoryQuery())], count: 2)
        #expect(refusal(messages.last)?.code == .historyUnavailable)
        #expect(refusal(messages.last)?.hint?.isEmpty == false)
    }

    @Test func `history answers a page, and names a run that it does not have`() throws {
        let folder = TemporaryDirectory()
        let history = try History(History.Options(path: folder("history.sqlite"), durability: .process))
        defer { history.finish(within: .seconds(3)) }
        let scene = try Scene(history: history)
        let missing = Sample.run(7).text
        let messages = try scene.messages(
            for: [Self.hello, .history(HistoryQuery()), .story(run: missing), .logs(run: "nonsense", after: 0)],
            count: 4
        )
        let byNumber = Dictionary(
            messages.compactMap { message -> (UInt64, ClientMessage)? in
                if case .answer(let id?, _) = message { (id, message) } else { nil }
            },
            uniquingKeysWith: { first, _ in first }
        )
        guard case .answer(_, .history(let page))? = byNumber[2] else {
            Issue.record("\(messages)")
            return
        }
        #expect(page.runs.isEmpty)
        #expect(refusal(byNumber[3])?.code == .unknownRun)
        #expect(refusal(byNumber[3])?.message.contains(missing) == true)
        #expect(refusal(byNumber[4])?.code == .unknownRun)
    }

    @Test(.enabled(if: getuid() == 0, "needs root, who is an operator"))
    func `an intentd with a child launcher is not upgraded, and continues to serve`() throws {
        let scene = try Scene()
        let messages = try scene.messages(for: [Self.hello, .upgrade, .metrics], count: 3)
        #expect(messages.count == 3)
        #expect(refusal(messages[1])?.code == .notUpgraded)
        guard case .answer(3, .metrics(let text))? = messages.last else {
            Issue.record("\(messages)")
            return
        }
        #expect(text.contains("intentd_clients 1"))
    }
}
