import IntentLinux

/// The state of a schedule, as systemd and intentd report it.
package struct ScheduleState: Sendable {
    package var schedule: Schedule
    /// False if the timer was stopped or disabled.
    package var isActive: Bool
    package var next: Timestamp?
    package var lastRun: RecordedRun?
    /// The exit code of the last start, if that start ended without a run.
    package var refusal: Int64?

    package init(
        schedule: Schedule,
        isActive: Bool,
        next: Timestamp?,
        lastRun: RecordedRun?,
        refusal: Int64? = nil
    ) {
        self.schedule = schedule
        self.isActive = isActive
        self.next = next
        self.lastRun = lastRun
        self.refusal = refusal
    }

    /// Returns the exit code of the service's last start if the start ended without a run. In that case, the invocation
    /// id of the start is not part of the last run's key.
    package static func refusal(_ service: [String: String], keyOfLastRun key: String?) -> Int64? {
        let hasEnded =
            ["failed", "inactive"].contains(service["ActiveState"]) || service["SubState"] == "auto-restart"
        guard hasEnded, let invocation = service["InvocationID"], !invocation.isEmpty,
            key?.contains(utf8: ":\(invocation)") != true,
            let code = service["ExecMainStatus"].flatMap(Int64.init), code != 0
        else { return nil }
        return code
    }

    /// The outcome of the last start; nil before the first start.
    var outcome: String? {
        refusal.map { "no run (exit code \($0))" } ?? lastRun.map(HistoryText.outcome)
    }

    package var document: JSONValue {
        .members([
            "name": .string(schedule.name),
            "app": .string(schedule.app),
            "intent": .string(schedule.intent),
            "options": .array(schedule.options.map(JSONValue.string)),
            "parameters": .array(schedule.parameters.map(JSONValue.string)),
            "calendar": .string(schedule.calendar),
            "overlap": .string(schedule.overlap.rawValue),
            "missed": .string(schedule.missed.rawValue),
            "jitterSeconds": schedule.jitterSeconds.map(JSONValue.int),
            "user": schedule.user.map(JSONValue.string),
            "isActive": .bool(isActive),
            "nextMilliseconds": (next?.millisecondsSince1970).map(JSONValue.int),
            "lastRun": lastRun.map { RunDocument.of($0) },
            "exitCodeWithoutRun": refusal.map(JSONValue.int),
        ])
    }
}

/// Formats schedules for users.
package enum ScheduleText {
    package static func table(_ states: [ScheduleState], now: Timestamp, showsUser: Bool) -> String {
        var header = ["NAME", "INTENT", "CALENDAR", "NEXT", "LAST", "OUTCOME", "RUN", "OVERLAP"]
        if showsUser { header.append("USER") }
        let rows = states.map { state in
            let schedule = state.schedule
            return [
                schedule.name, "\(schedule.app)/\(schedule.intent)", schedule.calendar, next(of: state),
                state.lastRun.map { Moment.relative($0.accepted, now: now) } ?? "-",
                state.outcome ?? "-", state.lastRun?.run.text ?? "-",
                schedule.overlap.rawValue,
            ] + (showsUser ? [schedule.user ?? "-"] : [])
        }
        return TextTable.render(header, rows)
    }

    package static func details(_ state: ScheduleState, folder: String) -> String {
        let schedule = state.schedule
        let command = (schedule.options + ["\(schedule.app)/\(schedule.intent)"] + schedule.parameters)
            .map(ShellWord.quote).joined(separator: " ")
        var rows: [(String, String)] = [
            ("name", schedule.name), ("run", command), ("calendar", schedule.calendar), ("next", next(of: state)),
        ]
        if let run = state.lastRun {
            rows.append(("last", "\(run.run.text)  \(Moment.zoned(run.accepted))  \(HistoryText.outcome(of: run))"))
        }
        if let outcome = state.outcome, state.refusal != nil {
            let user = schedule.user == nil ? "--user " : ""
            rows.append(("start", "\(outcome): 'journalctl \(user)-u \(schedule.serviceUnit)' shows the reason"))
        }
        rows += [("overlap", schedule.overlap.rawValue), ("missed", schedule.missed.rawValue)]
        if let seconds = schedule.jitterSeconds { rows.append(("jitter", TimeSpan.format(.seconds(seconds)))) }
        if let user = schedule.user { rows.append(("user", user)) }
        rows += schedule.files.map { ("file", "\(folder)/\($0.name)") }
        return rows.map { label, text in
            label + String(repeating: " ", count: 10 - label.scalarCount) + SafeText.line(text)
        }.joined(separator: "\n")
    }

    private static func next(of state: ScheduleState) -> String {
        state.isActive ? state.next.map(Moment.zoned) ?? "never" : "stopped"
    }
}
