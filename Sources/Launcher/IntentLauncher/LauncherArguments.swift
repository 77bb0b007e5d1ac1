import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux

/// The launcher's command line.
struct LauncherArguments {
    /// The socket over which the launcher receives commands from `intentd`.
    enum SupervisorSocket {
        /// A listening socket that systemd passes. The mode of the socket's file determines which users may connect.
        case handed
        /// A socket on which the launcher listens at this path. The launcher serves one `intentd` at a time.
        case listen(path: String)
        /// A socket that is already connected to `intentd`. The launcher quits when the connection ends.
        case connected(descriptor: Int32)

        /// The isolation grade that is required for apps without `Require=`.
        var defaultGrade: IsolationGrade {
            switch self {
            case .listen, .handed: .full
            // A developer runs a private daemon to try an app. The app should run even if the developer's machine
            // provides only reduced isolation.
            case .connected: .reduced
            }
        }

        /// True if systemd started the launcher, and therefore also starts the launcher's other services.
        var isHanded: Bool { if case .handed = self { true } else { false } }

        /// True if intentd runs as a different user than the launcher.
        var sharesResults: Bool {
            switch self {
            case .listen, .connected: false
            case .handed: true
            }
        }
    }

    var supervisorSocket: SupervisorSocket
    /// The folder for run folders and for results that intentd has not fetched yet.
    var cacheFolder: String
    /// The folder that contains the state folders of apps; nil if apps have no state.
    var stateFolder: String?
    /// The isolation grade that is required for apps without `Require=`; nil for ``SupervisorSocket/defaultGrade``.
    var requiredGrade: IsolationGrade?
    /// The file that records a successful trial (``TrialRecord``); nil to run the trial in any case.
    var trialRecord: String?
    var installation: Installation
    /// The range of ids that intentd-starter mapped, or the reason why it could not map any. Nil if intentd-starter did
    /// not start the launcher.
    var ids: Result<HostIDs, UsageError>?
    /// The folder with the credentials of `Credential=` for a launcher that starts intentd-egress itself; nil if systemd
    /// starts it.
    var credentialFolder: String? {
        supervisorSocket.isHanded ? nil : (installation.configurationFolders.last ?? "/etc/intentd") + "/egress"
    }
    /// The folder with the units of schedules: the system's if systemd starts the launcher, and otherwise the user's.
    var scheduleFolder: String {
        if supervisorSocket.isHanded { return ScheduleFile.systemFolder }
        let base = Self.folder("XDG_CONFIG_HOME") ?? Self.folder("HOME").map { "\($0)/.config" }
        return "\(base ?? "")/systemd/user"
    }
    /// The descriptor of the memory file with the replaced program's state; nil if this program does not replace
    /// another one.
    var resumedDescriptor: Int32?

    static let usage = """
        usage: intentd-launcher [--listen PATH | --connection FD [--trial-record FILE]] --cache FOLDER
                                [--state FOLDER] [--require full|reduced|none]
                                [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--shortcuts FOLDER]
                                [--configuration FOLDER] [--app EXECUTABLE|FILE.intents|FILE.shortcut]
        systemd starts the launcher as intentd-workers.service, and a private intentd starts its own launcher. Without
        --listen and --connection, the launcher uses the socket that systemd passes.
        """

    /// The option that makes the program only test whether it can start in a sandbox.
    static let trial = "--trial"
    /// The option with the version of a launcher's state. The program exits with 0 if it can take over state with that
    /// version.
    static let takesOver = "--takes-over"
    /// The option with the descriptor of the state to take over.
    static let resume = "--resume"

    /// The option with the range of ids that intentd-starter mapped.
    static let idRange = "--ids"
    /// The option with the reason why intentd-starter could not map ids.
    static let noIDs = "--no-ids"
    /// The option that makes the program only print the configured range of ids. The launcher's options follow it.
    static let printsIDRange = "--id-range"

    /// The state folder of a private daemon (XDG Base Directory Specification).
    private static var ownStateFolder: String? {
        let base = folder("XDG_STATE_HOME") ?? folder("HOME").map { "\($0)/.local/state" }
        return base.map { "\($0)/intentd/apps" }
    }

    /// Returns the folder that an environment variable names.
    private static func folder(_ variable: String) -> String? {
        getenv(variable).map { String(foreign: $0) }.flatMap { $0.hasPrefix(utf8: "/") ? $0 : nil }
    }

    init(_ arguments: [String]) throws(UsageError) {
        // Do not check the owners of the files. intentd checks them, and never requests an app with files that fail the
        // check.
        installation = .system(user: nil)
        var rest = try ProgramArguments.removeFolders(from: arguments, into: &installation)
        installation.commandProgram = ProcessFacts.programBesideOurs("intentd-command")
        var supervisorSocket = SupervisorSocket.handed
        var cacheFolder: String?
        while !rest.isEmpty {
            let option = rest.removeFirst()
            guard !rest.isEmpty else { throw UsageError("'\(option)' is an unknown option or has no value") }
            let value = rest.removeFirst()
            switch option {
            case "--listen": supervisorSocket = .listen(path: value)
            case "--connection": supervisorSocket = .connected(descriptor: try Self.descriptor(value, of: option))
            case Self.resume: resumedDescriptor = try Self.descriptor(value, of: option)
            case "--cache": cacheFolder = value
            case Self.idRange:
                guard let range = HostIDs(value) else {
                    throw UsageError("\(Self.idRange): expected a range FIRST:COUNT, got '\(value)'")
                }
                ids = .success(range)
            case Self.noIDs: ids = .failure(UsageError(value))
            case "--state": stateFolder = value
            case "--trial-record": trialRecord = value
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
        // A service always runs the trial: its start is not urgent, and it reports the host's isolation to operators.
        if trialRecord != nil {
            guard case .connected = supervisorSocket else { throw UsageError("--trial-record needs --connection") }
        }
        self.supervisorSocket = supervisorSocket
        self.cacheFolder = cacheFolder
    }

    private static func descriptor(_ value: String, of option: String) throws(UsageError) -> Int32 {
        guard let number = Int32(value), number > 2 else {
            throw UsageError("\(option): expected a descriptor of at least 3, got '\(value)'")
        }
        return number
    }

    /// Returns the arguments without `--resume` and its value.
    static func withoutResumption(_ arguments: [String]) -> [String] {
        guard let index = arguments.firstIndex(of: resume) else { return arguments }
        return Array(arguments[..<index] + arguments.dropFirst(index + 2))
    }
}
