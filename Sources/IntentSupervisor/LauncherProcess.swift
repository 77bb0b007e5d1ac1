import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// The launcher of this supervisor: a separate service, or a child process.
struct LauncherProcess {
    let socket: SharedFileDescriptor
    private let child: ChildProcess?
    /// True if the launcher is a separate service, which outlives this process.
    var isShared: Bool { child == nil }
    /// The folder to remove at the end.
    private let temporaryFolder: String?

    /// Connects to the launcher service, or starts a launcher that finds the same apps.
    init(_ arguments: SupervisorArguments) throws {
        switch arguments.launcher {
        case .socket(let path):
            socket = SharedFileDescriptor(try UnixSocket.connect(.sequencedPacket, to: path))
            child = nil
            temporaryFolder = nil
        case .program(let path):
            let folder = try arguments.cacheFolder ?? Self.makeTemporaryFolder()
            let program = try path ?? ProcessFacts.pathBesideOurs("intentd-launcher")
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            socket = ends.first
            temporaryFolder = arguments.cacheFolder == nil ? folder : nil
            child = try ChildProcess.start(
                ProcessFacts.pathBesideOurs("intentd-starter"),
                arguments: Self.range(for: arguments.installation)
                    + [program, "--connection", "3", "--cache", folder]
                    + (arguments.stateFolder.map { ["--state", "\($0)/apps"] } ?? [])
                    + arguments.installation.arguments,
                socket: ends.second
            )
        }
    }

    /// Waits until a launcher that is a child has ended all its processes.
    func end() {
        guard let child else { return }
        // The launcher ends all its processes when it loses its supervisor, and then exits.
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        _ = child.waitForEnd()
        if let temporaryFolder {
            // Only the folder of runs is left, and it is empty.
            _ = rmdir(temporaryFolder + "/runs")
            ResultsFolder.removeAll(in: temporaryFolder + "/results")
            _ = rmdir(temporaryFolder)
        }
    }

    private static func makeTemporaryFolder() throws(SystemError) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = try File.makeTemporaryFolder("\(base)/intentd.")
        // Workers of other users must be able to reach their own directories, and must not list this one.
        try syscall("chmod", on: path) { chmod(path, 0o711) }
        return path
    }

    /// Arguments that tell the starter of root's daemon the ids for sandboxes, so that it does not have to run the
    /// launcher to learn them. Without these arguments, the starter asks the launcher and reports why no range can be
    /// used.
    private static func range(for installation: Installation) -> [String] {
        guard geteuid() == 0 else { return [] }
        let settings = installation.daemon(on: .kernel)
        let range = try? HostIDs.forSandboxes(settings, standard: .forRoot) { try? File.text(at: $0, limit: 1 << 24) }
        return range.map { ["--id-range", $0.text] } ?? []
    }
}
