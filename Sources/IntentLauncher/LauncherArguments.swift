import Glibc
import IntentConfiguration
import IntentLinux
import IntentWire

/// The launcher's command line.
struct LauncherArguments {
    /// The socket through which `intentd` commands the launcher.
    enum SupervisorSocket {
        /// A socket from systemd. Its mode restricts who may connect.
        case handed
        /// The launcher listens at this path, and serves one `intentd` at a time.
        case listen(path: String)
        /// A connected socket: the launcher quits when the connection ends.
        case connected(descriptor: Int32)

        /// The grade required of apps without `Require=`.
        var standardGrade: IsolationGrade {
            switch self {
            case .listen, .handed: .full
            // Developers try an app: running it with the isolation of their machine is better than refusing it.
            case .connected: .reduced
            }
        }

        /// True when intentd runs as another user.
        var sharesResults: Bool {
            switch self {
            case .listen, .connected: false
            case .handed: true
            }
        }
    }

    var supervisorSocket: SupervisorSocket
    /// The folder that contains the directories of runs.
    var cacheFolder: String
    /// The folder that holds the state folders of apps; nil: apps have no state.
    var stateFolder: String?
    /// The grade required of apps without `Require=`; nil: the default for this kind of launcher.
    var requiredGrade: IsolationGrade?
    var installation: Installation
    /// The ids that intentd-starter mapped, or why it could not map any; nil when another program started the launcher.
    var ids: Result<HostIDs, UsageError>?
    /// The descriptor with the state of the replaced program.
    var resumedDescriptor: Int32?

    static let usage = """
        usage: intentd-launcher [--listen PATH | --connection FD] --cache FOLDER
                                [--state FOLDER] [--require full|reduced|none]
                                [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--configuration FOLDER]
                                [--app EXECUTABLE|FILE.intents]
        intentd starts it, or systemd as intentd-workers.service. Without --listen and --connection it uses the
        socket that systemd passes.
        """

    /// The first argument of a launcher that only tests whether it can start in a sandbox.
    static let trial = "--trial"
    /// Precedes the version of a state. The program exits with 0 if it can take over a state of that version.
    static let takesOver = "--takes-over"
    /// Precedes the descriptor of the state to take over.
    static let resume = "--resume"

    /// Precedes the range of ids that intentd-starter mapped.
    static let idRange = "--ids"
    /// Precedes the reason why intentd-starter mapped no ids.
    static let noIDs = "--no-ids"
    /// Precedes the arguments of a launcher that only prints the configured range of ids.
    static let tellsIDRange = "--id-range"

    /// The state folder of a private daemon (XDG Base Directory Specification).
    private static var ownStateFolder: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
        return base.map { "\($0)/intentd/apps" }
    }

    init(_ arguments: [String]) throws(UsageError) {
        // intentd checks the owners of the files, and requests no app that it refuses.
        installation = .system(user: nil)
        var rest = try ProgramArguments.removeFolders(from: arguments, into: &installation)
        installation.commandProgram = ProcessFacts.programBesideOurs("intentd-command")
        var supervisorSocket = SupervisorSocket.handed
        var cacheFolder: String?
        while !rest.isEmpty {
            let option = rest.removeFirst()
            guard !rest.isEmpty else { throw UsageError("unknown option '\(option)', or its value is missing") }
            let value = rest.removeFirst()
            switch option {
            case "--listen": supervisorSocket = .listen(path: value)
            case "--connection":
                guard let number = Int32(value), number > 2 else {
                    throw UsageError("--connection: expected a descriptor of at least 3, got '\(value)'")
                }
                supervisorSocket = .connected(descriptor: number)
            case Self.resume:
                guard let number = Int32(value), number > 2 else {
                    throw UsageError("\(Self.resume): expected a descriptor of at least 3, got '\(value)'")
                }
                resumedDescriptor = number
            case "--cache": cacheFolder = value
            case Self.idRange:
                guard let range = HostIDs(value) else {
                    throw UsageError("\(Self.idRange): expected a range FIRST:COUNT, got '\(value)'")
                }
                ids = .success(range)
            case Self.noIDs: ids = .failure(UsageError(value))
            case "--state": stateFolder = value
            case "--require":
                guard let grade = IsolationGrade(rawValue: value) else {
                    throw UsageError("--require: expected full, reduced or none, got '\(value)'")
                }
                requiredGrade = grade
            default: throw UsageError("unknown option '\(option)'")
            }
        }
        guard let cacheFolder else { throw UsageError("the option --cache FOLDER is missing") }
        if stateFolder == nil, case .connected = supervisorSocket { stateFolder = Self.ownStateFolder }
        self.supervisorSocket = supervisorSocket
        self.cacheFolder = cacheFolder
    }

    /// The arguments without `--resume` and its value.
    static func withoutResumption(_ arguments: [String]) -> [String] {
        guard let index = arguments.firstIndex(of: resume) else { return arguments }
        return Array(arguments[..<index] + arguments.dropFirst(index + 2))
    }
}
