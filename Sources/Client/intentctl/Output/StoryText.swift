import IntentLinux

/// Formats the record of a run as labelled lines, for `show` and `why`.
package enum StoryText {
    /// Formats the whole record of a run, for `show`.
    package static func show(_ story: RunStory, now: Timestamp) -> String {
        var lines = [title(story)]
        lines += rows(request(story, now: now) + parameters(story) + times(story) + cost(story) + result(story))
        lines += shown(story)
        lines.append("")
        lines.append("events:")
        lines += history(story)
        return SafeText.printed(lines.joined(separator: "\n"))
    }

    /// Returns the run's snippet, and the command that presses its controls.
    static func shown(_ story: RunStory) -> [String] {
        guard let snippet = story.snippet else { return [] }
        let lines = SnippetText.lines(snippet, columns: SnippetText.columnLimit - 2, .none)
        let instruction = SnippetDisplay.instruction(snippet, of: story.summary.run, at: .ofCommand)
        return ["", "snippet:"] + (lines + (instruction.map { [$0] } ?? [])).map { "  " + $0 }
    }

    static func title(_ story: RunStory) -> String {
        let run = story.summary
        return "run \(run.run): \(SafeText.line(run.app))/\(SafeText.line(run.intent))"
    }

    /// Formats rows with their labels in a column on the left.
    static func rows(_ rows: [(String, String)]) -> [String] {
        rows.map { label, text in
            "  " + label + String(repeating: " ", count: max(1, 11 - label.utf8.count)) + SafeText.line(text)
        }
    }

    static func request(_ story: RunStory, now: Timestamp) -> [(String, String)] {
        let run = story.summary
        let name = HistoryText.owner(of: run)
        let who = name == "\(run.user)" ? "user \(run.user)" : "\(name) (\(run.user))"
        let client = client(story.software)
        var rows = [
            (
                "requested",
                "\(Moment.local(run.accepted)) (\(Moment.relative(run.accepted, now: now))) by "
                    + "\(who), process \(story.process)\(client), \(entryPoint(run.entryPoint))"
            )
        ]
        if let key = story.key { rows.append(("key", key)) }
        if let predecessor = story.retryOf { rows.append(("retry of", predecessor.text)) }
        if let trace = story.traceparent { rows.append(("trace", trace)) }
        return rows
    }

    private static func entryPoint(_ entryPoint: EntryPoint) -> String {
        switch entryPoint {
        case .commandLine: "on the command line"
        case .mcp: "over MCP"
        case .http: "over HTTP"
        case .notification: "for [Notify]"
        case .socket: "over the socket"
        case .unknown(let word): "over \(SafeText.line(word))"
        }
    }

    private static func parameters(_ story: RunStory) -> [(String, String)] {
        let given = story.values.sorted { $0.key < $1.key }.map { name, value in
            "\(name) = \(JSONValue(plain: value).text())"
        }
        let secret = story.secretNames.map { "\($0) = (secret)" }
        return (given + secret).enumerated().map { ($0 == 0 ? "parameters" : "", $1) }
    }

    static func times(_ story: RunStory) -> [(String, String)] {
        let run = story.summary
        var rows: [(String, String)] = []
        if let queued = run.queued, queued >= .milliseconds(10) { rows.append(("waited", TimeSpan.format(queued))) }
        if let runtime = HistoryText.runtime(of: run), story.end != nil {
            rows.append(("ran", TimeSpan.format(runtime)))
        }
        if run.isImported == true { rows.append(("imported", "from another history")) }
        if let isolation = run.isolation { rows.append(("isolation", isolation.rawValue)) }
        return rows
    }

    static func cost(_ story: RunStory) -> [(String, String)] {
        var parts: [String] = []
        if let time = story.summary.usage?.processorTime { parts.append("\(TimeSpan.format(time)) of processor time") }
        if let peak = story.summary.usage?.peakMemoryByteCount {
            parts.append("\(ByteCountText.of(peak)) of memory at peak")
        }
        return parts.isEmpty ? [] : [("used", parts.joined(separator: ", "))]
    }

    private static func result(_ story: RunStory) -> [(String, String)] {
        guard let end = story.runEnd else {
            let state = ("state", story.summary.state?.rawValue ?? "unknown")
            guard story.summary.state == .asking, let question = story.lastQuestion?.text else { return [state] }
            return [
                state, ("asks", question),
                ("", "answer it: intentctl \(DaemonOptions.ofCommand.text)answer \(story.summary.run) VALUE"),
            ]
        }
        var rows = [("outcome", HistoryText.outcome(of: story.summary))]
        if let sentence = EndSentence.of(end, clocks: nil) { rows.append(("", sentence)) }
        if case .done(_, let dialog?) = end.outcome { rows.append(("dialog", dialog)) }
        if case .done(let value?, _) = end.outcome { rows.append(("value", JSONValue(plain: value).text())) }
        if let exit = end.account.processEnd { rows.append(("process", self.exit(exit))) }
        return rows
    }

    static func exit(_ exit: ProcessEnd) -> String {
        switch exit {
        case .exited(let code): "exited with code \(code)"
        // Omit the usual cause of SIGKILL, because another line reports a memory shortage.
        case .signaled(9): "killed by signal 9 (SIGKILL)"
        case .signaled(let signal):
            "killed by signal \(signal)" + (EndSentence.name(of: signal).map { " (\($0))" } ?? "")
        }
    }

    /// Returns one line for each change, with the time since acceptance.
    static func history(_ story: RunStory) -> [String] {
        var events: [(Duration, String)] = [(.zero, "accepted")]
        for change in story.changes { events.append((change.after, words(change.event, of: story.summary))) }
        if let end = story.end { events.append((end.after, "ended: \(HistoryText.outcome(of: story.summary))")) }
        if let after = story.exit?.after { events.append((after, "its last process exited")) }
        return events.sorted { $0.0 < $1.0 }.map { after, text in
            let time = "+" + offset(after)
            let indent = String(repeating: " ", count: max(0, 12 - time.utf8.count))
            return "  \(indent)\(time)  \(SafeText.line(text))"
        }
    }

    /// Describes the connections to a host, such as `api.example:443: 2 connections, 3 kB sent, 4 MB received`.
    ///
    /// Requests with an inserted credential follow: `credential github for GET /user`.
    static func use(of host: HostUse) -> String {
        var parts: [String] = []
        if host.connectionCount > 0 {
            parts.append("\(host.connectionCount) \(host.connectionCount == 1 ? "connection" : "connections")")
            parts.append(
                "\(ByteCountText.of(host.sentByteCount)) sent, \(ByteCountText.of(host.receivedByteCount)) received"
            )
        }
        if host.refusedCount > 0 {
            parts.append("refused \(host.refusedCount == 1 ? "once" : "\(host.refusedCount) times")")
        }
        if let credential = host.credential {
            parts.append("credential \(credential) for \(host.requests?.joined(separator: ", ") ?? "no request")")
        }
        if host.isShared == true { parts.append("several runs shared the sandbox") }
        return "\(host.host): \(parts.joined(separator: ", "))"
    }

    /// Formats a time since acceptance. Times below one minute include milliseconds.
    static func offset(_ span: Duration) -> String {
        guard span < .seconds(60) else { return TimeSpan.format(span) }
        let milliseconds = max(0, span.milliseconds)
        let thousandths = String(1000 + milliseconds % 1000).dropFirst(scalars: 1)
        return "\(milliseconds / 1000).\(thousandths) s"
    }

    static func words(_ event: RunChange, of run: RecordedRun) -> String {
        switch event {
        case .state(let state, let reason?, _): "\(state.rawValue): \(reason.name)"
        case .state(let state, nil, _): state.rawValue
        case .question(let question): "asked: \(question.text)"
        case .answer(let answer): words(answer, of: run)
        case .cancel(let caller):
            """
            cancelled by \(HistoryText.name(of: caller.user, in: run)) (process \(caller.process)\(client(caller.software)))
            """
        case .signal(let signal): "sent \(signal.rawValue)"
        case .observation(let seen): "observed: \(observation(seen))"
        case .usage(let sample): usage(sample)
        case .unknown(let word): word
        }
    }

    /// Describes an answer: `answered by ana (process 812, says "intentctl 1.0.0"): 3`.
    private static func words(_ answer: RecordedAnswer, of run: RecordedRun) -> String {
        let value = answer.value.map { ": \(JSONValue(plain: $0).text())" } ?? ""
        guard let user = answer.user.map({ HistoryText.name(of: $0, in: run) }) else { return "answered\(value)" }
        if answer.isInAdvance == true {
            let standing = answer.standing.map { ", with the standing approval of run \($0.run)" } ?? ""
            return "answered in advance by \(user)\(value)\(standing)"
        }
        return
            "answered by \(user) (process \(answer.process ?? 0)\(client(answer.software ?? "")))\(value)"
            + receipt(answer)
            + (answer.standing.map { ", for \(TimeSpan.format($0.remaining)) also for \($0.text)" } ?? "")
    }

    /// Returns the additional facts about an approval: ` over MCP, by the agent's own user, SHA-256 1f3c…`.
    static func receipt(_ answer: RecordedAnswer) -> String {
        guard let digest = answer.digest else { return "" }
        let through = answer.entryPoint.map { " \(entryPoint($0))" } ?? ""
        return through + (answer.isSameUser == true ? ", by the agent's own user" : "") + ", SHA-256 \(digest)"
    }

    private static func client(_ software: String) -> String {
        software.isEmpty ? "" : ", says \(SafeText.quoted(software))"
    }

    /// Describes the threads of a worker: `3 threads: Probe was waiting in futex_do_wait, used 12 ms; …`.
    static func observation(_ seen: WorkerObservation) -> String {
        let count = seen.threads.count + seen.omittedThreadCount
        let shown = seen.threads.prefix(4).map { thread in
            "\(thread.name) \(activity(of: thread)), used \(TimeSpan.format(thread.processorTime))"
        }
        let rest = count > shown.count ? "; and \(count - shown.count) more" : ""
        return "\(count) \(count == 1 ? "thread" : "threads"): " + shown.joined(separator: "; ") + rest
    }

    /// Describes a sample: `12 MiB in 2 processes, 340 ms of processor time`.
    private static func usage(_ sample: UsageSample) -> String {
        let count = sample.processCount
        return "\(ByteCountText.of(sample.memoryByteCount)) in \(count) \(count == 1 ? "process" : "processes"), "
            + "\(TimeSpan.format(sample.processorTime)) of processor time"
    }

    private static func activity(of thread: WorkerObservation.Thread) -> String {
        let channel = thread.waitChannel.map { " in \($0)" } ?? ""
        switch thread.state {
        case "R": return "was running"
        case "S": return "was waiting\(channel)"
        case "D": return "was waiting uninterruptibly\(channel)"
        case "T", "t": return "was stopped"
        case "Z": return "had exited"
        default: return "was in state \(thread.state)\(channel)"
        }
    }
}
