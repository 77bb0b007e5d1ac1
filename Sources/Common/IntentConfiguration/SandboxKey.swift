import IntentLauncherMessages

/// The keys of `[Sandbox]`. `intentd.conf` sets them for all apps, and an app's file sets them for that app.
enum SandboxKey: String, TabledKey {
    case network = "Network"
    case allowHosts = "AllowHosts"
    case credential = "Credential"
    case sockets = "Sockets"
    case programs = "Programs"
    case readPaths = "ReadPaths"
    case writePaths = "WritePaths"
    case devices = "Devices"
    case gpu = "GPU"
    case subprocesses = "Subprocesses"
    case generatedCode = "GeneratedCode"
    case coreDumps = "CoreDumps"
    case umask = "UMask"
    case memoryMax = "MemoryMax"
    case tasksMax = "TasksMax"
    case cpuQuota = "CPUQuota"
    case openFiles = "OpenFiles"
    case diskMax = "DiskMax"
    case stateMax = "StateMax"
    case require = "Require"

    /// The range of `TasksMax=`. The maximum is the kernel's PID_MAX_LIMIT, which also limits pids.max.
    static let tasks = 1...4_194_304
    /// The range of `OpenFiles=`. A worker needs a few descriptors for its socket, output and libraries. The maximum is
    /// the default of fs.nr_open.
    static let files = 16...1_048_576
    /// The range of `CPUQuota=`. The kernel supports at most 8192 CPUs.
    static let percentages = 1...819_200

    private static let paths = "absolute paths, separated by spaces"
    private static let noSandbox = "At the grade none, which has no sandbox, the key has no effect."
    private static let reachableSockets = """
        Before Landlock 6 (Linux 6.12), the app can connect to the host's abstract sockets, and the grade is
        .Cm reduced .
        """

    /// True for a key that `[Intent NAME]` can set, too.
    var isForIntents: Bool { self == .allowHosts }

    /// The key's description and parser.
    var setting: Setting<SandboxSettings> {
        let builtIn = SandboxSettings()
        return switch self {
        case .network:
            .flag(
                \.network,
                """
                Access to the host's network, all of it, and to the files for resolving names and verifying certificates.
                .Cm AllowHosts=
                has no effect then.
                """,
                isolation: "\(Self.reachableSockets)\n\(Self.noSandbox)"
            )
        case .allowHosts:
            Setting(
                \.allowHosts,
                .list(name: "host:port", of: "hosts with a TCP port, separated by spaces"),
                example: "api.example.org:443 *.example.net:443 db.internal:5432,private 192.0.2.7:22",
                """
                The only hosts to which the app may connect, by name or by address, each with a TCP port.
                .Li *.example.net
                stands for every name below
                .Li example.net ,
                and not for
                .Li example.net
                itself; an IPv6 address is written in brackets.
                The app needs no proxy: names resolve to addresses that only its sandbox has, and
                .Xr intentd-egress 8
                looks the name up on the host when the app connects.
                A name must not resolve to an address of this host or of a private network, unless
                .Li ,private
                follows the port.
                On port 443, the app must begin with TLS for the granted name, and on port 80 with HTTP for it, because
                many sites share an address;
                .Li ,unchecked
                after the port permits anything, and with it every site behind the address.
                The options of a name apply instead of those of a wildcard above it, and those of the closest wildcard
                first; the same host and port twice with different options is a mistake.
                The app cannot listen, and every other name does not exist for it.
                .Pp
                With the word
                .Li ask ,
                every other name exists, and the first connection of a run to it on port 443 or 80 is a question to a person, never to an
                agent: for this run, for a day, or not at all.
                The run's clock stops meanwhile.
                An answer for a day applies to the app and the user until the operator changes the word, for at most 64 hosts;
                .Ql intentctl status
                lists these hosts, and
                .Ql intentctl revoke
                ends the answers of a run.
                A run that may ask no questions is refused.
                The app has one run at a time for each user.
                With
                .Li ask,private ,
                a person may also permit hosts with private addresses.
                .Pp
                In
                .Li [Intent NAME] ,
                the key adds hosts for the runs of one intent; an empty value first removes the hosts of the app.
                These runs have a sandbox of their own, which no other run of the app enters, and use no spare.
                .Pp
                At most \(HostGrant.countLimit) hosts and \(HostGrant.portLimit) different ports.
                """,
                isolation: Self.noSandbox,
                each:
                    "HOST:PORT, a port from 1 to 65535 except 53, and after it ',private' or ',unchecked' for a name; or ask or ask,private",
                parse: HostGrant.init
            )
        case .credential:
            Setting(
                \.credentials,
                .list(name: "name host=host", of: "a name and options for one host"),
                example: "github host=api.github.com header=Authorization value=\"Bearer %s\"",
                """
                A secret that
                .Xr intentd-egress 8
                adds to the app's requests to a host.
                The app sends plain HTTP to
                .Li http://api.github.com ,
                port 80; intentd-egress checks the host's certificate, sends the request over TLS with the header, in which
                .Li %s
                stands for the secret, and removes the app's own header of this name.
                The app never has the secret, and needs no
                .Cm AllowHosts=
                for the host.
                The name is that of a credential of intentd-egress.service
                .Pq Pa /etc/intentd/egress/NAME ,
                which it receives when it starts: after a change, run
                .Ql systemctl restart intentd-egress ,
                which ends no run.
                A private daemon reads
                .Pa ~/.config/intentd/egress/NAME .
                The port of TLS and
                .Li ,private
                may follow the host, as in
                .Cm AllowHosts= .
                The default header is
                .Li Authorization: Bearer %s .
                Each request needs a connection of its own, which libraries make by themselves.
                Tools that expect https need their own variable for the address, such as
                .Ev GITHUB_API_URL
                in
                .Cm Environment= .
                The record of a run names the credential and the paths without their queries.
                Each assignment is for one host.
                """,
                isolation: Self.noSandbox,
                adding: InsertedCredential.form,
                parse: InsertedCredential.grant
            )
        case .sockets:
            Setting(
                \.sockets,
                .list(name: "path", of: "absolute paths of at most 107 bytes, separated by spaces"),
                example: "/run/postgresql/.s.PGSQL.5432",
                "The Unix sockets to which the app may connect, even without a network.",
                isolation: Self.noSandbox,
                each: "an absolute path without '..' of at most 107 bytes",
                // The path and its terminating NUL must fit in sockaddr_un (unix(7)).
                parse: { AbsolutePath.parse($0).flatMap { $0.utf8.count <= 107 ? $0 : nil } }
            )
        case .programs:
            Setting(
                \.namedPrograms,
                .list(name: "path", of: "absolute paths and the word system, separated by spaces"),
                standard: "none; system for an app that is described by an\n.Xr intentd.command 5\nfile",
                example: "system /opt/backup",
                """
                Programs that the app may start, read-only.
                A program has its libraries, and a script its interpreter; a folder has all that is below it.
                What a program opens later, such as modules and data, requires a grant.
                The word
                .Cm system
                grants
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
                isolation: Self.noSandbox,
                each: "an absolute path or 'system'",
                parse: ProgramGrant.init
            )
        case .readPaths:
            Setting(
                \.readPaths,
                .list(name: "path", of: Self.paths),
                example: "/srv/photos",
                """
                Files and folders of the host that the app may read.
                They have the same paths in the sandbox.
                A library that the app opens with
                .Xr dlopen 3
                requires a grant.
                """,
                isolation: Self.noSandbox,
                each: "an absolute path below / without '..'",
                parse: AbsolutePath.parse
            )
        case .writePaths:
            Setting(
                \.writePaths,
                .list(name: "path", of: Self.paths),
                example: "/srv/out",
                """
                Files and folders of the host that the app may read and write.
                They have the same paths in the sandbox.
                A path below such a folder cannot be granted to any app.
                """,
                isolation: Self.noSandbox,
                each: "an absolute path below / without '..'",
                parse: AbsolutePath.parse
            )
        case .devices:
            Setting(
                \.devices,
                .list(name: "path", of: "absolute paths below /dev, separated by spaces"),
                example: "/dev/video0",
                """
                Devices that the app may read, write and map.
                The system call filter permits only six operations of
                .Xr ioctl 2 .
                """,
                isolation: Self.noSandbox,
                each: "a path below /dev",
                parse: { AbsolutePath.parse($0).flatMap { $0.hasPrefix(utf8: "/dev/") ? $0 : nil } }
            )
        case .gpu:
            .flag(
                \.gpu,
                """
                Access to the devices of graphics cards:
                .Pa /dev/dri ,
                .Pa /dev/kfd
                and
                .Pa /dev/nvidia* .
                The system call filter permits the requests of
                .Xr ioctl 2
                to the drivers DRM, KFD and NVIDIA, and the app reads the folders of these devices in
                .Pa /sys .
                The permissions of the devices apply: a run is a member of no group, so a device of the group
                .Li render
                needs a rule of
                .Xr udev 7 ,
                such as
                .Ql SUBSYSTEM=="drm", KERNEL=="renderD*", MODE="0666" .
                """,
                isolation: Self.noSandbox
            )
        case .coreDumps:
            .flag(
                \.coreDumps,
                """
                Core dumps of processes that crash, if
                .Pa /proc/sys/kernel/core_pattern
                names a program, such as
                .Xr systemd-coredump 8 .
                A core dump contains the memory of the run, with its secrets.
                """
            )
        case .subprocesses:
            .flag(
                \.subprocesses,
                """
                Permission to start other programs, which must also be granted by
                .Cm ReadPaths= .
                Without a network, the app's runs share a private loopback interface, because Foundation's
                .Li Process
                sends UDP datagrams to itself.
                """,
                isolation: """
                    Before Landlock 6 (Linux 6.12), and without cgroups, each run has a sandbox of its own, and takes
                    about 25 ms longer.
                    \(Self.noSandbox)
                    """
            )
        case .generatedCode:
            .flag(
                \.generatedCode,
                """
                Permission to map memory that is both writable and executable, which programs need that generate code at run
                time: node, Java, and some packages of Python.
                An attacker who can write to the memory of a process can then execute code of their own in it more easily.
                The sandbox around the process remains the same.
                """,
                isolation: Self.noSandbox
            )
        case .umask:
            Setting(
                \.umask,
                .value(name: "mode", of: "an octal number from 0 to 777"),
                standard: String(builtIn.umask, radix: 8),
                example: "027",
                """
                The permissions that files of a run do not have when they are created, as for
                .Xr umask 2 .
                With
                .Li 027 ,
                the group of a folder in
                .Cm WritePaths=
                can read the files that runs create in it, if the folder has the set-group-ID bit.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                let mask: UInt32 = try assignment.parsed(as: "an octal number from 0 to 777") { text in
                    UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
                }
                return mask
            }
        case .memoryMax:
            .size(
                \.memoryMax,
                example: "512M",
                """
                The maximum memory of a run.
                A run that exceeds the limit is killed.
                """,
                isolation: """
                    Without a memory controller, the limit applies to the private memory of each process,
                    shared memory and
                    .Xr memfd_create 2
                    are refused, and the grade is
                    .Cm reduced .
                    """
            )
        case .tasksMax:
            Setting(
                \.tasksMax,
                .limitedCount(Self.tasks),
                standard: builtIn.tasksMax.map { "\($0)" } ?? "infinity",
                example: "256",
                "The maximum number of processes and threads of a run.",
                isolation:
                    "Without a pids controller, all runs of a user in the app share one limit, and the grade remains\n.Cm full ."
            ) { (assignment) throws(ConfigurationProblem) in
                assignment.value == "infinity" ? nil : try assignment.count(in: Self.tasks)
            }
        case .cpuQuota:
            Setting(
                \.cpuQuotaPercent,
                .value(name: "percent%", of: "from \(Self.percentages.lowerBound)% to \(Self.percentages.upperBound)%"),
                standard: builtIn.cpuQuotaPercent.map { "\($0)%" } ?? "no limit",
                example: "150%",
                "The maximum CPU time of a run, as a percentage of one CPU.",
                isolation: "Without a cpu controller, the limit is not enforced, and the grade is\n.Cm reduced ."
            ) { (assignment) throws(ConfigurationProblem) in
                let percent: Int = try assignment.parsed(as: "a percentage such as 150%") { text in
                    let percent = text.hasSuffix(utf8: "%") ? Int(text.dropLast(scalars: 1)) : nil
                    return percent.flatMap { Self.percentages.contains($0) ? $0 : nil }
                }
                return percent
            }
        case .openFiles:
            Setting(
                \.openFiles,
                .count(Self.files),
                standard: "\(builtIn.openFiles)",
                example: "4096",
                "The maximum number of open descriptors of each process."
            ) { (assignment) throws(ConfigurationProblem) in try assignment.count(in: Self.files) }
        case .diskMax:
            .size(
                \.diskMax,
                example: "10G",
                """
                The maximum disk usage of a run's folder and result files, and the maximum size of each file that it
                writes.
                A run that exceeds the limit is killed.
                """
            )
        case .stateMax:
            .size(
                \.stateMax,
                example: "5G",
                """
                The maximum size of the state folder
                .Pq Cm State= .
                If the folder exceeds the limit, the runs that use it are killed, and no new run can use it.
                """
            )
        case .require:
            Setting(
                \.require,
                .choice(IsolationGrade.allCases.reversed().map(\.rawValue)),
                standard: "full for the service, reduced for a private daemon",
                example: "reduced",
                """
                The lowest isolation grade with which the app may run.
                With
                .Cm none ,
                it may run without a sandbox, like any other program of its user.
                See
                .Xr intentd-sandbox 7 .
                """
            ) { (assignment) throws(ConfigurationProblem) in
                let form = "a grade: " + IsolationGrade.allCases.map(\.rawValue).joined(separator: ", ")
                let grade: IsolationGrade = try assignment.parsed(as: form, IsolationGrade.init(rawValue:))
                return grade
            }
        }
    }
}
