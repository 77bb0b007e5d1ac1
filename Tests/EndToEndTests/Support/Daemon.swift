import Foundation
import Glibc
import IntentLinux
import Testing

/// A real `intentd` with its launcher, apps and socket in a temporary folder.
final class Daemon {
    let folder: TemporaryFolder
    private let command: Command
    /// The launcher that keeps running when this daemon exits; nil when intentd starts its own.
    private let sharedLauncher: LauncherService?
    /// True when `intentd`, `intentd-launcher` and `intentd-starter` are copies in the folder's `bin`.
    private let hasOwnPrograms: Bool

    /// The user as which the daemon and its launcher run.
    enum Owner {
        /// The user who runs the tests.
        case tester
        /// An unprivileged user: workers get neither a uid nor a cgroup of their own.
        case ordinaryUser
    }

    /// A uid that no distribution assigns.
    static let ordinaryUser: UInt32 = 42_424

    /// Starts a daemon with the apps Probe and Archive, and waits until it serves.
    ///
    /// - Parameters:
    ///   - limits: The lines of `[Limits]` for the app Probe.
    ///   - sandbox: The lines of `[Sandbox]` for Probe. Many of its intents start processes.
    ///   - app: The lines of `[App]` for Probe.
    ///   - configuration: The lines of `[Limits]` of intentd.conf.
    ///   - owner: The user of the daemon and its descendants. Only root can choose.
    ///   - ordinaryUser: The uid of that user if it is an ordinary one. The kernel limits what all its processes use.
    ///   - sharesLauncher: Starts the launcher as a separate service, as systemd does.
    ///   - required: The isolation grade that such a launcher requires of every app; nil for a service's default, which
    ///     few test hosts provide.
    ///   - hasOwnPrograms: Copies the programs, so that a test may replace them.
    ///   - descriptorLimit: RLIMIT_NOFILE of the daemon and its descendants, hard and soft.
    ///   - hasListener: Starts the daemon behind a seccomp filter that has a listener. The kernel allows only one.
    ///   - hasSandboxes: If false, the kernel gives the launcher ids for sandboxes but refuses to create any.
    ///   - hasIPv6: If false, the daemon and its descendants can make no socket of IPv6.
    ///   - hosts: The lines of /etc/hosts for the daemon and its descendants, in a mount namespace of their own, which only
    ///     root can make; nil for the host's file.
    ///   - variables: Environment variables of the daemon and its descendants.
    ///   - arguments: Further arguments of intentd.
    convenience init(
        limits: [String] = [],
        sandbox: [String] = ["Subprocesses=yes"],
        app: [String] = [],
        configuration: [String] = [],
        owner: Owner = .tester,
        ordinaryUser: UInt32 = Daemon.ordinaryUser,
        sharesLauncher: Bool = false,
        required: String? = "reduced",
        hasOwnPrograms: Bool = false,
        descriptorLimit: Int? = nil,
        hasListener: Bool = false,
        hasSandboxes: Bool = true,
        hasIPv6: Bool = true,
        hosts: [String]? = nil,
        variables: [String] = [],
        arguments: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        for name in ["apps", "units", "commands", "shortcuts", "etc", "bin"] {
            try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: true)
            chmod(folder.appending(name).path, 0o755)
        }
        for app in ["Probe", "Archive"] { try Programs.install(Programs.url(app), as: folder.appending("apps/\(app)")) }
        try Self.write(
            ["[Limits]"] + limits + ["[Sandbox]"] + sandbox + ["[App]"] + app,
            to: folder.appending("units/Probe.conf")
        )
        try Self.write((["[Limits]"] + configuration), to: folder.appending("etc/intentd.conf"))
        var program = Programs.intentd.path
        var wrapper: [String] = []
        // An ordinary user may lack search permission on the build folder.
        let changesUser = owner == .ordinaryUser && getuid() == 0
        if hasOwnPrograms || changesUser {
            for name in [
                "intentd", "intentd-launcher", "intentd-starter", "intentd-egress", "intentd-command", "intent-ask",
            ] {
                try Programs.install(Programs.url(name), as: folder.appending("bin/\(name)"))
            }
            program = folder.appending("bin/intentd").path
        }
        if changesUser {
            chown(folder.url.path, ordinaryUser, ordinaryUser)
            wrapper = [
                "/usr/bin/setpriv", "--reuid=\(ordinaryUser)", "--regid=\(ordinaryUser)", "--clear-groups", "--",
            ]
        }
        if let hosts {
            let file = folder.appending("hosts")
            try Self.write(hosts, to: file)
            wrapper += [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount --bind \(file.path) /etc/hosts && exec \"$@\"",
                "sh",
            ]
        }
        if !variables.isEmpty { wrapper += ["/usr/bin/env"] + variables }
        if let descriptorLimit {
            wrapper += ["/usr/bin/prlimit", "--nofile=\(descriptorLimit):\(descriptorLimit)", "--"]
        }
        if !hasIPv6 { wrapper += ["/usr/bin/python3", "-c", Self.withoutIPv6] }
        if !hasSandboxes { wrapper += ["/usr/bin/python3", "-c", Self.withoutPIDNamespaces] }
        if hasListener { wrapper += ["/usr/bin/python3", "-c", Self.listening] }
        var launcher: LauncherService?
        if sharesLauncher {
            let words = wrapper + [program + "-starter", program + "-launcher"]
            launcher = try LauncherService(
                URL(fileURLWithPath: words[0]),
                words.dropFirst() + [
                    "--listen", Self.launcherSocket(in: folder), "--state", Self.state(in: folder) + "/apps",
                ]
                    + (required.map { ["--require", $0] } ?? []) + Self.places(in: folder)
            )
            try eventually("the launcher listens") { try HostSockets.listens(at: Self.launcherSocket(in: folder)) }
        }
        try self.init(in: folder, started: wrapper + [program] + arguments, launcher, hasOwnPrograms: hasOwnPrograms)
    }

    /// Executes the program of its arguments behind a filter that allows everything and has a listener.
    private static let listening = """
        import ctypes, os, platform, struct, sys
        class Program(ctypes.Structure):
            _fields_ = [("count", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
        libc = ctypes.CDLL(None)
        allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
        libc.prctl(38, 1, 0, 0, 0)
        seccomp = 317 if platform.machine() == "x86_64" else 277
        listener = libc.syscall(seccomp, 1, 8, ctypes.byref(Program(1, ctypes.addressof(allow))))
        os.set_inheritable(listener, True)
        os.execv(sys.argv[1], sys.argv[1:])
        """

    /// Executes the program of its arguments behind a filter that refuses sockets of IPv6, as a kernel without it does.
    private static let withoutIPv6 = """
        import ctypes, os, platform, struct, sys
        class Program(ctypes.Structure):
            _fields_ = [("count", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
        libc = ctypes.CDLL(None)
        call, seccomp = (41, 317) if platform.machine() == "x86_64" else (198, 277)
        steps = [(0x20, 0, 0, 0), (0x15, 0, 3, call), (0x20, 0, 0, 16), (0x15, 0, 1, 10), (6, 0, 0, 0x50000 | 97), (6, 0, 0, 0x7FFF0000)]
        text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        libc.prctl(38, 1, 0, 0, 0)
        if libc.syscall(seccomp, 1, 0, ctypes.byref(Program(len(steps), ctypes.addressof(text)))): sys.exit("no filter")
        os.execv(sys.argv[1], sys.argv[1:])
        """

    /// Executes the program of its arguments in a user namespace that maps every id and allows no PID namespace.
    private static let withoutPIDNamespaces = """
        import ctypes, os, sys
        ready, done, own = os.pipe(), os.pipe(), os.getpid()
        if os.fork() == 0:
            os.close(ready[1])
            if os.read(ready[0], 1):
                for name in ("uid_map", "gid_map"): open(f"/proc/{own}/{name}", "w").write("0 0 4294967295")
                os.write(done[1], b"x")
            os._exit(0)
        os.close(done[1])
        if ctypes.CDLL(None).unshare(0x10000000): sys.exit("no user namespace")
        os.write(ready[1], b"x")
        if not os.read(done[0], 1): sys.exit("no maps")
        open("/proc/sys/user/max_pid_namespaces", "w").write("0")
        os.wait()
        os.execv(sys.argv[1], sys.argv[1:])
        """

    /// Starts a new daemon in the folder of one that has exited, as systemd does.
    convenience init(after ended: Daemon, environment: [String: String] = [:]) throws {
        try self.init(
            in: ended.folder,
            started: [ended.hasOwnPrograms ? ended.program("intentd").path : Programs.intentd.path],
            ended.sharedLauncher,
            hasOwnPrograms: ended.hasOwnPrograms,
            environment: environment
        )
    }

    /// Starts a new launcher and a new daemon in the folder of a daemon that has exited because its launcher was
    /// killed.
    convenience init(afterLauncherOf ended: Daemon, environment: [String: String] = [:]) throws {
        let socket = Self.launcherSocket(in: ended.folder)
        _ = unlink(socket)
        let launcher = try #require(ended.sharedLauncher).startNext()
        try eventually("the launcher listens") { try HostSockets.listens(at: socket) }
        try self.init(
            in: ended.folder,
            started: [ended.hasOwnPrograms ? ended.program("intentd").path : Programs.intentd.path],
            launcher,
            hasOwnPrograms: ended.hasOwnPrograms,
            environment: environment
        )
    }

    private static func launcherSocket(in folder: TemporaryFolder) -> String { folder.appending("launcher.sock").path }
    static func state(in folder: TemporaryFolder) -> String { folder.appending("state").path }

    static func places(in folder: TemporaryFolder) -> [String] {
        [
            "--apps", folder.appending("apps").path,
            "--units", folder.appending("units").path,
            "--commands", folder.appending("commands").path,
            "--shortcuts", folder.appending("shortcuts").path,
            "--configuration", folder.appending("etc").path,
            "--cache", folder.appending("cache").path,
        ]
    }

    private init(
        in folder: TemporaryFolder,
        started words: [String],
        _ launcher: LauncherService?,
        hasOwnPrograms: Bool,
        environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        sharedLauncher = launcher
        self.hasOwnPrograms = hasOwnPrograms
        let socket = folder.appending("intentd.sock")
        // A daemon that was killed leaves its socket's file behind. Without it, the file means that this daemon
        // listens.
        _ = unlink(socket.path)
        command = try Command(
            URL(fileURLWithPath: words[0]),
            words.dropFirst() + ["--socket", socket.path, "--state", Self.state(in: folder)]
                + Self.places(in: folder)
                + (launcher == nil ? [] : ["--launcher-socket", Self.launcherSocket(in: folder)]),
            environment: environment
        )
        try eventually("intentd listens; it says: \(command.errors)") {
            // With a fault injected, the daemon may exit first. The file exists a moment before the daemon listens.
            environment["INTENTD_FAULT"] != nil && !command.isRunning
                || (try? UnixSocket.connect(.stream, to: socket.path)) != nil
        }
    }

    /// Installs another app beside Probe and Archive.
    func install(_ app: String) throws {
        let installed = folder.appending("apps/\(app)")
        try Programs.install(Programs.url(app), as: installed)
    }

    func program(_ name: String) -> URL { folder.appending("bin/\(name)") }

    /// Replaces one of the copied programs while it keeps running, as a package upgrade does.
    func replace(_ name: String, with file: URL) throws {
        let fresh = program("\(name).new")
        try Programs.install(file, as: fresh)
        guard rename(fresh.path, program(name).path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// True when the process executes the file that currently has the program's name.
    func runs(_ name: String, in process: Int32) -> Bool {
        var running = stat()
        var installed = stat()
        guard stat("/proc/\(process)/exe", &running) == 0, stat(program(name).path, &installed) == 0 else {
            return false
        }
        return running.st_ino == installed.st_ino && running.st_dev == installed.st_dev
    }

    /// The pid of the launcher that outlives this daemon.
    var sharedLauncherNumber: Int32? { sharedLauncher?.command.number }
    var launcherErrors: String { sharedLauncher?.command.errors ?? "" }

    /// Stops the daemon gracefully, so that no process outlives the test.
    deinit {
        if command.isRunning {
            command.signal(SIGTERM)
            command.exitCode()
        }
    }

    private static func write(_ lines: [String], to file: URL) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        chmod(file.path, 0o644)
    }

    var socket: String { folder.appending("intentd.sock").path }
    var number: Int32 { command.number }
    var isRunning: Bool { command.isRunning }
    var errors: String { command.errors }

    func signal(_ number: Int32) { command.signal(number) }
    func exitCode() -> Int32 { command.exitCode() }

    /// Starts `intentctl` against this daemon.
    func start(_ arguments: [String], input: URL? = nil) throws -> Command {
        try Command(Programs.intentctl, ["--socket", socket] + arguments, input: input, directory: folder.url)
    }

    /// Runs `intentctl` until it exits.
    func intentctl(_ arguments: String..., input: URL? = nil) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(arguments, input: input)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    func json(_ arguments: String...) throws -> [String: Any] {
        let command = try start(["--output", "json"] + arguments)
        command.exitCode()
        let object = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
        return try #require(object as? [String: Any], "\(command.output) \(command.errors)")
    }

    /// Waits for a run in the given state, and returns its identifier.
    func run(in state: String = "running") throws -> String {
        var found: String?
        try eventually("a run is \(state)") {
            let runs = try json("ps")["runs"] as? [[String: Any]] ?? []
            found = runs.first { $0["state"] as? String == state }?["run"] as? String
            return found != nil
        }
        return try #require(found)
    }

    /// The pids and names of all descendants of this daemon: the launcher, sandbox processes and workers.
    var family: [Int32: String] { ProcessFamily.below(sharedLauncher?.command.number ?? number) }

    /// The workers of runs, and the processes that they started. Processes that describe an app are omitted, because
    /// intentd starts them at any time.
    var workers: [Int32: String] {
        family.filter { number, name in
            !Self.ownNames.contains(name)
                && !ProcessFamily.environment(of: number).contains("INTENTD_MODE=describe")
        }
    }

    /// The launcher that this daemon started.
    func launcher() throws -> Int32 {
        var found: Int32?
        // The process has this name once it has called exec.
        try eventually("the launcher runs") {
            found = ProcessFamily.children(of: number).first { $0.value == Self.launcherName }?.key
            return found != nil
        }
        return try #require(found)
    }

    /// The launcher's name in /proc, which keeps 15 characters.
    static let launcherName = "intentd-launche"

    /// The names of the launcher and of the processes that each sandbox keeps, spares included.
    static let ownNames: Set = [launcherName, "intentd-init", "intentd-roots", "intentd-fork", "intentd-spare"]

    /// The resident memory of intentd.
    func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }

    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd").count) ?? -1
    }

    /// The number of open descriptors after the daemon has described its apps and released its last worker.
    func settledDescriptorCount() throws -> Int {
        let warm = try intentctl("run", "Probe/Echo", "--text", "warm")
        guard warm.code == 0 else { throw NeverHappened(description: "a run is done; \(warm.errors)") }
        var count = -1
        var sightings = 0
        try eventually("nothing comes or goes") {
            let before = count
            count = descriptorCount
            sightings = workers.isEmpty && isCleared && count == before ? sightings + 1 : 0
            usleep(50_000)
            // Wait for a second without a change: new spares start a moment after slots become free.
            return sightings == 20
        }
        return count
    }
}
