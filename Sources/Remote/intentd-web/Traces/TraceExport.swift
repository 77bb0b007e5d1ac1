import Glibc
import IntentCommandLine
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Sends the spans of ended runs to a collector (`intentd-web --traces`), as a client of intentd with the permissions of an
/// operator.
///
/// Use an instance only on the loop's thread.
final class TraceExport {
    private static let pause: Duration = .seconds(2)
    private static let longestPause: Duration = .seconds(300)
    private static let batchCount = 100
    private static let requestByteLimit = 4 << 20
    private static let answerByteLimit = 64 << 10
    private static let stateByteLimit = 4 << 20
    /// The statuses after which a request may be repeated (opentelemetry.io/docs/specs/otlp).
    private static let temporaryStatuses: Set = [429, 502, 503, 504]

    private let loop: EventLoop
    private let link: IntentdLink
    private let collector: String
    private let state: String
    private let sending: Background<Result<Int, FetchProblem>>
    private var cursor: TraceCursor
    private var savedCursor: TraceCursor?
    private var sources: [EventSource] = []
    private var timer: EventSource?
    private var failureCount = 0
    /// The runs of the request that is being sent.
    private var batch: [RunID] = []

    init(_ arguments: WebArguments, to collector: String) throws {
        self.collector = collector
        state = arguments.state
        loop = try EventLoop()
        sending = try Background()
        let socket = arguments.socket
        link = IntentdLink(Hello(software: "intentd-web \(Hello.softwareVersion), traces"), on: loop) {
            () throws(SystemError) in
            SharedFileDescriptor(try UnixSocket.connect(.stream, to: socket))
        }
        cursor = try Self.cursor(at: state)
    }

    private static func cursor(at path: String) throws -> TraceCursor {
        do {
            return try WireCoding.decodeFile(TraceCursor.self, from: File.bytes(at: path, limit: stateByteLimit))
        } catch let error as SystemError where error.code.isAbsence {
            return TraceCursor()
        }
    }

    /// Exports until a signal arrives.
    func run() throws -> Int32 {
        for number in [SIGTERM, SIGINT, SIGHUP] {
            sources.append(try loop.signal(number) { [weak self] in self?.loop.exit(0) })
        }
        sources.append(try loop.descriptor(sending.counter.rawValue, [.readable]) { [weak self] _ in self?.sent() })
        ServiceNotification.ready.send()
        look()
        return try loop.run()
    }

    // MARK: Reading

    /// Reads the runs that were accepted since the last look, and then which runs have not ended.
    private func look() {
        var query = HistoryQuery()
        query.everybody = true
        if cursor.mark == nil { query.count = 1 }
        read(query, []) { [weak self] runs in
            guard let self else { return }
            let lostCount = cursor.saw(runs)
            if lostCount > 0 {
                WebConsole.note("\(lostCount) runs are not exported: the collector was away for too long")
            }
            save()
            guard !cursor.isEmpty else { return wait(Self.pause) }
            var query = HistoryQuery()
            (query.everybody, query.state) = (true, "live")
            read(query, []) { [weak self] live in self?.export(live: Set(live.map(\.number))) }
        }
    }

    /// Reads the pages of an answer, as far as they are new.
    private func read(_ query: HistoryQuery, _ runs: [RecordedRun], then use: @escaping ([RecordedRun]) -> Void) {
        link.send(.history(query)) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success((.history(let page), _)):
                let mark = query.state == nil ? cursor.mark ?? 0 : 0
                let all = runs + page.runs.filter { $0.number > mark }
                let isLast = page.runs.contains { $0.number <= mark } || all.count >= TraceCursor.pendingLimit
                guard let next = page.next, !isLast, query.count == nil else { return use(all) }
                var rest = query
                rest.before = next
                read(rest, all, then: use)
            case .success: failed("intentd sent another answer than expected")
            case .failure(let error): failed("\(error.message)")
            }
        }
    }

    private func export(live: Set<Int64>) {
        let runs = cursor.ended(live: live, count: Self.batchCount)
        guard !runs.isEmpty else { return wait(Self.pause) }
        collect(runs[...], [], [])
    }

    /// Reads the stories of runs, until a request is full.
    private func collect(_ runs: ArraySlice<RunID>, _ done: [RunID], _ spans: [JSONValue], byteCount: Int = 0) {
        guard let run = runs.first, byteCount < Self.requestByteLimit else { return send(done, spans) }
        story(of: run) { [weak self] story in
            guard let self else { return }
            // A run that history does not have any more is left out.
            guard let story else { return collect(runs.dropFirst(), done + [run], spans, byteCount: byteCount) }
            let add = { [weak self] (retried: RunStory?) in
                let more = RunTrace.spans(of: story, retrying: retried)
                let count = more.reduce(0) { $0 + $1.text().utf8.count }
                self?.collect(runs.dropFirst(), done + [run], spans + more, byteCount: byteCount + count)
            }
            guard let earlier = story.retryOf else { return add(nil) }
            self.story(of: earlier, then: add)
        }
    }

    private func story(of run: RunID, then use: @escaping (RunStory?) -> Void) {
        link.send(.story(run: run.text)) { [weak self] result in
            switch result {
            case .success((.story(let story), _)): use(story)
            case .failure(let error) where error.code == .unknownRun: use(nil)
            case .success: self?.failed("intentd sent another answer than expected")
            case .failure(let error): self?.failed("\(error.message)")
            }
        }
    }

    // MARK: Sending

    private func send(_ runs: [RunID], _ spans: [JSONValue]) {
        batch = runs
        guard !spans.isEmpty else { return exported() }
        var name = utsname()
        _ = uname(&name)
        let host = withUnsafeBytes(of: &name.nodename) { String(foreign: $0.prefix { $0 != 0 }) }
        let body = Array(RunTrace.request(spans, host: host, version: Hello.softwareVersion).text().utf8)
        do throws(SystemError) {
            try sending.start { [collector] in
                do throws(FetchProblem) {
                    let limit = Self.answerByteLimit
                    return .success(
                        try HTTPRequest.send(to: collector, protocols: "http,https", body: body, limit: limit).status
                    )
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            failed("\(error)")
        }
    }

    private func sent() {
        for outcome in sending.removeOutcomes() {
            switch outcome {
            case .success(200..<300): exported()
            case .success(let status) where Self.temporaryStatuses.contains(status):
                failed("the collector answered with status \(status)")
            case .success(let status):
                WebConsole.note(
                    "the collector refused \(batch.count) runs with status \(status), continuing without them"
                )
                exported()
            case .failure(let problem): failed("\(problem)")
            }
        }
    }

    private func exported() {
        cursor.exported(batch)
        batch = []
        failureCount = 0
        save()
        look()
    }

    /// Tries again after a pause, which becomes longer with each failure.
    private func failed(_ reason: String) {
        if failureCount == 0 { WebConsole.note("cannot export traces, trying again: \(reason)") }
        failureCount += 1
        let factor = 1 << min(failureCount - 1, 10)
        wait(min(Self.pause * factor, Self.longestPause))
    }

    private func wait(_ pause: Duration) {
        do throws(SystemError) {
            let instant = ClockReading.monotonicNanoseconds() + pause.nanoseconds
            timer = try loop.timer(atNanoseconds: instant) { [weak self] in self?.look() }
        } catch {
            loop.exit(1)
        }
    }

    /// Replaces the file with the cursor.
    private func save() {
        guard cursor != savedCursor else { return }
        do throws(SystemError) {
            let new = state + ".new"
            let file = try File.open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, permissions: 0o600)
            try File.write(file.rawValue, WireCoding.encode(cursor)[...])
            try File.sync(file.rawValue)
            _ = try syscall("rename") { rename(new, state) }
            savedCursor = cursor
        } catch {
            WebConsole.note("cannot store how far traces are exported: \(error)")
        }
    }
}
