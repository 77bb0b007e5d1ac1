/// The command for schedules.
extension CommandSpec {
    static let schedule = CommandSpec(
        name: "schedule",
        words: (
            "add NAME CALENDAR APP/INTENT [--NAME VALUE]... | list | show NAME | run NAME | remove NAME...",
            1...1000
        ),
        summary: "perform intents at given times, with systemd timers",
        reach: .thisHost,
        completes: ScheduleCommand.completes,
        perform: { try await ScheduleCommand($0).perform() },
        options: [
            OptionSpec("as", .value("USER"), default: "intentd-runs", "the owner of the runs; for root only"),
            OptionSpec(
                "overlap",
                .word(ScheduleOverlap.allCases.map(\.rawValue)),
                default: "skip",
                "what to do if the previous run has not ended"
            ),
            OptionSpec(
                "missed",
                .word(MissedStart.allCases.map(\.rawValue)),
                default: "run",
                "what to do about a start that was missed while the host was off"
            ),
            OptionSpec("time-zone", .value("ZONE"), default: "the host's", "the zone of CALENDAR: Europe/Berlin, UTC"),
            OptionSpec(
                "credential",
                .values("PARAMETER=PATH"),
                "a file with a secret value, which systemd reads at each start"
            ),
            OptionSpec("jitter", .value("TIME"), "delay each start by a random time up to TIME"),
            OptionSpec("replace", .flag, "replace an existing schedule with this name"),
            OptionSpec("json", .value("JSON"), "all parameters as one JSON object"),
            OptionSpec("out", .value("DIR"), "the folder for result files; existing files are kept"),
        ] + optionsOfRuns,
        notes: [
            "Write options of intentctl before NAME. Everything after APP/INTENT belongs to the intent, as for 'run'.",
            "CALENDAR is a calendar event of systemd.time(7): 'Mon..Fri 02:30', hourly, '*-*-01 06:00'.",
            "",
            "add checks the calendar, the intent and its values, prints the next three times, and writes a timer and a",
            "service: for root to /etc/systemd/system, for other users to ~/.config/systemd/user. A user's timers are",
            "active while the user's systemd runs; 'loginctl enable-linger' starts it at boot. Every user can read the",
            "values, so a secret parameter needs --credential, with a file that only its reader can read: for root's",
            "schedules, root. Files are specified by absolute paths and opened at each run. add names a start that daylight",
            "saving time skips: its time of day does not exist, and systemd starts no run instead.",
            "",
            "The user needs access at each start: membership in the group intentd, and permission for the intent. A start",
            "does not start intentd after its socket was stopped.",
            "",
            "Overlap: skip drops the start; queue performs one more run afterwards, even if several starts were due;",
            "cancel cancels the previous run, waits for its clean-up, and starts the new run. If intentd cannot accept",
            "a start (exit codes 69 and 75), the start is repeated every minute. Scheduled runs ask no questions.",
            "A start without a run counts as a failure for [Notify]. For root's schedules, that is also true if the user",
            "may not connect, and if no intentd answers: intentd then reports it when it starts.",
            "",
            "list shows the next start and the last outcome of each schedule, show prints one schedule in full, run",
            "starts a run of one schedule, and remove stops timers and removes their files. A live run continues.",
            "'systemctl status intent-schedule-NAME.service' and 'journalctl -u intent-schedule-NAME.service' show the",
            "last exit code and the messages. The key of each run is schedule:NAME:INVOCATION.",
        ]
    )

    /// The options of 'run' that a schedule passes on unchanged.
    private static let optionsOfRuns = run.options.filter {
        ["limit", "ceiling", "writable", "answer", "yes"].contains($0.name)
    }
}
