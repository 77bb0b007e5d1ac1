import Foundation
import IntentClient
import IntentLinux
import TestSupport
import Testing
import intentctl

@Suite struct ScheduleTests {
    /// U+FFFF, U+FDD0 and U+1FFFE, which a literal cannot contain.
    private static let noncharacters = String(
        decoding: [0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90, 0xF0, 0x9F, 0xBF, 0xBE] as [UInt8],
        as: UTF8.self
    )

    private func schedule(_ name: String = "nightly") -> Schedule {
        var schedule = Schedule(
            name: name,
            calendar: "Mon..Fri 02:30 Europe/Berlin",
            app: "Archive",
            intent: "Compress",
            options: ["--limit=10min"],
            parameters: ["--file", "/srv/letters.txt"],
            program: "/usr/bin/intentctl"
        )
        schedule.user = "root"
        return schedule
    }

    private func request(
        _ words: String...,
        isRoot: Bool = true,
        socket: String? = nil
    ) throws(CommandFailure) -> ScheduleRequest {
        let line = (isRoot ? ["schedule", "add", "--as", "root"] : ["schedule", "add"]) + words
        return try ScheduleRequest(
            try InvocationParser.parse(line),
            isRoot: isRoot,
            socket: socket,
            program: "/usr/bin/intentctl"
        )
    }

    // MARK: Names and escaping

    @Test(arguments: ["a", "nightly-backup", "9.1_x", String(repeating: "n", count: 64)])
    func `a plain word is a name`(name: String) {
        #expect(Schedule.isName(name))
        #expect(Schedule.name(ofTimer: Schedule.timerUnit(of: name)) == name)
    }

    @Test(
        arguments: [
            "", ".", "-x", ".x", "a/b", "a@b", "a b", "ä", "a%n", "a\n", "a\\x2d", String(repeating: "n", count: 65),
        ]
    )
    func `a word that cannot be part of a unit's name is refused`(name: String) {
        #expect(!Schedule.isName(name))
        #expect(throws: CommandFailure.self) { try ScheduleFolder(path: "/nowhere").schedule(named: name) }
    }

    @Test(
        arguments: [
            ("plain", #""plain""#), ("", #""""#), (";", #"";""#), ("%n $HOME ${HOME}", #""%%n $$HOME $${HOME}""#),
            (#"a\"'"#, #""a\\\"'""#), ("a\r\nb\tc\u{7F}", #""a\x0d\x0ab\x09c\x7f""#), ("Süß 🍜", "\"Süß 🍜\""),
        ]
    )
    func `systemd expands nothing in a quoted word`(text: String, quoted: String) {
        #expect(UnitWord.quote(text) == quoted)
    }

    // MARK: Units

    @Test func `the service performs the intent as the user, with a key that names the schedule`() throws {
        let service = try #require(schedule().files.first { $0.name == "intent-schedule-nightly.service" })
        let lines = service.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("User=root"))
        #expect(
            lines.contains(
                #"ExecStart="/usr/bin/intentctl" "run" "--no-input" "--key" "schedule:nightly:${INVOCATION_ID}" "#
                    + #""--limit=10min" "Archive/Compress" "--file" "/srv/letters.txt""#
            )
        )
        #expect(
            lines.contains(
                #"ExecStopPost="-+/usr/bin/intentctl" "run" "--failed-start" "--key" "#
                    + #""schedule:nightly:${INVOCATION_ID}" "Archive/Compress""#
            )
        )
    }

    @Test(arguments: [
        ("exited", "77", "its user may not connect"), ("exited", "69", "intentd did not answer; systemd repeats"),
        ("exited", "217", "systemd could not start the unit (status 217)"), ("exited", "64", "status 64"),
        // A run existed, or may have existed.
        ("exited", "0", nil), ("exited", "1", nil), ("exited", "130", nil), ("killed", "KILL", nil),
        ("exited", "", nil),
    ])
    func `the end of a schedule's unit tells whether its start resulted in a run`(
        code: String,
        status: String,
        reason: String?
    ) {
        let failed = FailedStart { ["EXIT_CODE": code, "EXIT_STATUS": status][$0] }
        if let reason { #expect(failed?.message.contains(reason) == true) } else { #expect(failed == nil) }
        let monitored = FailedStart { ["MONITOR_EXIT_CODE": code, "MONITOR_EXIT_STATUS": status][$0] }
        #expect(monitored?.message == failed?.message)
    }

    @Test func `the service has only its user's groups, starts no other unit, and receives secrets as credentials`()
        throws
    {
        var schedule = schedule()
        schedule.socket = nil
        schedule.credentials = ["password": "/etc/50%", "api-key": "/etc/key"]
        let service = try #require(schedule.files.first { $0.name == "intent-schedule-nightly.service" })
        let lines = service.text.split(separator: "\n").map(String.init)
        #expect(!lines.contains { $0.hasPrefix("SupplementaryGroups=") || $0.hasPrefix("Wants=") })
        #expect(
            lines.contains("LoadCredential=password:/etc/50%%") && lines.contains("LoadCredential=api-key:/etc/key")
        )
        let line = try #require(lines.first { $0.hasPrefix("ExecStart=") })
        #expect(line.contains(#" "--credential=api-key" "--credential=password" "Archive/Compress" "#))
    }

    @Test(arguments: [
        "password", "password=secret", "password=/a b", "=/etc/key", "pass word=/etc/key", "p=/nowhere/at/all",
    ])
    func `a credential needs a parameter and the path of a readable file`(text: String) {
        #expect(throws: CommandFailure.self) { try request("--credential", text, "x", "daily", "Archive/Compress") }
    }

    @Test func `the times of day that daylight saving time skips are found`() throws {
        // 2026-11-29 12:00 UTC; the next change in Berlin is at 2027-03-28 02:00.
        let start = Timestamp(millisecondsSince1970: 1_795_953_600_000)
        let gap = try #require(SkippedStart.nextGap(in: "Europe/Berlin", after: start))
        #expect(gap == 1_806_199_200..<1_806_202_800)
        #expect(SkippedStart.nextGap(in: "UTC", after: start) == nil)
        #expect(SkippedStart.split("*-*-* 02:30 Europe/Berlin").zone == "Europe/Berlin")
        #expect(SkippedStart.split("Mon..Fri 02:30").zone == nil)
    }

    @Test(
        arguments: [
            (ScheduleOverlap.skip, "Unit=intent-schedule-nightly.service", String?.none),
            (.queue, "Unit=intent-schedule-nightly@overlap.service", "systemctl start --no-block"),
            (.cancel, "Unit=intent-schedule-nightly@overlap.service", "systemctl restart --no-block"),
        ]
    )
    func `the timer starts the unit of the overlap`(overlap: ScheduleOverlap, unit: String, command: String?) throws {
        var schedule = schedule()
        schedule.overlap = overlap
        let files = schedule.files
        #expect(files.last?.name == "intent-schedule-nightly.timer")
        #expect(try #require(files.last).text.contains("\n\(unit)\n"))
        #expect(files.map(\.name).allSatisfy(schedule.fileNames.contains))
        let start = files.first { $0.name == "intent-schedule-nightly@overlap.service" }
        #expect((start == nil) == (command == nil))
        if let command {
            #expect(start?.text.contains("\nExecStart=\(command) intent-schedule-nightly.service\n") == true)
        }
    }

    @Test(arguments: [(MissedStart.run, "Persistent=true"), (.skip, "Persistent=false")])
    func `the timer has the calendar, the jitter and the rule for missed starts`(missed: MissedStart, line: String)
        throws
    {
        var schedule = schedule()
        schedule.missed = missed
        schedule.jitterSeconds = 90
        let lines = try #require(schedule.files.last).text.split(separator: "\n")
        for expected in ["OnCalendar=Mon..Fri 02:30 Europe/Berlin", line, "RandomizedDelaySec=90"] {
            #expect(lines.contains(Substring(expected)))
        }
    }

    @Test func `every file contains the schedule, and no other text is accepted as a schedule`() throws {
        var schedule = schedule()
        schedule.parameters = ["--text", "a\nb\r\n%n \u{2028} \\"]
        schedule.overlap = .queue
        for file in schedule.files { #expect(Schedule(unitText: file.text) == schedule) }
        #expect(Schedule(unitText: "[Timer]\nOnCalendar=daily\n") == nil)
        #expect(Schedule(unitText: "# one\n# intentctl-schedule: {}\n") == nil)
    }

    /// systemd's own parser reads every word back. Tests/Systemd/schedules.sh starts such units.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "systemd is not here"))
    func `systemd-analyze accepts units with hostile values`() throws {
        let folder = TemporaryDirectory()
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "%", "$", "${HOME}", "%n", "\\", "\"", "'", ";", " ", "\n", "\r\n", "\t", "#", "\u{1}", "é",
            "=", "-",
        ]
        for number in 0..<20 {
            var schedule = schedule("hostile\(number)")
            schedule.parameters = (0..<6).map { _ in
                (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            // The executable must exist, because 'systemd-analyze verify' checks it.
            schedule.program = "/bin/true"
            schedule.overlap = .queue
            for file in schedule.files {
                try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(file.name)"))
            }
            let (text, isSuccess) = try ChildProcess.output(
                of: "/usr/bin/systemd-analyze",
                arguments: ["verify", "--man=no", "\(folder.path)/\(schedule.timerUnit)"]
            )
            let complaints = text.split(separator: "\n").filter { $0.contains("hostile") }
            #expect(isSuccess && complaints.isEmpty, "\(complaints) for \(schedule.parameters)")
        }
    }

    // MARK: Folder

    @Test func `a schedule is written, listed, replaced with another overlap, and removed completely`() throws {
        let directory = TemporaryDirectory()
        let folder = ScheduleFolder(path: "\(directory.path)/systemd/user")
        #expect(folder.names == [])
        var schedule = schedule()
        schedule.overlap = .cancel
        try folder.write(schedule)
        #expect(folder.names == ["nightly"])
        #expect(try folder.schedule(named: "nightly") == schedule)
        schedule.overlap = .skip
        try folder.write(schedule)
        let names = [".service", ".timer", "@failure.service"].map { "intent-schedule-nightly\($0)" }
        #expect(try File.names(in: folder.path) == names)
        try folder.remove(schedule)
        #expect(try File.names(in: folder.path) == [])
        let failure = #expect(throws: CommandFailure.self) { try folder.schedule(named: "nightly") }
        #expect(failure?.exitCode == .notFound)
    }

    @Test(arguments: ["intent-schedule-nightly.timer", "intent-schedule-nightly.service"])
    func `a file that the command did not write is neither replaced nor removed`(name: String) throws {
        let directory = TemporaryDirectory()
        let folder = ScheduleFolder(path: directory.path)
        let file = "\(folder.path)/\(name)"
        try Data("[Unit]\n".utf8).write(to: URL(fileURLWithPath: file))
        for attempt in [{ try folder.write($0) }, { try folder.remove($0) }] as [(Schedule) throws -> Void] {
            let failure = #expect(throws: CommandFailure.self) { try attempt(schedule()) }
            #expect(failure?.code == "foreignFile")
        }
        #expect(try File.text(at: file) == "[Unit]\n")
        #expect(folder.names == [])
    }

    // MARK: Command line

    @Test func `the words after the intent belong to it, and options of run are passed on`() throws {
        let request = try request(
            "--overlap",
            "queue",
            "--missed=skip",
            "--limit",
            "10min",
            "--yes=destructive",
            "--answer",
            "a=b",
            "--out=/srv/out",
            "--time-zone",
            "UTC",
            "--jitter",
            "15min",
            "nightly",
            "02:30",
            "Archive/Compress",
            "--file",
            "/x",
            "--overlap",
            "own"
        )
        let schedule = request.schedule
        #expect(schedule.parameters == ["--file", "/x", "--overlap", "own"])
        #expect(schedule.options == ["--limit=10min", "--out=/srv/out", "--answer=a=b", "--yes=destructive"])
        #expect(schedule.calendar == "02:30 UTC")
        #expect((schedule.overlap, schedule.missed, schedule.jitterSeconds) == (.queue, .skip, 900))
        #expect(schedule.user == "root")
    }

    @Test func `a user's schedule has no other user and uses the socket of the environment`() throws {
        let own = try request("n", "daily", "A/B", isRoot: false, socket: "/run/x.sock").schedule
        #expect((own.user, own.socket, own.isUsers) == (nil, "/run/x.sock", false))
        let users = try request("--user", "n", "daily", "A/B", isRoot: false, socket: "/run/x.sock").schedule
        #expect((users.socket, users.isUsers) == (nil, true))
        let failure = #expect(throws: CommandFailure.self) {
            try request("--as", "root", "n", "daily", "A/B", isRoot: false)
        }
        #expect(failure?.exitCode == .notPermitted)
    }

    @Test(
        arguments: [
            (["n", "daily"], "'schedule add' needs NAME CALENDAR APP/INTENT"),
            (["n", "daily", "Archive"], "expected APP/INTENT, got 'Archive'"),
            (["--out", "out", "n", "daily", "A/B"], "--out: expected an absolute path"),
            (["--jitter", "0s", "n", "daily", "A/B"], "--jitter: expected a time span of at least 1 s, got '0s'"),
            (["--as", "no such", "n", "daily", "A/B"], "--as: unknown user 'no such'"),
            (["--user", "n", "daily", "A/B"], "--user: root's schedules are system-wide"),
            (["a/b", "daily", "A/B"], "expected a name of at most"),
        ] as [([String], String)]
    )
    func `an invalid command line is refused with the next step`(_ words: [String], _ message: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try ScheduleRequest(
                try InvocationParser.parse(["schedule", "add", "--as", "root"] + words),
                isRoot: true,
                socket: nil,
                program: "/p"
            )
        }
        #expect(failure?.message.hasPrefix(message) == true)
        #expect(failure?.exitCode == .usage)
        #expect(failure?.hint?.isEmpty == false)
    }

    @Test(arguments: noncharacters.unicodeScalars.map { String($0) })
    func `a value that systemd cannot display is refused, and can be escaped in JSON`(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try request("n", "daily", "A/B", "--text", "x\(text)")
        }
        #expect(failure?.hint?.contains("--json") == true)
        #expect(try request("--json", #"{"text": "\uffff"}"#, "n", "daily", "A/B").schedule.options.count == 1)
    }

    // MARK: systemd's output

    @Test func `the next times are read from the output of several releases`() {
        let old = """
              Original form: daily
            Normalized form: *-*-* 00:00:00
                Next elapse: Tue 2026-11-24 01:30:00 UTC
                   From now: 9h left
                   Iter. #2: Wed 2026-11-25 01:30:00 UTC
            """
        #expect(SystemdTime.next(in: old).map(\.millisecondsSince1970) == [1_795_483_800_000, 1_795_570_200_000])
        #expect(SystemdTime.next(in: "Iteration #2: Tue 2026-11-24 01:30:00 UTC").count == 1)
        #expect(SystemdTime.next(in: "    Next elapse: never") == [])
        #expect(SystemdTime.parse("n/a") == nil)
    }

    @Test(
        arguments: [
            (["ActiveState": "failed", "ExecMainStatus": "66"], Int64?(66)),
            (["ActiveState": "activating", "SubState": "auto-restart", "ExecMainStatus": "69"], 69),
            (["ActiveState": "activating", "SubState": "start", "ExecMainStatus": "0"], nil),
            (["ActiveState": "inactive", "ExecMainStatus": "0"], nil),
        ] as [([String: String], Int64?)]
    )
    func `a start that led to no run is reported despite an earlier run`(_ state: [String: String], code: Int64?) {
        let service = state.merging(["InvocationID": "abc"]) { $1 }
        #expect(ScheduleState.refusal(service, keyOfLastRun: "schedule:nightly:earlier") == code)
        #expect(ScheduleState.refusal(service, keyOfLastRun: nil) == code)
        #expect(ScheduleState.refusal(service, keyOfLastRun: "schedule:nightly:abc") == nil)
        // After a boot, systemd has no record of a start.
        #expect(ScheduleState.refusal(state.merging(["InvocationID": ""]) { $1 }, keyOfLastRun: nil) == nil)
    }

    @Test func `the table shows when a schedule is stopped`() {
        let state = ScheduleState(schedule: schedule(), isActive: false, next: nil, lastRun: nil)
        let table = ScheduleText.table([state], now: Moment.now, showsUser: true)
        #expect(
            table.contains(
                "nightly  Archive/Compress  Mon..Fri 02:30 Europe/Berlin  stopped  -     -        -    skip     root"
            )
        )
        #expect(
            ScheduleText.details(state, folder: "/f").contains("--limit=10min Archive/Compress --file /srv/letters.txt")
        )
    }
}
