import IntentLinux

/// Runs a command line and returns its exit code.
enum Program {
    /// Checks that the threads of a command can start: two of libdispatch, one that connects and one that reads. Without
    /// them, intentctl would wait in silence (``DetachedThread/probe(_:)``).
    ///
    /// - Returns: The exit code if a thread cannot start, which has been reported; otherwise nil.
    static func checkThreads(_ arguments: [String]) -> ExitCode? {
        do throws(SystemError) {
            try DetachedThread.probe(4)
            return nil
        } catch {
            let wantsJSON = InvocationParser.wantsJSON(arguments.map { StreamSafeText.stabilize($0) })
            return report(CommandFailure(IntentClientError(noThread: error)), asJSON: wantsJSON)
        }
    }

    static func run(_ arguments: [String]) async -> ExitCode {
        var wantsJSON = InvocationParser.wantsJSON(arguments.map { StreamSafeText.stabilize($0) })
        do {
            if let problem = StreamSafeText.problem(in: arguments) { throw CommandFailure.usage(problem, hint: nil) }
            let invocation = try InvocationParser.parse(arguments)
            try invocation.checkBytes(of: arguments)
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
        case .local: return try await invocation.command.perform(invocation)
        case .one(let name):
            // The command serves the socket of the host itself, for as long as the page is served.
            if invocation.command == .web { return try WebCommand(invocation: invocation, host: name).perform() }
            let host = try RemoteHost(name, invocation)
            let code: ExitCode
            do {
                let perform = invocation.command.perform
                code = try await RemoteHost.$current.withValue(host) { try await perform(invocation) }
            } catch {
                _ = host.close(.failed)
                throw error
            }
            return host.close(code)
        case .several(let hosts):
            try invocation.checkBytes(of: arguments, severalHosts: true)
            return try FanOutCommand(invocation, arguments, hosts).perform()
        }
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

    /// - Parameters:
    ///   - given: The daemon on this host; nil for the daemon that the options select.
    ///   - software: What this program says that it is.
    func connect(
        to given: SocketLocation? = nil,
        software: String = Self.software
    ) async throws -> IntentConnection {
        let entryPoint: EntryPoint = command == .mcp ? .mcp : .commandLine
        if let host = RemoteHost.current {
            return try await IntentConnection.connect(
                software: software,
                entryPoint: entryPoint,
                interrupted: showNote,
                through: { () throws(IntentClientError) in try host.open() }
            )
        }
        return try await IntentConnection.connect(
            to: given ?? location,
            software: software,
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
