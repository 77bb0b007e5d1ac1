import Glibc
import IntentLinux

/// Implements `intentctl schedule`, which manages the systemd timers that perform intents.
struct ScheduleCommand {
    /// The action: the first word after `schedule`.
    enum Action: String, CaseIterable {
        case add
        case list
        case show
        case run
        case remove
    }

    private let invocation: Invocation
    private let action: Action
    private let systemd: SystemdControl
    private let folder: ScheduleFolder

    init(_ invocation: Invocation) throws(CommandFailure) {
        self.invocation = invocation
        guard let action = Action(rawValue: invocation.words[0]) else {
            let names = Action.allCases.map(\.rawValue)
            throw .usage(
                "expected \(names.joined(separator: ", ")), got '\(invocation.words[0])'",
                hint: NearestName.opening(for: invocation.words[0], among: names) + HelpText.pointer(.schedule)
            )
        }
        self.action = action
        systemd = try SystemdControl.current()
        folder = ScheduleFolder(path: systemd.folder)
    }

    func perform() async throws -> ExitCode {
        switch action {
        case .add: try await add()
        case .list:
            try checkWords(none: true)
            try await list()
        case .show: try await show(try named(only: true)[0])
        case .run: try start(try named(only: true)[0])
        case .remove: try remove(try named(only: false))
        }
        return .done
    }

    // MARK: add

    private func add() async throws {
        let request = try ScheduleRequest(
            invocation,
            isRoot: !systemd.isUsers,
            socket: environmentText("INTENTD_SOCKET"),
            program: try Invocation.programPath()
        )
        var schedule = request.schedule
        try folder.checkAuthor(of: schedule)
        let previous = try? folder.schedule(named: schedule.name)
        guard previous == nil || invocation.has("replace") else {
            throw CommandFailure.usage(
                "the schedule '\(schedule.name)' already exists",
                hint:
                    "add --replace, or choose another name; 'intentctl schedule show \(schedule.name)' shows it"
            )
        }
        let times = try SystemdControl.nextTimes(of: schedule.calendar)
        // systemd limits the length of a line to 1 MiB.
        guard schedule.files.allSatisfy({ $0.text.utf8.count < 1 << 20 }) else {
            throw CommandFailure(
                .tooLarge,
                "the values are too large for a systemd unit, in which a line has at most 1 MiB",
                hint: "pass large values as a file"
            )
        }
        let checked = try await EffectiveUser.perform(as: schedule.user) {
            let connection = try await invocation.connect()
            defer { connection.close() }
            return try await request.check(over: connection)
        }
        (schedule.app, schedule.intent) = (checked.app, checked.intent)
        // Check that systemd is reachable before writing any file.
        try systemd.systemctl("daemon-reload")
        do throws(CommandFailure) {
            try begin(schedule)
        } catch {
            // The files must match the schedule in effect. After a failure, restore the previous schedule, or remove
            // the files.
            try? folder.remove(schedule)
            if let previous { try? begin(previous) } else { _ = try? systemd.systemctl("daemon-reload") }
            throw error
        }
        for note in checked.notes { Console.note(note) }
        try report(schedule, times)
    }

    /// Writes the files and starts the timer. The timer ignores the missed starts of an earlier schedule with the same
    /// name.
    private func begin(_ schedule: Schedule) throws(CommandFailure) {
        stop(schedule)
        try folder.write(schedule)
        try systemd.systemctl("daemon-reload")
        try systemd.systemctl("enable", "--now", schedule.timerUnit)
    }

    private func report(_ schedule: Schedule, _ times: [Timestamp]) throws(CommandFailure) {
        let skipped = try SkippedStart.next(of: schedule.calendar)
        if invocation.wantsJSON {
            try Console.output(
                .members([
                    "name": .string(schedule.name), "files": files(of: schedule),
                    "nextMilliseconds": .array(times.map { .int($0.millisecondsSince1970) }),
                    "skipped": skipped.map { .string($0.time) },
                ])
            )
        } else {
            let owner = schedule.user.map { " as \($0)" } ?? ""
            try Console.output("'\(schedule.name)' performs \(schedule.app)/\(schedule.intent)\(owner) at:")
            for time in times { try Console.output("  \(Moment.zoned(time))") }
        }
        if let skipped { Console.note(skipped.note) }
        let user = Users.name(Users.own)
        if systemd.isUsers, access("/var/lib/systemd/linger/\(user)", F_OK) != 0 {
            Console.note("runs start only while you are logged in; run 'loginctl enable-linger' to change that")
        }
    }

    // MARK: list, show

    private func list() async throws {
        let schedules = try folder.names.map { (name) throws(CommandFailure) in try folder.schedule(named: name) }
        var states: [ScheduleState] = []
        for schedule in schedules { states.append(try await state(of: schedule)) }
        try invocation.output(
            json: .object(["schedules": .array(states.map(\.document))]),
            text: ScheduleText.table(states, now: Moment.now, showsUser: !systemd.isUsers)
        )
    }

    private func show(_ schedule: Schedule) async throws {
        let state = try await state(of: schedule)
        try invocation.output(
            json: state.document.adding(["files": files(of: schedule)]),
            text: ScheduleText.details(state, folder: folder.path)
        )
    }

    private func files(of schedule: Schedule) -> JSONValue {
        .array(schedule.files.map { .string("\(folder.path)/\($0.name)") })
    }

    private func state(of schedule: Schedule) async throws -> ScheduleState {
        let timer = try systemd.properties(of: schedule.timerUnit, ["ActiveState", "NextElapseUSecRealtime"])
        let service = try systemd.properties(
            of: schedule.serviceUnit,
            ["ActiveState", "SubState", "InvocationID", "ExecMainStatus"]
        )
        // While a run is in progress, systemd reports no next start, so the calendar determines it below.
        let next = timer["NextElapseUSecRealtime"].flatMap { SystemdTime.parse($0) }
        let last = await lastRun(of: schedule)
        return ScheduleState(
            schedule: schedule,
            isActive: timer["ActiveState"] == "active",
            next: next ?? (try? SystemdControl.nextTimes(of: schedule.calendar))?.first,
            lastRun: last?.run,
            refusal: ScheduleState.refusal(service, keyOfLastRun: last?.key)
        )
    }

    /// How many of the intent's newest runs to search for the schedule's last run.
    private static let searchedRunCount = 200

    /// Returns the newest run that has one of the schedule's keys. Returns nil if history contains no such run, or if
    /// the daemon does not answer.
    private func lastRun(of schedule: Schedule) async -> (run: RecordedRun, key: String)? {
        var query = HistoryQuery(app: schedule.app, intent: schedule.intent, count: Self.searchedRunCount)
        query.user = schedule.user.flatMap(Accounts.user)
        do {
            let location: SocketLocation =
                schedule.socket.map { .path($0) } ?? (schedule.isUsers ? .user : .system)
            let connection = try await IntentConnection.connect(to: location, software: Invocation.software)
            defer { connection.close() }
            for run in try await connection.history(query) {
                // Skip a run that history has pruned since the query.
                guard let key = (try? await connection.story(of: run.run))?.key else { continue }
                if key.hasPrefix(utf8: schedule.keyPrefix) { return (run, key) }
            }
        } catch {
            let reason = (error as? IntentClientError)?.message ?? "\(error)"
            Console.note(SafeText.line("\(schedule.name): cannot read the last outcome: \(reason)"))
        }
        return nil
    }

    // MARK: run, remove

    private func start(_ schedule: Schedule) throws {
        try systemd.systemctl("start", "--no-block", schedule.startUnit)
        if !invocation.wantsJSON {
            Console.note("started; 'intentctl schedule show \(schedule.name)' shows the outcome")
        }
    }

    private func remove(_ schedules: [Schedule]) throws {
        for schedule in schedules { try folder.checkAuthor(of: schedule) }
        for schedule in schedules {
            _ = try? systemd.systemctl("disable", schedule.timerUnit)
            stop(schedule)
            // Stop a service that is waiting to repeat a start. Do not stop it in other states, because that would end
            // a run.
            let service = try systemd.properties(of: schedule.serviceUnit, ["ActiveState", "SubState"])
            let isWaiting = service["SubState"] == "auto-restart"
            if isWaiting { try systemd.systemctl("stop", schedule.serviceUnit) }
            let isRunning = !isWaiting && !["inactive", "failed"].contains(service["ActiveState"])
            try folder.remove(schedule, keepingRunIn: isRunning ? systemd.runtimeFolder : nil)
        }
        try systemd.systemctl("daemon-reload")
        for schedule in schedules { _ = try? systemd.systemctl("reset-failed", schedule.serviceUnit) }
    }

    /// Stops the timer and any waiting start, but not a run. Ignores failures, because systemd may not have loaded the
    /// units.
    private func stop(_ schedule: Schedule) {
        _ = try? systemd.systemctl("stop", schedule.timerUnit)
        _ = try? systemd.systemctl("stop", schedule.overlapUnit)
        // Remove the stored time of the last start (Persistent=).
        _ = try? systemd.systemctl("clean", "--what=state", schedule.timerUnit)
    }

    // MARK: Words

    /// Returns what completes the word after the given words.
    @Sendable static func completes(_ given: [String]) -> Completion.Source? {
        guard let first = given.first else { return .words(Action.allCases.map(\.rawValue)) }
        switch Action(rawValue: first) {
        case .add: return given.count == 3 ? .data(.intents) : nil
        case .show, .run: return given.count == 1 ? .data(.schedules) : nil
        case .remove: return .data(.schedules)
        case .list, nil: return nil
        }
    }

    /// Returns the schedules with the names that follow the action.
    private func named(only isSingle: Bool) throws(CommandFailure) -> [Schedule] {
        try checkWords(none: false)
        let names = invocation.words.dropFirst()
        guard !isSingle || names.count == 1 else {
            throw .usage("unexpected argument '\(invocation.words[2])'", hint: HelpText.pointer(.schedule))
        }
        return try names.map { (name) throws(CommandFailure) in try folder.schedule(named: name) }
    }

    private func checkWords(none: Bool) throws(CommandFailure) {
        let hint = HelpText.pointer(.schedule)
        if none, invocation.words.count > 1 { throw .usage("unexpected argument '\(invocation.words[1])'", hint: hint) }
        if !none, invocation.words.count < 2 { throw .usage("'schedule \(action.rawValue)' needs NAME", hint: hint) }
        let given = CommandSpec.schedule.options.first { invocation.has($0.name) }
        if let given { throw .usage("--\(given.name) is an option of 'schedule add' only", hint: hint) }
    }
}
