import Glibc
import IntentConfiguration
import IntentLinux

/// The parsed command-line arguments of `intentd`.
struct SupervisorArguments {
    /// The sockets through which clients connect.
    enum ClientSource {
        /// Clients connect to the sockets that systemd passed or, if it passed none, to a new socket at this path.
        case activation(fallbackPath: String)
        case listen(path: String)
        /// A client is already connected through this socket. The supervisor exits when this client disconnects. Other
        /// clients may connect to the socket at the path.
        case connected(descriptor: Int32, path: String? = nil)
    }

    /// The launcher that the supervisor uses.
    enum LauncherSource {
        /// The launcher is a separate service that listens on this socket.
        case socket(path: String)
        /// The launcher is a child process that executes this program; nil for `intentd-launcher` in the folder of
        /// intentd's program.
        case program(path: String?)
    }

    var clients: ClientSource
    var launcher = LauncherSource.program(path: nil)
    /// The folder in which a child launcher creates the run folders; nil for a temporary folder.
    var cacheFolder: String?
    /// The folder for data that outlives the program: the history and, for a child launcher, the apps' state folders in
    /// `apps`. Nil for the default folder of the installation.
    var stateFolder: String?
    /// The operators' group, by name or number; nil if the user of this process is the operator.
    var operatorGroup: String?
    /// True for `--user`: the installation of the user who runs this process.
    var isUsers = false
    /// True for `--wait-for-debugger`: each run waits until a debugger traces its worker.
    var waitsForDebugger = false
    /// True for `--expect-run`: the client will request a run.
    var expectsRun = false
    /// The folder in which the catalogues of apps are recorded; nil to ask each app to describe its intents.
    var catalogFolder: String?
    /// The file in which a child launcher records a successful trial; nil to run the trial in any case.
    var trialRecord: String?
    var installation: Installation

    static let usage = """
        usage: intentd [--socket PATH] [--connection FD [--expect-run] [--catalogs FOLDER] [--trial-record FILE]] [--user]
                       [--launcher-socket PATH | --launcher PROGRAM] [--cache FOLDER] [--state FOLDER]
                       [--operators GROUP]
                       [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--shortcuts FOLDER]
                       [--configuration FOLDER] [--app EXECUTABLE|FILE.intents|FILE.shortcut] [--wait-for-debugger]
               intentd --check [--user] [--apps FOLDER] [--units FOLDER] [--commands FOLDER] [--shortcuts FOLDER]
                       [--configuration FOLDER]
               intentd --manual intentd.conf|intentd.app|intentd.command|intentd.shortcut
        --socket:      listen on PATH. Default: the sockets from systemd, otherwise /run/intentd/intentd.sock
                       (with --user: $XDG_RUNTIME_DIR/intentd/intentd.sock).
        --connection:  serve the client that is connected to descriptor FD, and exit when it disconnects.
        --operators:   members of GROUP and root are operators. Default: the user that runs intentd, and root.
        --expect-run:  start a worker for the client's first run while the app describes its intents.
        --catalogs:    read the app's intents from FOLDER if the app has not changed, otherwise record them there.
        --trial-record: skip the test of the sandbox if FILE records its success, otherwise write FILE.
        --wait-for-debugger: with --connection, each run waits until a debugger traces its worker.
        --check:       read all files, let the apps describe their intents, print all mistakes, and exit with 78 if there are any.
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
            installation = .user(home: String(foreign: home), user: user)
            clients = .activation(fallbackPath: String(foreign: runtime) + "/intentd/intentd.sock")
        }
        waitsForDebugger = arguments.contains("--wait-for-debugger")
        expectsRun = arguments.contains("--expect-run")
        var rest = try ProgramArguments.removeFolders(
            from: arguments.filter { !["--user", "--wait-for-debugger", "--expect-run"].contains($0) },
            into: &installation
        )
        if let folder = File.currentFolder { installation = installation.absolute(below: folder) }
        installation.addAppsOfShortcuts()
        installation.commandProgram = ProcessFacts.programBesideOurs("intentd-command")
        while !rest.isEmpty {
            let option = rest.removeFirst()
            guard !rest.isEmpty else { throw UsageError("unknown option or missing value: '\(option)'") }
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
                    throw UsageError("--connection: expected a descriptor number above 2, got '\(value)'")
                }
                var path: String?
                if case .listen(let listening) = clients { path = listening }
                clients = .connected(descriptor: number, path: path)
            case "--launcher-socket": launcher = .socket(path: value)
            case "--launcher": launcher = .program(path: value)
            case "--cache": cacheFolder = value
            case "--state": stateFolder = value
            case "--operators": operatorGroup = value
            case "--catalogs": catalogFolder = value
            case "--trial-record": trialRecord = value
            default: throw UsageError("unknown option '\(option)'")
            }
        }
        if case .connected = clients { return }
        // Only a private daemon may wait for a debugger, because a service also performs other users' runs.
        if waitsForDebugger { throw UsageError("--wait-for-debugger needs --connection") }
        if expectsRun { throw UsageError("--expect-run needs --connection") }
        if catalogFolder != nil { throw UsageError("--catalogs needs --connection") }
        if trialRecord != nil { throw UsageError("--trial-record needs --connection") }
    }
}
