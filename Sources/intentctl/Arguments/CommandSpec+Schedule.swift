/// The command about schedules.
extension CommandSpec {
    static let schedule = CommandSpec(
        name: .schedule,
        words: "add NAME CALENDAR APP/INTENT [--NAME VALUE]... | list | show NAME | run NAME | remove NAME...",
        wordCount: 1...1000,
        summary: "perform intents at given times, by systemd timers",
        options: [
            OptionSpec(
                "as",
                .value("USER"),
                default: "intentd-runs",
                "the owner of the runs; for root only"
            ),
            OptionSpec(
                "overlap",
                .word(ScheduleOverlap.allCases.map(\.rawValue)),
                default: "skip",
                "what a start does while the previous run has not ended"
            ),
            OptionSpec(
                "missed",
                .word(MissedStart.allCases.map(\.rawValue)),
                default: "run",
                "what becomes of a start that was missed while the host was off"
            ),
            OptionSpec("time-zone", .value("ZONE"), default: "the host's", "the zone of CALENDAR: Europe/Berlin, UTC"),
            OptionSpec("jitter", .value("TIME"), "delay each start by a random time up to TIME"),
            OptionSpec("replace", .flag, "replace the schedule of this name"),
            OptionSpec("json", .value("JSON"), "all parameters as one JSON object"),
            OptionSpec("out", .value("DIR"), "the folder for result files; existing files are kept"),
        ] + optionsOfRuns,
        notes: [
            "Options of intentctl go before NAME. Everything after APP/INTENT belongs to the intent, as for 'run'.",
            "CALENDAR: as systemd.time(7) describes it: 'Mon..Fri 02:30', hourly, '*-*-01 06:00'.",
            "",
            "add checks the calendar, the intent and its values, prints the next three times, and writes a timer and a",
            "service: for root to /etc/systemd/system, for other users to ~/.config/systemd/user. A user's timers run",
            "while the user's systemd does; 'loginctl enable-linger' makes it run always. Values are readable by every",
            "user, so secret parameters are refused; files are given by absolute paths and opened at each run.",
            "",
            "Overlap: skip drops the start; queue performs one more run afterwards, however many starts came due; cancel",
            "cancels the previous run, waits for its clean-up, and begins. A start that intentd could not accept (exit",
            "codes 69 and 75) is repeated each minute. Runs ask no questions.",
            "",
            "list shows the next start and the last outcome of each schedule, show everything about one, run starts one",
            "now, remove stops the timers and removes their files. A run that is in progress continues.",
            "'systemctl status intent-schedule-NAME.service' and 'journalctl -u intent-schedule-NAME.service' have the",
            "last exit code and the messages; each run's key is schedule:NAME:INVOCATION.",
        ]
    )

    /// Options of 'run' that a schedule passes on as they are.
    private static let optionsOfRuns = CommandSpec.named(.run).options.filter {
        ["limit", "ceiling", "writable", "answer", "yes"].contains($0.name)
    }
}
