import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// This supervisor's launcher: a separate service, or a child process.
struct LauncherProcess {
    let socket: SharedFileDescriptor
    private let child: ChildProcess?
    /// True if the launcher is a separate service, which outlives this process.
    var isShared: Bool { child == nil }
    /// The temporary folder to remove when the launcher has exited.
    private let temporaryFolder: String?

    /// Connects to the launcher service, or starts a launcher for the same installation as a child process.
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
                    + (arguments.trialRecord.map { ["--trial-record", $0] } ?? [])
                    + arguments.installation.arguments,
                socket: ends.second
            )
        }
    }

    /// Stops a launcher that is a child process, and waits for it to exit.
    func end() {
        guard let child else { return }
        // Close the connection. The launcher then kills all its processes and exits.
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        _ = child.waitForEnd()
        if let temporaryFolder {
            // The folder that contained the launcher's run folders still exists, but it is empty.
            _ = rmdir(temporaryFolder + "/runs")
            ResultsFolder.removeAll(in: temporaryFolder + "/results")
            _ = rmdir(temporaryFolder)
        }
    }

    private static func makeTemporaryFolder() throws(SystemError) -> String {
        let base = getenv("TMPDIR").map { String(foreign: $0) } ?? "/tmp"
        let path = try File.makeTemporaryFolder("\(base)/intentd.")
        // Workers of other users must be able to reach their own folders, but must not list this folder.
        try syscall("chmod", on: path) { chmod(path, 0o711) }
        return path
    }

    /// Returns arguments with the range of ids for sandboxes, for the starter of a daemon that root runs. The starter
    /// then does not have to query the launcher. If no range can be used, returns no arguments: the starter queries the
    /// launcher, and reports the reason.
    private static func range(for installation: Installation) -> [String] {
        guard geteuid() == 0 else { return [] }
        let settings = installation.daemon(on: .kernel)
        let range = try? HostIDs.forSandboxes(settings, standard: .forRoot) { try? File.text(at: $0, limit: 1 << 24) }
        return range.map { ["--id-range", $0.text] } ?? []
    }
}
