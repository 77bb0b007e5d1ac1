import Glibc
import IntentConfiguration
import IntentWire

/// How the launcher is started.
struct LauncherArguments {
    /// The socket through which `intentd` commands the launcher.
    enum SupervisorSocket {
        /// A socket that systemd made. Its mode restricts who may connect.
        case handed
        /// A listener that the launcher makes at this path, for one `intentd` after the other.
        case listen(path: String)
        /// A connected socket: the launcher quits when the connection ends.
        case connected(descriptor: Int32)
    }

    var supervisorSocket: SupervisorSocket
    /// The folder in which the directories of runs are made.
    var cacheFolder: String
    /// The folder that holds the state folders of apps; nil: apps have no state.
    var stateFolder: String?
    /// What every app must have that does not set `Require=`; nil: the standard of the kind of launcher.
    var requiredGrade: IsolationGrade?
    var installation: Installation
    /// The ids that intentd-starter mapped, or why it mapped none; nil when another program started the launcher.
    var ids: Result<HostIDs, UsageError>?
    /// The state of the program that this one replaced in its process.
    var resumedDescriptor: Int32?

    static let usage = """
        usage: intentd-launcher [--listen PATH | --connection FD] --cache FOLDER
                                [--state FOLDER] [--require full|reduced|none]
                                [--apps FOLDER] [--units FOLDER] [--configuration FOLDER] [--app EXECUTABLE]
        intentd starts it, or systemd as intentd-workers.service. Without --listen and --connection it takes the socket
        that systemd hands over.
        """

    /// The one argument of a launcher that only shows that it can be started where it is.
    static let trial = "--trial"
    /// Before the version of a state that this program may be asked to take over; the exit code says whether it can.
    static let takesOver = "--takes-over"
    /// Before the descriptor of that state.
    static let resume = "--resume"

    /// Before the range of ids that intentd-starter made the launcher the owner of, and before the reason why it did not.
    static let idRange = "--ids"
    static let noIDs = "--no-ids"
    /// Before the arguments of a launcher that only prints the range that it is to have.
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
        var rest = try ProgramArguments.takePlaces(from: arguments, into: &installation)
        var supervisorSocket = SupervisorSocket.handed
        var cacheFolder: String?
        while !rest.isEmpty {
            let option = rest.removeFirst()
            guard !rest.isEmpty else { throw UsageError("option '\(option)' is not known or needs a value") }
            let value = rest.removeFirst()
            switch option {
            case "--listen": supervisorSocket = .listen(path: value)
            case "--connection":
                guard let number = Int32(value), number > 2 else {
                    throw UsageError("'\(value)' is no descriptor to take over")
                }
                supervisorSocket = .connected(descriptor: number)
            case Self.resume:
                guard let number = Int32(value), number > 2 else {
                    throw UsageError("'\(value)' is no descriptor of a state")
                }
                resumedDescriptor = number
            case "--cache": cacheFolder = value
            case Self.idRange:
                guard let range = HostIDs(value) else { throw UsageError("'\(value)' is no range of ids, FIRST:COUNT") }
                ids = .success(range)
            case Self.noIDs: ids = .failure(UsageError(value))
            case "--state": stateFolder = value
            case "--require":
                guard let grade = IsolationGrade(rawValue: value) else {
                    throw UsageError("'\(value)' is no grade; there are full, reduced and none")
                }
                requiredGrade = grade
            default: throw UsageError("option '\(option)' is not known")
            }
        }
        guard let cacheFolder else { throw UsageError("'--cache FOLDER' is missing") }
        if stateFolder == nil, case .connected = supervisorSocket { stateFolder = Self.ownStateFolder }
        self.supervisorSocket = supervisorSocket
        self.cacheFolder = cacheFolder
    }

    /// The arguments without those that only a resuming program has.
    static func withoutResumption(_ arguments: [String]) -> [String] {
        guard let place = arguments.firstIndex(of: resume) else { return arguments }
        return Array(arguments[..<place] + arguments.dropFirst(place + 2))
    }
}
