import Glibc
package import IntentClient

/// Why a run ended as it did, on one screen, for somebody who has not read the manual.
package enum WhyText {
    /// - Parameters:
    ///   - output: The last lines that it printed.
    package static func of(_ story: RunStory, output: [String], now: Timestamp) -> String {
        var lines = [StoryText.title(story), "  " + SafeText.line(verdict(story)), ""]
        var rows = StoryText.asked(story, now: now) + StoryText.times(story)
        rows += progress(story) + observation(story) + stopping(story) + left(story) + StoryText.cost(story)
        lines += StoryText.rows(rows)
        if !output.isEmpty {
            lines += ["", "the last that it printed:"]
            lines += output.map { "  | " + SafeText.line($0) }
        }
        if let advice = advice(story) { lines += ["", advice] }
        return SafeText.printed(lines.joined(separator: "\n"))
    }

    /// What ended it, and by which rule.
    static func verdict(_ story: RunStory) -> String {
        guard let end = story.end else {
            if story.summary.state == .asking, let question = StoryText.openQuestion(story) {
                return "it has not ended: it waits for an answer: \(question)"
            }
            return "it has not ended: it is \(story.summary.state?.rawValue ?? "under way")"
        }
        switch end.outcome {
        case .done: return "it is done"
        case .failed(let message): return "the intent itself failed: \(message)"
        case .unanswered(_, let question):
            return end.clock == .question
                ? "its question stayed unanswered for \(TimeSpan.format(story.limits.questionTimeout)): \(question)"
                : "it needs a value that nobody gave: \(question)"
        case .cancelled(.timeout): return "cancelled: \(rule(story, end))"
        case .cancelled(.userCancelled): return "cancelled: somebody asked for it"
        case .cancelled(.serviceStopping): return "cancelled: intentd was stopped"
        case .cancelled(.clientDisconnected):
            return "cancelled: the client that had asked for it went away (--on-disconnect continue lets runs go on)"
        case .cancelled(.unknown(let name)): return "cancelled: \(name)"
        case .crashed(let exit): return "it crashed: its process \(StoryText.exit(exit)), without a result"
        case .exceeded(let limit): return "a limit of the sandbox ended it: \(limit.message)"
        case .violated(let message): return "intentd ended it, because it broke the protocol of workers: \(message)"
        case .notStarted(let message): return "its process could not be started: \(message)"
        case .busy(let message): return "it never started: \(message)"
        case .lost(let message): return "it was lost: \(message)"
        }
    }

    private static func rule(_ story: RunStory, _ end: RecordedOutcome) -> String {
        let limits = story.limits
        switch end.clock {
        case .silence:
            return "for \(TimeSpan.format(limits.runtime)) its progress did not advance, which is its limit (Runtime=)"
        case .total:
            return "it was not done within \(TimeSpan.format(limits.runtime)), which is its limit in all (Runtime=)"
        case .ceiling:
            return "it reached \(TimeSpan.format(limits.ceiling)), which no progress can extend (Ceiling=)"
        case .longCeiling:
            return "it reached \(TimeSpan.format(limits.longCeiling)), which nothing can extend (LongCeiling=)"
        case .start: return "it had not begun within \(TimeSpan.format(limits.runtime)) (Runtime=)"
        case .queue, .question, nil: return "its time was over"
        }
    }

    private static func progress(_ story: RunStory) -> [(String, String)] {
        guard let end = story.end else { return [] }
        guard let progress = end.progress else {
            return story.traits.contains(.progressReporting) || story.traits.contains(.longRunning)
                ? [("progress", "it reported none")] : []
        }
        var meter = ProgressMeter()
        meter.report(progress, at: .zero)
        let text = meter.plain.trimmingPrefix("progress: ")
        let advance = end.advanceAge.map { "; it advanced last \(TimeSpan.format($0)) before the end" } ?? ""
        return [("progress", text + advance)]
    }

    private static func observation(_ story: RunStory) -> [(String, String)] {
        story.changes.compactMap { change in
            guard case .observation(let seen) = change.event else { return nil }
            return ("seen", "after \(StoryText.offset(change.after)): \(StoryText.observation(seen))")
        }
    }

    /// What it was told and sent, when, and how long each took to work.
    private static func stopping(_ story: RunStory) -> [(String, String)] {
        let steps: [(Duration, String)] = story.changes.compactMap { change in
            switch change.event {
            case .cancel: (change.after, StoryText.words(change.event))
            case .state(.stopping, let reason, _):
                (change.after, "told to stop (\(reason?.name ?? "ending"))" + cleaning(story))
            case .signal(let signal): (change.after, "sent \(signal.rawValue)")
            case .state, .question, .answer, .observation: nil
            }
        }
        return steps.enumerated().map { index, step in
            let next = index + 1 < steps.count ? steps[index + 1].0 : story.departure?.after
            let took = next.map { ", and \(TimeSpan.format($0 - step.0)) later" } ?? ""
            let outcome = took.isEmpty ? "" : took + (index + 1 < steps.count ? ":" : " nothing was left")
            return (index == 0 ? "stopping" : "", "after \(StoryText.offset(step.0)): \(step.1)\(outcome)")
        }
    }

    /// One that had not begun has nothing to clean up.
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
            rows.append(("left", "\(account.leftoverProcessCount) \(noun) that it had started, and that were killed"))
        }
        if account.hadLateResult { rows.append(("late", "its result came after the word to stop, and does not count")) }
        if let exit = account.processEnd { rows.append(("process", StoryText.exit(exit) + denial(exit))) }
        if let denial = account.details?.denial { rows.append(("sandbox", sentence(denial))) }
        return rows
    }

    /// What the end of a process tells of the filter of system calls: it ends nobody for anything else (seccomp(2)).
    private static func denial(_ exit: ProcessEnd) -> String {
        guard exit == .signaled(signal: 31) else { return "" }
        return ": one of another instruction set (32-bit, x32); "
            + "the kernel's log has its number (journalctl -k -g type=1326)"
    }

    /// What its sandbox had to do with the error that it threw.
    static func sentence(_ denial: SandboxDenial) -> String {
        let name = denial.errorNumber.map { " (\(String(cString: strerror($0))))" } ?? ""
        let path = denial.path ?? "something"
        return switch denial.subject {
        case .reading: "it wanted to read \(path), which is not in its sandbox\(name)"
        case .writing: "it wanted to write to \(path), which its sandbox does not allow\(name)"
        case .program: "it wanted to start \(path), which its sandbox does not allow\(name)"
        case .network where denial.key.hasPrefix("Network"):
            "it wanted to reach the network, and its sandbox has none\(name)"
        case .network: "it wanted to reach a port that its sandbox does not allow\(name)"
        case .call: "a system call was refused\(name), as the sandbox does with what is not granted"
        }
    }

    /// What to change, where the limit may have been too short.
    static func advice(_ story: RunStory) -> String? {
        if story.end == nil, story.summary.state == .asking {
            return "'intentctl answer \(story.summary.run)' shows the question, and answers it with a value."
        }
        guard let end = story.end else { return nil }
        let app = SafeText.line(story.summary.app)
        let unit = "\(app).conf"
        func longer(_ span: Duration) -> String {
            let seconds = max(1, span.milliseconds * 2 / 1000)
            return seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
        }
        switch (end.outcome, end.clock) {
        case (.cancelled(.timeout), .silence):
            let time = longer(story.limits.runtime)
            return "If it needs longer between two steps: 'intentctl run --limit \(time) …', or Runtime=\(time) in "
                + "[Limits] of \(unit)."
        case (.cancelled(.timeout), .total):
            let time = longer(story.limits.runtime)
            return "If it needs longer: 'intentctl run --limit \(time) …', or Runtime=\(time) in [Limits] of \(unit). "
                + "An intent that conforms to ProgressReportingIntent may run on as long as its progress advances."
        case (.cancelled(.timeout), .ceiling):
            let time = longer(story.limits.ceiling)
            return "If it needs longer in all: 'intentctl run --ceiling \(time) …', or Ceiling=\(time) in [Limits] of "
                + "\(unit). A LongRunningIntent has LongCeiling= inside performBackgroundTask."
        case (.busy, _):
            return
                "If it may wait longer: QueueTimeout= in [Limits] of \(unit); for more places: MaxRuns= and the like."
        case (.failed, _):
            return (end.details?.denial).map { "If it may: \(SafeText.line($0.key)) in [Sandbox] of \(unit)." }
        case (.exceeded(let limit), _): return "If it needs more: \(limit.key) in [Sandbox] of \(unit)."
        case (.unanswered(let parameter?, _), _):
            return "Give the value with --\(ParameterName.kebab(SafeText.line(parameter)))."
        default: return nil
        }
    }
}
