import Glibc
import IntentConfiguration
import IntentLinux

/// The arguments of `intentd`.
struct SupervisorArguments {
    /// Where clients connect.
    enum ClientSource {
        /// The sockets from systemd; if it passed none, a new socket at this path.
        case activation(fallbackPath: String)
        case listen(path: String)
        /// One connected client. The supervisor ends when this client disconnects. Other clients may connect at the
        /// path.
        case connected(descriptor: Int32, path: String? = nil)
    }

    /// How to reach the launcher.
    enum LauncherPlace {
        /// A separate service, at this socket.
        case socket(path: String)
        /// A child process that executes this program; nil: the program beside this one.
        case program(path: String?)
    }

    var clients: ClientSource
    var launcher = LauncherPlace.program(path: nil)
    /// The folder in which a child launcher creates the runs' directories; nil: a temporary folder.
    var cacheFolder: String?
    /// The folder for data that outlives the program: the history and, with a child launcher, the apps' folders in
    /// `apps`; nil: the installation's.
    var stateFolder: String?
    /// The group of the operators, by name or number; nil: the user of this process is the operator.
    var operatorGroup: String?
    /// True for the installation of the user of this process.
    var isUsers = false
    var installation: Installation

    static let usage = """
        usage: intentd [--socket PATH] [--connection FD] [--user]
                       [--launcher-socket PATH | --launcher PROGRAM] [--cache FOLDER] [--state FOLDER]
                       [--operators GROUP]
                       [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--configuration FOLDER]
                       [--app EXECUTABLE|FILE.intents]
               intentd --check [--user] [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--configuration FOLDER]
               intentd --manual intentd.conf|intentd.app|intentd.command
        --operators: the group of the operators; without it, the user that runs intentd is the operator, as root always is.
        --connection: for one client, and as long as it is there. Without --socket it takes the sockets that systemd hands over, else /run/intentd/intentd.sock
        (--user: $XDG_RUNTIME_DIR/intentd/intentd.sock). --check reads all files, prints their mistakes, and exits with
        78 when there are some.
        """

    init(_ arguments: [String]) throws(UsageError) {
        let user = getuid()
        installation = .system(user: user)
        clients = .activation(fallbackPath: "/run/intentd/intentd.sock")
        if arguments.contains("--user") {
            guard let home = getenv("HOME"), let runtime = getenv("XDG_RUNTIME_DIR") else {
                throw UsageError("--user needs HOME and XDG_RUNTIME_DIR in the environment")
            }
            isUsers = true
            installation = .user(home: String(cString: home), user: user)
            clients = .activation(fallbackPath: String(cString: runtime) + "/intentd/intentd.sock")
        }
        var rest = try ProgramArguments.removeFolders(
            from: arguments.filter { $0 != "--user" },
            into: &installation
        )
        if let folder = File.currentFolder { installation = installation.absolute(below: folder) }
        installation.commandProgram = ProcessFacts.programBesideOurs("intentd-command")
        while !rest.isEmpty {
            let option = rest.removeFirst()
            guard !rest.isEmpty else { throw UsageError("unknown option '\(option)', or its value is missing") }
            let value = rest.removeFirst()
            switch option {
            case "--socket":
                if case .connected(let descriptor, _) = clients {
                    clients = .connected(descriptor: descriptor, path: value)
                } else {
                    clients = .listen(path: value)
                }
            case "--connection":
                guard let number = Int32(value), number > 2 else {
                    throw UsageError("expected the number of an open descriptor, got '\(value)'")
                }
                var path: String?
                if case .listen(let listening) = clients { path = listening }
                clients = .connected(descriptor: number, path: path)
            case "--launcher-socket": launcher = .socket(path: value)
            case "--launcher": launcher = .program(path: value)
            case "--cache": cacheFolder = value
            case "--state": stateFolder = value
            case "--operators": operatorGroup = value
            default: throw UsageError("unknown option '\(option)'")
            }
        }
    }
}
