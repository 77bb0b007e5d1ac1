import Glibc
import IntentLinux

/// Explains on one screen how and why a run ended, for readers who have not read the manual.
package enum WhyText {
    /// - Parameters:
    ///   - output: The last lines of the run's output.
    ///   - steps: The steps of a shortcut.
    ///   - crash: Where the worker crashed; nil if it reported no crash.
    ///   - waitsFor: The limit that keeps the run in the backlog; nil if the run is not in the backlog.
    package static func of(
        _ story: RunStory,
        output: [String],
        steps: [String] = [],
        crash: SymbolizedCrash? = nil,
        waitsFor: String? = nil,
        now: Timestamp
    ) -> String {
        var lines = [StoryText.title(story), "  " + SafeText.line(verdict(story, waitsFor: waitsFor)), ""]
        var rows = (crash?.rows ?? []) + StoryText.request(story, now: now) + StoryText.times(story)
        rows += progress(story) + observation(story) + stopping(story) + left(story) + StoryText.cost(story)
        lines += StoryText.rows(rows)
        lines += StoryText.shown(story)
        if !steps.isEmpty { lines += ["", "steps:"] + steps }
        if !output.isEmpty {
            lines += ["", "last output:"]
            lines += output.map { "  | " + SafeText.line($0) }
        }
        if let advice = advice(story) { lines += ["", advice] }
        return SafeText.printed(lines.joined(separator: "\n"))
    }

    /// Returns the cause of the run's end, with the rule that applied.
    static func verdict(_ story: RunStory, waitsFor: String? = nil) -> String {
        guard let end = story.end else {
            if story.summary.state == .asking, let question = story.lastQuestion?.text {
                return "it has not ended and waits for an answer: \(question)"
            }
            if let waitsFor { return "it waits for a slot: \(waitsFor)" }
            return "it has not ended; its state is \(story.summary.state?.rawValue ?? "unknown")"
        }
        let (row, detail) = end.outcome.described
        switch detail {
        case .result: return row.verdict
        case .question(_, let question) where end.clock == .question:
            return "its question was not answered within \(TimeSpan.format(story.limits.questionTimeout)): \(question)"
        case .reason(.timeout): return "\(row.verdict): \(rule(story, end.event))"
        case .reason(let reason): return reason.row.verdict
        case .exit(let exit): return "\(row.verdict): its process \(StoryText.exit(exit)) without a result"
        case .message(let text), .question(_, let text): return "\(row.verdict): \(text)"
        }
    }

    private static func rule(_ story: RunStory, _ end: RecordedEnd) -> String {
        let limits = story.limits
        switch end.clock {
        case .silence:
            return "made no progress for \(TimeSpan.format(limits.runtime)) (Runtime=)"
        case .total:
            return "exceeded its \(TimeSpan.format(limits.runtime)) limit (Runtime=)"
        case .ceiling:
            return "reached its \(TimeSpan.format(limits.ceiling)) ceiling, which progress does not extend (Ceiling=)"
        // A ceiling that the caller requested replaces both of the operator's ceilings.
        case .longCeiling where limits.isCeilingRequested == true:
            return "reached its \(TimeSpan.format(limits.ceiling)) ceiling, which the caller requested (--ceiling)"
        case .longCeiling:
            return "reached its \(TimeSpan.format(limits.longCeiling)) ceiling (LongCeiling=)"
        case .start: return "did not begin within \(TimeSpan.format(limits.runtime)) (Runtime=)"
        case .queue, .question, nil: return "exceeded a time limit"
        }
    }

    private static func progress(_ story: RunStory) -> [(String, String)] {
        guard let end = story.end else { return [] }
        guard let progress = end.progress else {
            return story.traits.contains(.progressReporting) || story.traits.contains(.longRunning)
                ? [("progress", "none reported")] : []
        }
        var meter = ProgressMeter()
        meter.report(progress, at: .zero)
        let text = String(meter.plain.dropFirst(scalars: "progress: ".scalarCount))
        let advance = end.advanceAge.map { "; last advance \(TimeSpan.format($0)) before the end" } ?? ""
        return [("progress", text + advance)]
    }

    private static func observation(_ story: RunStory) -> [(String, String)] {
        story.changes.compactMap { change in
            guard case .observation(let seen) = change.event else { return nil }
            return ("observed", "after \(StoryText.offset(change.after)): \(StoryText.observation(seen))")
        }
    }

    /// Returns the steps that stopped the run, each with its time and the time until the next step or, for the last
    /// step, until all processes had exited.
    private static func stopping(_ story: RunStory) -> [(String, String)] {
        let steps: [(Duration, String)] = story.changes.compactMap { change in
            switch change.event {
            case .cancel: (change.after, StoryText.words(change.event, of: story.summary))
            case .state(.stopping, let reason, _):
                (change.after, "asked to stop (\(reason?.name ?? "ending"))" + cleaning(story))
            case .signal(let signal): (change.after, "sent \(signal.rawValue)")
            case .state, .question, .answer, .observation, .usage, .unknown: nil
            }
        }
        return steps.enumerated().map { index, step in
            let next = index + 1 < steps.count ? steps[index + 1].0 : story.exit?.after
            let took = next.map { "; \(TimeSpan.format($0 - step.0)) later" } ?? ""
            let outcome = took.isEmpty ? "" : took + (index + 1 < steps.count ? ":" : " all processes had exited")
            return (index == 0 ? "stopping" : "", "after \(StoryText.offset(step.0)): \(step.1)\(outcome)")
        }
    }

    /// Describes the time for clean-up. A run that had not begun needs no clean-up.
    private static func cleaning(_ story: RunStory) -> String {
        let hasBegun = story.changes.contains { if case .state(.running, _, _) = $0.event { true } else { false } }
        return hasBegun ? ", with \(TimeSpan.format(grace(story))) to clean up" : ", before it had begun"
    }

    private static func grace(_ story: RunStory) -> Duration {
        story.traits.contains(.cancellable) ? story.limits.graceCancellable : story.limits.grace
    }

    private static func left(_ story: RunStory) -> [(String, String)] {
        guard let account = story.runEnd?.account else { return [] }
        var rows: [(String, String)] = []
        if account.leftoverProcessCount > 0 {
            let noun = account.leftoverProcessCount == 1 ? "process" : "processes"
            rows.append(("leftover", "\(account.leftoverProcessCount) \(noun) that outlived it and were killed"))
        }
        if account.hadLateResult { rows.append(("late", "its result arrived after intentd had decided to stop it")) }
        // A worker that has reported its result exits with 0. The program of a command intent ended otherwise.
        if let exit = account.processEnd, exit != .exited(code: 0) {
            rows.append(("process", StoryText.exit(exit) + denial(exit)))
        }
        for (index, host) in (account.details?.hosts ?? []).enumerated() {
            rows.append((index == 0 ? "hosts" : "", SafeText.line(StoryText.use(of: host))))
        }
        if let denial = account.details?.denial { rows.append(("sandbox", SafeText.line(denial.explanation))) }
        return rows
    }

    /// Describes the system call for which the filter killed a process. The filter kills a process only for a call of
    /// another instruction set (seccomp(2)).
    private static func denial(_ exit: ProcessEnd) -> String {
        guard exit == .signaled(signal: SIGSYS) else { return "" }
        return ": a system call of another instruction set (32-bit, x32); "
            + "the kernel log contains its number (journalctl -k -g type=1326)"
    }

    /// Returns the user's next step, such as the setting to change if a limit was too short, or nil if it is unknown.
    static func advice(_ story: RunStory) -> String? {
        if story.end == nil, story.summary.state == .asking {
            let command = "intentctl \(DaemonOptions.ofCommand.text)answer \(story.summary.run)"
            return "'\(command)' shows the question. With a value, it answers the question."
        }
        guard let end = story.end else { return nil }
        let app = SafeText.line(story.summary.app)
        if let denial = end.account.details?.denial, denial.subject != .time { return denial.advice.map(SafeText.line) }
        let unit = "\(app).conf"
        func longer(_ span: Duration) -> String {
            let seconds = max(1, span.milliseconds * 2 / 1000)
            return seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
        }
        switch (end.outcome, end.clock) {
        case (.cancelled(.timeout), .silence):
            let time = longer(story.limits.runtime)
            return "If its steps take longer, use 'intentctl run --limit \(time) …', or set Runtime=\(time) in "
                + "[Limits] of \(unit)."
        case (.cancelled(.timeout), .total):
            let time = longer(story.limits.runtime)
            return "If it needs more time, use 'intentctl run --limit \(time) …', or set Runtime=\(time) in [Limits] "
                + "of \(unit). A ProgressReportingIntent can run for as long as its progress advances."
        case (.cancelled(.timeout), .ceiling):
            let time = longer(story.limits.ceiling)
            return "If it needs more time in total, use 'intentctl run --ceiling \(time) …', or set Ceiling=\(time) in "
                + "[Limits] of \(unit). LongCeiling= applies while a LongRunningIntent is in performBackgroundTask."
        case (.cancelled(.timeout), .longCeiling):
            let time = longer(story.limits.longCeiling)
            return story.limits.isCeilingRequested == true
                ? "If it needs more time in total, use --ceiling \(time), up to LongCeiling= in [Limits] of \(unit)."
                : "If it needs more time in total, set LongCeiling=\(time) in [Limits] of \(unit)."
        case (.busy, .queue):
            return
                "If it can wait longer, set QueueTimeout= in [Limits] of \(unit). For more slots, set MaxRuns= in intentd.conf."
        case (.crashed(.signaled(signal: SIGKILL)), _):
            return "intentd did not send this signal. The kernel sends it if the host runs out of memory, which "
                + "'journalctl -k -g \"Out of memory\"' shows."
        case (.exceeded(let limit), _): return "If it needs more, set \(limit.key) in [Sandbox] of \(unit)."
        case (.unanswered(let parameter?, _), _):
            return "Pass the value with --\(ParameterName.kebab(SafeText.line(parameter)))."
        default: return nil
        }
    }
}
