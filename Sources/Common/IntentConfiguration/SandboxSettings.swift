package import IntentWire

/// The resources that an app may access and use (`[Sandbox]`). The defaults grant nothing.
///
/// An error in these settings prevents the app from running, because a default could grant more than the operator
/// intended.
package struct SandboxSettings: Equatable, Sendable {
    /// True if the app may access the host's network (`Network=`).
    package var network = false
    /// The only TCP ports to which the app may connect (`ConnectPorts=`); empty for no restriction by port.
    package var connectPorts: [UInt16] = []
    /// The absolute paths of Unix sockets to which the app may connect, even without a network (`Sockets=`).
    package var sockets: [String] = []
    /// The programs that the app may start, with their libraries and data (`Programs=`).
    package var programs: [ProgramGrant] = []
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
    /// True if the kernel may write core dumps of the app's processes (`CoreDumps=`).
    package var coreDumps = false
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
    /// The default of `Programs=`: `system` for an app that an intentd.command(5) file describes, otherwise empty.
    private var standardPrograms: [ProgramGrant] = []

    package init() {}

    /// The granted paths, each with the key that grants it.
    package var grantedPaths: [(key: String, path: String)] {
        [
            (SandboxKey.programs, programs.compactMap(\.path)), (.readPaths, readPaths), (.writePaths, writePaths),
            (.sockets, sockets), (.devices, devices),
        ]
        .flatMap { key, paths in paths.map { (key.rawValue, $0) } }
    }

    /// The default settings of an app described by an intentd.command(5) file. The app may start the system's programs.
    var forCommands: SandboxSettings {
        var settings = self
        settings.usesRunSocket = true
        settings.standardPrograms = [.system]
        settings.programs = settings.programs.isEmpty ? [.system] : settings.programs
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
            guard let key = SandboxKey(rawValue: assignment.key) else {
                throw assignment.problem("unknown key in [Sandbox]")
            }
            try apply(assignment, as: key)
        } catch {
            throw error.keepingAppsFromRunning
        }
    }

    private mutating func apply(_ assignment: UnitFile.Assignment, as key: SandboxKey) throws(ConfigurationProblem) {
        let builtIn = SandboxSettings()
        let isReset = assignment.value.isEmpty
        let isInfinite = assignment.value == "infinity"
        switch key {
        case .network: network = isReset ? builtIn.network : try assignment.flag()
        case .connectPorts: connectPorts = try assignment.list(after: connectPorts, as: Self.port, Self.port)
        case .sockets: sockets = try assignment.list(after: sockets, as: Self.socket, Self.socket)
        case .programs:
            // The first assignment replaces the default.
            let earlier = programs == standardPrograms ? [] : programs
            let form = "an absolute path or 'system'"
            programs = isReset ? standardPrograms : try assignment.list(after: earlier, as: form, ProgramGrant.init)
        case .readPaths: readPaths = try assignment.list(after: readPaths, as: Self.path, AbsolutePath.parse)
        case .writePaths: writePaths = try assignment.list(after: writePaths, as: Self.path, AbsolutePath.parse)
        case .devices: devices = try assignment.list(after: devices, as: "a path below /dev", Self.device)
        case .gpu: gpu = isReset ? builtIn.gpu : try assignment.flag()
        case .subprocesses: subprocesses = isReset ? builtIn.subprocesses : try assignment.flag()
        case .coreDumps: coreDumps = isReset ? builtIn.coreDumps : try assignment.flag()
        case .memoryMax: memoryMax = isReset ? builtIn.memoryMax : try assignment.size()
        case .tasksMax:
            tasksMax = isReset ? builtIn.tasksMax : isInfinite ? nil : try assignment.count(in: SandboxKey.tasks)
        case .cpuQuota:
            cpuQuotaPercent =
                isReset
                ? builtIn.cpuQuotaPercent : try assignment.parsed(as: "a percentage such as 150%", Self.percentage)
        case .openFiles: openFiles = isReset ? builtIn.openFiles : try assignment.count(in: SandboxKey.files)
        case .diskMax: diskMax = isReset ? builtIn.diskMax : try assignment.size()
        case .stateMax: stateMax = isReset ? builtIn.stateMax : try assignment.size()
        case .require:
            require =
                isReset ? builtIn.require : try assignment.parsed(as: Self.grade, IsolationGrade.init(rawValue:))
        }
    }

    private static let path = "an absolute path below / without '..'"
    private static let socket = "an absolute path without '..' of at most 107 bytes"
    private static let port = "a port from 1 to 65535"
    private static let grade = "a grade: " + IsolationGrade.allCases.map(\.rawValue).joined(separator: ", ")

    private static func port(_ word: String) -> UInt16? {
        guard let port = UInt16(word), port > 0 else { return nil }
        return port
    }

    /// Parses the path of a socket. The path and its terminating NUL must fit in sockaddr_un (unix(7)).
    private static func socket(_ word: String) -> String? {
        guard let path = AbsolutePath.parse(word), path.utf8.count <= 107 else { return nil }
        return path
    }

    private static func device(_ word: String) -> String? {
        guard let path = AbsolutePath.parse(word), path.hasPrefix(utf8: "/dev/") else { return nil }
        return path
    }

    private static func percentage(_ text: String) -> Int? {
        guard text.hasSuffix(utf8: "%"), let percent = Int(text.dropLast(scalars: 1)),
            SandboxKey.percentages.contains(percent)
        else { return nil }
        return percent
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
}
