import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The main program of `intentd`: parses the arguments, creates the supervisor and runs the event loop.
package enum SupervisorProgram {
    package static func run() -> Int32 {
        let arguments = CommandLineWords.read()
        if arguments.contains("--help") {
            print(SupervisorArguments.usage)
            return 0
        }
        if arguments.first == "--manual" { return printManual(arguments.dropFirst().first) }
        if let takeover = Takeover(parsing: arguments) { return takeover.isPossible ? 0 : 1 }
        let journal = Journal(identifier: "intentd")
        do {
            if let rest = arguments.droppingCheck { return try ConfigurationCheck(SupervisorArguments(rest)).run() }
            return try run(try SupervisorArguments(arguments), journal)
        } catch let error as UsageError {
            journal.write(.error, "\(error)\n\(SupervisorArguments.usage)")
            return 64
        } catch {
            journal.write(.error, "cannot start: \(error)")
            return 1
        }
    }

    private static func printManual(_ name: String?) -> Int32 {
        guard let manual = name.flatMap(SettingsManual.init) else {
            print("--manual: expected \(SettingsManual.allCases.map(\.rawValue).joined(separator: " or "))")
            return 64
        }
        print(manual.page)
        return 0
    }

    private static func run(_ arguments: SupervisorArguments, _ journal: Journal) throws -> Int32 {
        // Block these signals before another thread starts, because only the event loop may receive them.
        try ProcessFacts.block([SIGTERM, SIGINT, SIGPIPE])
        try ProcessFacts.forbidInspection()
        try ProcessFacts.raiseDescriptorLimit(to: 20_000)
        let loop = try EventLoop()
        let locks = try FolderLock.lock(arguments)
        for lock in locks { lock.keep(on: loop, journal: journal) }
        defer { withExtendedLifetime(locks) {} }
        let sockets = try ClientSockets(arguments.clients, journal)
        defer { sockets.close() }
        let launcher = try LauncherProcess(arguments)
        defer { launcher.end() }
        var options = SupervisorOptions(
            installation: arguments.installation,
            listeners: sockets.listeners,
            onlyClient: sockets.onlyClient,
            launcher: launcher.socket,
            launcherStays: launcher.isShared,
            operators: operators(arguments, journal),
            history: try historyOptions(arguments, journal),
            waitsForDebugger: arguments.waitsForDebugger,
            expectsRun: arguments.expectsRun,
            catalogFolder: arguments.catalogFolder,
            unit: sockets.onlyClient == nil ? .own : nil
        )
        options.socketPath = sockets.absolutePath
        let supervisor = try Supervisor(options, on: loop, journal: journal)
        try supervisor.assumeIsolated { try $0.start() }
        let code = try loop.run()
        let successor = supervisor.assumeIsolated { $0.finish() }
        if let successor {
            for socket in sockets.inherited { try FileDescriptor.setCloseOnExec(socket.rawValue, false) }
            throw ProcessFacts.become(successor, CommandLineWords.read())
        }
        return code
    }

    private static func operators(_ arguments: SupervisorArguments, _ journal: Journal) -> OperatorRule {
        guard let name = arguments.operatorGroup else { return .owner(user: getuid()) }
        if let group = Accounts.group(name) { return .members(of: group) }
        journal.write(
            .warning,
            "unknown group '\(name)': only root is an operator; create the group with systemd-sysusers"
        )
        return .rootAlone
    }

    private static func historyOptions(
        _ arguments: SupervisorArguments,
        _ journal: Journal
    ) throws -> History.Options? {
        if case .connected = arguments.clients { return nil }
        guard let path = arguments.historyPath else {
            throw UsageError("cannot determine the folder for the history: add --state FOLDER, or set HOME")
        }
        let settings = arguments.installation.daemon(on: .kernel).history
        return History.Options(path: path, settings)
    }

    /// The sockets for clients, and the socket of a private daemon's only client.
    private struct ClientSockets {
        var listeners: [SharedFileDescriptor] = []
        var onlyClient: SharedFileDescriptor?
        /// All sockets that systemd passed, including sockets that are not for clients.
        private(set) var inherited: [SharedFileDescriptor] = []
        /// The path of the socket file to remove on exit.
        private var ownPath: String?

        init(_ source: SupervisorArguments.ClientSource, _ journal: Journal) throws {
            switch source {
            case .activation(let fallbackPath):
                let passed = try SocketActivation.receiveSockets()
                inherited = passed.map(\.socket)
                for socket in passed {
                    guard let problem = socket.problem else { continue }
                    journal.write(.error, "ignored a socket from systemd: \(problem)")
                }
                listeners = passed.filter { $0.problem == nil }.map(\.socket)
                if inherited.isEmpty { try open(fallbackPath) }
                if listeners.isEmpty { throw NoClientSocket() }
            case .listen(let path): try open(path)
            case .connected(let descriptor, let path):
                onlyClient = SharedFileDescriptor(owning: descriptor)
                if let path { try open(path) }
            }
        }

        private mutating func open(_ path: String) throws {
            listeners = [try listen(at: path)]
            ownPath = path
        }

        /// The absolute path of the own socket file.
        var absolutePath: String? {
            ownPath.map { $0.hasPrefix(utf8: "/") ? $0 : "\(File.currentFolder ?? "")/\($0)" }
        }

        func close() {
            // Ignore a failure, because another process may have removed the file.
            if let ownPath { _ = unlink(ownPath) }
        }
    }

    private static func listen(at path: String) throws -> SharedFileDescriptor {
        if (try? UnixSocket.connect(.stream, to: path)) != nil {
            throw AlreadyServed(path: path)
        }
        return try SocketFile.listen(at: path)
    }

    private struct NoClientSocket: Error, CustomStringConvertible {
        var description: String { "systemd passed no socket for clients: check intentd.socket" }
    }

    private struct AlreadyServed: Error, CustomStringConvertible {
        var path: String

        var description: String { "another intentd listens on '\(path)': stop it, or choose another --socket" }
    }
}

extension [String] {
    /// The arguments without `--check`; nil if `--check` is not among the arguments.
    fileprivate var droppingCheck: [String]? { contains("--check") ? filter { $0 != "--check" } : nil }
}
