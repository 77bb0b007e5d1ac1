package import IntentLauncherMessages

/// The resources that an app may access and use (`[Sandbox]`). The defaults grant nothing.
///
/// An error in these settings prevents the app from running, because a default could grant more than the operator
/// intended.
package struct SandboxSettings: Equatable, Sendable, DefaultSettings {
    /// True if the app may access the host's network (`Network=`).
    package var network = false
    /// The only hosts to which an app without `Network=` may connect, each with a TCP port (`AllowHosts=`).
    package var allowHosts: [HostGrant] = []
    /// The hosts to which the app sends plain HTTP, and intentd-egress TLS with a credential (`Credential=`).
    package var credentials: [HostGrant] = []
    /// All hosts that the app may reach through intentd-egress. A host with a credential precedes wildcards.
    package var hosts: [HostGrant] { credentials + allowHosts }
    /// True if a person is asked before a connection to a host that is not granted (`AllowHosts=ask`).
    package var asksForHosts: Bool { hostQuestions != nil }
    /// The word `ask` with its options; nil if no person is asked.
    package var hostQuestions: String? { allowHosts.first { $0.host == .asked }?.text }
    /// The absolute paths of Unix sockets to which the app may connect, even without a network (`Sockets=`).
    package var sockets: [String] = []
    /// The value of `Programs=`; empty for the default.
    var namedPrograms: [ProgramGrant] = []
    /// The absolute paths of additional files and folders that the app may read (`ReadPaths=`).
    package var readPaths: [String] = []
    /// The absolute paths of files and folders that the app may read and write (`WritePaths=`).
    package var writePaths: [String] = []
    /// The absolute paths of devices below /dev that the app may use (`Devices=`).
    package var devices: [String] = []
    /// True if the app may access the devices of graphics cards (`GPU=`).
    package var gpu = false
    /// True if the app may start other programs (`Subprocesses=`).
    package var subprocesses = false
    /// True if the app may map memory that is both writable and executable (`GeneratedCode=`).
    package var generatedCode = false
    /// True if the kernel may write core dumps of the app's processes (`CoreDumps=`).
    package var coreDumps = false
    /// The file mode creation mask of the app's processes (`UMask=`).
    package var umask: UInt32 = 0o077
    /// The maximum memory of one run in bytes (`MemoryMax=`); nil for no limit.
    package var memoryMax: Int64? = 1 << 30
    /// The maximum number of processes and threads of one run (`TasksMax=`); nil for no limit.
    package var tasksMax: Int? = 64
    /// The maximum CPU time of one run as a percentage of one CPU (`CPUQuota=`); nil for no limit.
    package var cpuQuotaPercent: Int?
    /// The maximum number of open descriptors of one process (`OpenFiles=`).
    package var openFiles = 1024
    /// The maximum size of one run's files in bytes (`DiskMax=`); nil for no limit.
    package var diskMax: Int64? = 1 << 30
    /// The maximum size of the state folder in bytes (`StateMax=`); nil for no limit.
    package var stateMax: Int64? = 1 << 30
    /// The lowest isolation grade at which the app may run (`Require=`); nil for the launcher's default.
    package var require: IsolationGrade?

    /// True if a run's programs communicate with its worker through a socket in the run folder.
    package private(set) var usesRunSocket = false
    /// True if an intent gives its program a terminal (`Terminal=` of intentd.command(5)).
    package var usesTerminal = false
    /// True if each worker starts an MCP server before its run begins (`MCPServer=` of intentd.command(5)).
    package var startsServer = false

    package init() {}

    /// The programs that the app may start, with their libraries and data (`Programs=`). The default is `system` for an
    /// app that an intentd.command(5) file describes, and otherwise empty.
    package var programs: [ProgramGrant] {
        get { namedPrograms.isEmpty && usesRunSocket ? [.system] : namedPrograms }
        set { namedPrograms = newValue }
    }

    /// The granted paths.
    package var grantedPaths: [PathGrant] {
        let grants: [(SandboxKey, PathGrant.Access, [String])] = [
            (.programs, .reading, programs.compactMap(\.path)), (.readPaths, .reading, readPaths),
            (.writePaths, .writing, writePaths), (.sockets, .connecting, sockets), (.devices, .device, devices),
        ]
        return grants.flatMap { key, access, paths in
            paths.map { PathGrant(key: key.rawValue, path: $0, access: access) }
        }
    }

    /// The default settings of an app described by an intentd.command(5) file. The app may start the system's programs.
    var forCommands: SandboxSettings {
        var settings = self
        settings.usesRunSocket = true
        return settings
    }

    /// True if `Subprocesses=` or `Programs=` permits the app to start programs.
    package var startsPrograms: Bool { subprocesses || !programs.isEmpty }

    /// Creates an app's settings from the intentd.command(5) file that describes it.
    ///
    /// - Throws: ``ConfigurationProblem`` for a mistake in `[Sandbox]`.
    package init(ofCommands unit: UnitFile) throws(ConfigurationProblem) {
        self = SandboxSettings().forCommands
        for assignment in unit.assignments where assignment.section == "Sandbox" { try apply(assignment) }
    }

    /// Applies an assignment from `[Sandbox]`. An empty value resets the key to its default.
    ///
    /// - Throws: ``ConfigurationProblem`` for an unknown key or an invalid value. In that case, the app must not run;
    ///   if the assignment is in `intentd.conf`, no app may run.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        do throws(ConfigurationProblem) {
            guard try apply(assignment, as: SandboxKey.self) else {
                throw assignment.unknownKey
            }
            guard hosts.count <= HostGrant.countLimit, Set(hosts.flatMap(\.ports)).count <= HostGrant.portLimit else {
                throw assignment.problem(
                    "expected at most \(HostGrant.countLimit) hosts and \(HostGrant.portLimit) different ports"
                )
            }
            guard let (first, second) = HostGrant.conflict(in: hosts) else { return }
            throw assignment.problem(
                """
                '\(second.text)' and '\(first.text)' are for the same host and port; write the host once, with all its options
                """
            )
        } catch {
            throw error.keepingAppsFromRunning
        }
    }
}

extension ConfigurationProblem {
    /// A copy of the problem with a message that also states that the app does not run.
    var keepingAppFromRunning: ConfigurationProblem { adding("; the app does not run until this is corrected") }

    /// A copy of the problem with a message that also states that no app runs.
    var keepingAppsFromRunning: ConfigurationProblem {
        adding("; the apps that the file configures do not run until this is corrected")
    }
}

/// A word in the value of `Programs=`.
package enum ProgramGrant: Equatable, Sendable {
    /// `system`: the programs, libraries and data below /usr.
    case system
    /// A program by its absolute path, or all programs in a folder.
    case path(String)

    init?(_ word: String) {
        if word == "system" {
            self = .system
        } else if let path = AbsolutePath.parse(word) {
            self = .path(path)
        } else {
            return nil
        }
    }

    package var path: String? { if case .path(let path) = self { path } else { nil } }

    /// The system's program folders. On some hosts they are links into /usr, on others they are separate folders.
    package static let systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
    /// The files with which the system's programs are found and linked.
    package static let systemFiles = [
        "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    ]

    /// The paths that the word adds to the sandbox.
    package var paths: [String] {
        switch self {
        case .system: ["/usr"] + Self.systemFolders + Self.systemFiles
        case .path(let path): [path]
        }
    }
}
