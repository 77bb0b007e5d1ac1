import IntentLinux

/// Runs a command line and returns its exit code.
enum Program {
    static func run(_ arguments: [String]) async -> ExitCode {
        var wantsJSON = InvocationParser.wantsJSON(arguments.map { StreamSafeText.stabilize($0) })
        do {
            if let problem = StreamSafeText.problem(in: arguments) { throw CommandFailure.usage(problem, hint: nil) }
            let invocation = try InvocationParser.parse(arguments)
            wantsJSON = invocation.wantsJSON
            return try await run(invocation, arguments)
        } catch {
            return report(CommandFailure(of: error), asJSON: wantsJSON)
        }
    }

    private static func run(_ invocation: Invocation, _ arguments: [String]) async throws -> ExitCode {
        try await DaemonOptions.$isFleet.withValue(invocation.has("fleet")) {
            try await run(invocation, arguments, on: HostSelection(invocation))
        }
    }

    private static func run(
        _ invocation: Invocation,
        _ arguments: [String],
        on hosts: HostSelection
    ) async throws -> ExitCode {
        switch hosts {
        case .local: return try await perform(invocation)
        case .one(let name):
            // Do not start ssh here, because intentd-web starts an ssh process for each open page.
            if invocation.command == .web { return try WebCommand(invocation: invocation, host: name).perform() }
            let host = try RemoteHost(name, invocation)
            let code: ExitCode
            do {
                code = try await RemoteHost.$current.withValue(host) { try await perform(invocation) }
            } catch {
                _ = host.close(.failed)
                throw error
            }
            return host.close(code)
        case .several(let hosts): return try FanOutCommand(invocation, arguments, hosts).perform()
        }
    }

    private static func perform(_ invocation: Invocation) async throws -> ExitCode {
        switch invocation.command {
        case .run: return try await RunCommand(invocation).perform()
        case .list: return try await ListCommand(invocation: invocation).perform()
        case .describe: return try await DescribeCommand(invocation: invocation).perform()
        case .options: return try await OptionsCommand(invocation: invocation).perform()
        case .ps: return try await PsCommand(invocation: invocation).perform()
        case .top: return try await TopCommand(invocation: invocation).perform()
        case .watch: return try await WatchCommand(invocation: invocation).perform()
        case .wait: return try await WaitCommand(invocation: invocation).perform()
        case .fetch: return try await FetchCommand(invocation: invocation).perform()
        case .undo: return try await UndoCommand(invocation: invocation).perform()
        case .press: return try await PressCommand(invocation: invocation).perform()
        case .retry: return try await RetryCommand(invocation: invocation).perform()
        case .schedule: return try await ScheduleCommand(invocation).perform()
        case .audit: return try await AuditCommand(invocation: invocation).perform()
        case .history: return try await HistoryCommand(invocation: invocation).perform()
        case .show: return try await ShowCommand(invocation: invocation).perform()
        case .why: return try await WhyCommand(invocation: invocation).perform()
        case .metrics: return try await MetricsCommand(invocation: invocation).perform()
        case .logs: return try await LogsCommand(invocation: invocation).perform()
        case .answer: return try await AnswerCommand(invocation: invocation).perform()
        case .cancel: return try await CancelCommand(invocation: invocation).perform()
        case .status: return try await StatusCommand(invocation: invocation).perform()
        case .doctor: return try await DoctorCommand(invocation: invocation).perform()
        case .reload: return try await ReloadCommand(invocation: invocation).perform()
        case .upgrade: return try await UpgradeCommand(invocation: invocation).perform()
        case .mcp: return try await MCPCommand(invocation: invocation).perform()
        case .fleet: return try FleetCommand(invocation: invocation).perform()
        case .relay: return try RelayCommand(invocation: invocation).perform()
        case .web: return try WebCommand(invocation: invocation).perform()
        case .completion: return try await CompletionCommand(invocation: invocation).perform()
        case .verify: return try await VerifyCommand(invocation: invocation).perform()
        case .new: return try await NewCommand(invocation: invocation).perform()
        case .locales: return try LocalesCommand(invocation: invocation).perform()
        case .help: return try help(invocation)
        case .version:
            try Console.output("intentctl \(IntentConnection.softwareVersion)")
            return .done
        }
    }

    private static func help(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
        let isManual = invocation.has("manual")
        guard let word = invocation.words.first else {
            try Console.output(isManual ? ManualPage.overview : HelpText.overview)
            return .done
        }
        let name = try CommandSpec.Name(word)
        try Console.output(isManual ? ManualPage.of(.named(name)) : HelpText.of(.named(name)))
        return .done
    }

    private static func report(_ failure: CommandFailure, asJSON: Bool) -> ExitCode {
        if asJSON {
            do throws(CommandFailure) {
                try Console.output(failure.document)
            } catch {
                Console.note(SafeText.printed("intentctl: \(error.message)"))
            }
        } else {
            let hint = failure.hint.map { "\n  \($0)" } ?? ""
            Console.note(SafeText.printed("intentctl: \(failure.message)\(hint)"))
        }
        return failure.exitCode
    }
}

extension CommandFailure {
    /// The failure as JSON: `{"error":{"code","message","hint"}}`.
    package var document: JSONValue {
        .object([
            "error": .members([
                "code": .string(code),
                "message": .string(message),
                "hint": hint.map(JSONValue.string),
            ])
        ])
    }
}

extension Invocation {
    /// The location of the daemon, according to the options.
    var location: SocketLocation {
        if has("fleet") { return Self.fleetLocation }
        if let path = self["socket"] { return .path(path) }
        return has("user") ? .user : .automatic
    }

    /// The socket of the fleet's service on this host.
    static var fleetLocation: SocketLocation {
        .path(environmentText("INTENTD_FLEET_SOCKET") ?? "/run/intentd-fleet/clients.sock")
    }

    /// Returns the run identifier in the first word.
    func run() throws(CommandFailure) -> RunID { try Self.run(words[0]) }

    static func run(_ text: String) throws(CommandFailure) -> RunID {
        guard let run = RunID(text) else {
            throw CommandFailure(
                .unknownRun,
                "unknown run '\(text)'",
                hint: "'intentctl history' lists the recorded runs"
            )
        }
        return run
    }

    /// - Parameter given: The daemon on this host; nil for the daemon that the options select.
    func connect(to given: SocketLocation? = nil) async throws -> IntentConnection {
        let entryPoint: EntryPoint = command == .mcp ? .mcp : .commandLine
        if let host = RemoteHost.current {
            return try await IntentConnection.connect(
                software: Self.software,
                entryPoint: entryPoint,
                interrupted: showNote,
                through: { () throws(IntentClientError) in try host.open() }
            )
        }
        return try await IntentConnection.connect(
            to: given ?? location,
            software: Self.software,
            entryPoint: entryPoint,
            interrupted: showNote
        )
    }

    @Sendable private func showNote(about interruption: ConnectionInterruption) {
        switch interruption {
        case .lost(let patience):
            Console.note("lost the connection to intentd; retrying for up to \(patience.components.seconds) s")
        case .regained: Console.note("reconnected to intentd")
        }
    }

    /// Returns the absolute path of this program.
    static func programPath() throws(CommandFailure) -> String {
        if let path = File.target(ofLink: "/proc/self/exe") { return path }
        throw CommandFailure(.unavailable, code: "system", "cannot read /proc/self/exe", hint: "mount /proc")
    }

    static let software = "intentctl \(IntentConnection.softwareVersion)"
}
