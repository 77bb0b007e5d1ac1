import IntentWire

/// The keys of `[Sandbox]`, which `intentd.conf` sets for all apps and an app's file for that app.
enum SandboxKey: String, SettingKey {
    case network = "Network"
    case connectPorts = "ConnectPorts"
    case sockets = "Sockets"
    case programs = "Programs"
    case readPaths = "ReadPaths"
    case writePaths = "WritePaths"
    case devices = "Devices"
    case gpu = "GPU"
    case subprocesses = "Subprocesses"
    case memoryMax = "MemoryMax"
    case tasksMax = "TasksMax"
    case cpuQuota = "CPUQuota"
    case openFiles = "OpenFiles"
    case diskMax = "DiskMax"
    case stateMax = "StateMax"
    case require = "Require"

    /// The maximum is PID_MAX_LIMIT of the kernel, which also limits pids.max.
    static let tasks = 1...4_194_304
    /// A worker needs descriptors for its socket, output and libraries. The upper bound is the default of fs.nr_open.
    static let files = 16...1_048_576
    /// The kernel supports at most 8192 processors.
    static let percentages = 1...819_200

    private static let paths = "absolute paths, separated by spaces"
    private static let none = "none"
    private static let noSandbox = "At the grade none, which has no sandbox, the key has no effect."
    private static let reachableSockets = """
        Before Landlock 6 (Linux 6.12), the host's abstract sockets are reachable with its network, and the grade is
        reduced.
        """

    var manual: SettingManual {
        let builtIn = SandboxSettings()
        return switch self {
        case .network:
            SettingManual(
                .flag,
                standard: SettingManual.flag(builtIn.network),
                example: "yes",
                """
                The host's network, with the files for resolving names and verifying certificates.
                """,
                isolation: "\(Self.reachableSockets)\n\(Self.noSandbox)"
            )
        case .connectPorts:
            SettingManual(
                .list(name: "port", of: "ports from 1 to 65535, separated by spaces"),
                standard: Self.none,
                example: "443 5432",
                """
                The only TCP ports that the app may connect to.
                The app cannot listen.
                Without
                .Cm Network=yes ,
                it has no UDP, and therefore no DNS.
                """,
                isolation: """
                    Before Landlock 4 (Linux 6.7), any TCP port can be reached, and the grade is reduced.
                    \(Self.reachableSockets)
                    \(Self.noSandbox)
                    """
            )
        case .sockets:
            SettingManual(
                .list(name: "path", of: "absolute paths of at most 107 bytes, separated by spaces"),
                standard: Self.none,
                example: "/run/postgresql/.s.PGSQL.5432",
                """
                Unix sockets that the app may connect to, also without a network.
                """,
                isolation: Self.noSandbox
            )
        case .programs:
            SettingManual(
                .list(name: "path", of: "absolute paths and the word system, separated by spaces"),
                standard: "none; system for an app of\n.Xr intentd.command 5",
                example: "system /opt/backup",
                """
                Programs that the app may start, with their libraries and data, read-only.
                The word
                .Cm system
                stands for
                .Pa /usr
                with the links
                .Pa /bin , /sbin
                and
                .Pa /lib* ,
                .Pa /etc/alternatives
                and the cache of
                .Xr ld.so 8 .
                The key implies
                .Cm Subprocesses=yes .
                """,
                isolation: Self.noSandbox
            )
        case .readPaths:
            SettingManual(
                .list(name: "path", of: Self.paths),
                standard: Self.none,
                example: "/srv/photos",
                """
                Files and folders of the host that the app may read.
                They have the same paths in the sandbox.
                A library that the app opens by
                .Xr dlopen 3
                needs a grant.
                """,
                isolation: Self.noSandbox
            )
        case .writePaths:
            SettingManual(
                .list(name: "path", of: Self.paths),
                standard: Self.none,
                example: "/srv/out",
                """
                Files and folders of the host that the app may read and write.
                They have the same paths in the sandbox.
                A path below such a folder is granted to no app.
                """,
                isolation: Self.noSandbox
            )
        case .devices:
            SettingManual(
                .list(name: "path", of: "absolute paths below /dev, separated by spaces"),
                standard: Self.none,
                example: "/dev/video0",
                """
                Devices that the app may read, write and map.
                The filter of system calls permits six requests of
                .Xr ioctl 2 .
                """,
                isolation: Self.noSandbox
            )
        case .gpu:
            SettingManual(
                .flag,
                standard: SettingManual.flag(builtIn.gpu),
                example: "yes",
                """
                The devices of graphics cards:
                .Pa /dev/dri ,
                .Pa /dev/kfd
                and
                .Pa /dev/nvidia* .
                """,
                isolation: Self.noSandbox
            )
        case .subprocesses:
            SettingManual(
                .flag,
                standard: SettingManual.flag(builtIn.subprocesses),
                example: "yes",
                """
                The permission to start other programs, which
                .Cm ReadPaths=
                must grant.
                Without a network, the app's runs share a loopback interface of their own, because
                .Li Process
                of Foundation sends itself UDP.
                """,
                isolation: """
                    Before Landlock 6 (Linux 6.12), a run may signal other runs of its app and user, and the grade is reduced.
                    \(Self.noSandbox)
                    """
            )
        case .memoryMax:
            SettingManual(
                .size,
                standard: SettingManual.size(builtIn.memoryMax),
                example: "512M",
                """
                The memory of a run.
                A run that exceeds it is killed.
                """,
                isolation: """
                    Without a memory controller, the limit is one of each process's private memory, shared memory and
                    .Xr memfd_create 2
                    are refused, and the grade is reduced.
                    """
            )
        case .tasksMax:
            SettingManual(
                .limitedCount(Self.tasks),
                standard: builtIn.tasksMax.map { "\($0)" } ?? "infinity",
                example: "256",
                """
                The number of processes and threads of a run.
                """,
                isolation:
                    "Without a pids controller, all runs of the app and user share one limit; the grade stays full."
            )
        case .cpuQuota:
            SettingManual(
                .value(name: "percent%", of: "from \(Self.percentages.lowerBound)% to \(Self.percentages.upperBound)%"),
                standard: builtIn.cpuQuotaPercent.map { "\($0)%" } ?? "no limit",
                example: "150%",
                """
                The processor time of a run, in percent of one processor.
                """,
                isolation: "Without a cpu controller, the limit is not enforced, and the grade is reduced."
            )
        case .openFiles:
            SettingManual(
                .count(Self.files),
                standard: "\(builtIn.openFiles)",
                example: "4096",
                """
                The number of open descriptors of each process.
                """
            )
        case .diskMax:
            SettingManual(
                .size,
                standard: SettingManual.size(builtIn.diskMax),
                example: "10G",
                """
                The disk space of a run's own folder and result files, and the size of any file that it writes.
                A run that exceeds it is killed.
                """
            )
        case .stateMax:
            SettingManual(
                .size,
                standard: SettingManual.size(builtIn.stateMax),
                example: "5G",
                """
                The size of the folder of
                .Cm State= .
                Beyond it, the runs that use the folder are killed, and no run starts.
                """
            )
        case .require:
            SettingManual(
                .choice(IsolationGrade.allCases.reversed().map(\.rawValue)),
                standard: "full for the service, reduced for a private daemon",
                example: "reduced",
                """
                The lowest isolation grade with which the app runs.
                With
                .Cm none ,
                it may run like any other program of its user.
                See
                .Xr intentd-sandbox 7 .
                """
            )
        }
    }
}
