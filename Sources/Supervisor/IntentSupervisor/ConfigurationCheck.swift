import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// `intentd --check`: reads all files with the permissions of the service's programs, lets the apps describe their
/// intents, and reports mistakes.
struct ConfigurationCheck {
    private let installation: Installation
    /// The schedules that the installation's intentd performs. Other installations have none.
    private let schedules: [ScheduleFile.Target]
    /// The users that the service's programs run as. The check reads the files as each of these users in turn. The
    /// array is empty if the check uses only the caller's permissions.
    private let readers: [Reader]
    /// The check of grants; nil if this process cannot become another user.
    private let grants: GrantCheck?

    /// The user that one of the service's programs runs as.
    private struct Reader {
        var name: String
        var user: UInt32
        var group: UInt32
        /// True for the launcher, which opens credentials and granted paths.
        var isLauncher: Bool
    }

    /// Creates the check. For the system's installation, root checks with the permissions of the service's users,
    /// because they cannot read every file that root can read.
    init(_ arguments: SupervisorArguments) {
        installation = arguments.installation
        schedules = ScheduleFile.targets(in: arguments.scheduleFolder, on: .kernel)
        var system = Installation.system(user: getuid())
        system.commandProgram = installation.commandProgram
        guard geteuid() == 0, installation == system else {
            readers = []
            // If root runs a daemon, its apps have the group 65534.
            grants = geteuid() == 0 ? GrantCheck(group: 65534) : nil
            return
        }
        let supervisor = Self.reader("intentd", isLauncher: false)
        let launcher = Self.reader("intentd-workers", isLauncher: true) ?? Self.reader("intentd", isLauncher: true)
        readers = [supervisor, launcher].compactMap(\.self)
        grants = launcher.map { GrantCheck(group: $0.group) }
    }

    private static func reader(_ name: String, isLauncher: Bool) -> Reader? {
        guard let account = getpwnam(name)?.pointee else { return nil }
        return Reader(name: name, user: account.pw_uid, group: account.pw_gid, isLauncher: isLauncher)
    }

    /// The start of a line about a probable mistake of an app's author, as intentd-command prints it. An operator cannot
    /// correct it, so it does not affect the exit code.
    static let warningPrefix = "warning: "

    /// Prints all mistakes.
    ///
    /// - Returns: The exit code: 78 if the files contain mistakes, otherwise 0.
    func run() throws -> Int32 {
        var problems: [String] = []
        func add(_ more: [String]) { problems += more.filter { !problems.contains($0) } }
        if readers.isEmpty {
            add(inspect(installation, asLauncher: true))
        }
        for reader in readers {
            try Self.become(reader)
            defer { Self.becomeRoot() }
            var own = installation
            // intentd checks the owners of these files, but the launcher does not.
            own.user = reader.isLauncher ? nil : reader.user
            add(inspect(own, asLauncher: reader.isLauncher))
        }
        if let grants { add(try grants.problems(in: installation)) }
        let described = try CatalogCheck.problems(in: installation, schedules)
        add(described.filter { message in !problems.contains { message.contains(utf8: $0) } })
        for problem in problems { print(problem) }
        if !readers.isEmpty, !problems.isEmpty {
            let names = readers.map { "\($0.name) (\($0.user))" }
            print("the files were read as \(Set(names).sorted().joined(separator: " and ")), the users of the service")
        }
        return problems.allSatisfy { $0.hasPrefix(utf8: Self.warningPrefix) } ? 0 : 78
    }

    private func inspect(_ installation: Installation, asLauncher: Bool) -> [String] {
        var memory = InstallationMemory()
        let disk = DiskView.kernel
        var problems = memory.read(in: installation, on: disk).map(\.description)
        guard asLauncher else { return problems }
        let names = installation.appNames(on: disk)
        let daemon = memory.daemon(in: installation, on: disk)
        let ignored = installation.ignoredFiles(on: disk)
        problems += ignored.map(\.description)
        problems += AppDirectory.unknownNames(of: daemon, apps: Set(names))
        for name in names {
            switch memory.app(name, in: installation, on: disk) {
            case .missing:
                if let problem = AppDirectory.unmatched(name, ignored: ignored) { problems.append(problem) }
            case .refused(let reason):
                let mistakes = installation.mistakes(keepingFromRunning: name, on: disk).map(\.description)
                for reason in mistakes.isEmpty ? ["\(name): \(reason)"] : mistakes
                where !problems.contains(where: { reason.hasPrefix(utf8: $0) }) {
                    problems.append(reason)
                }
                // Find the mistakes in the intents at the same time. The grants of such an app are unknown.
                if let path = installation.commandSource(name, on: disk)?.path,
                    let program = installation.commandProgram
                {
                    problems += Self.mistakes(in: path, by: program, granted: ["/"])
                }
            case .found(let app):
                problems +=
                    (app.unit.credentials.compactMap(Self.problem) + Self.unopenableGrants(app.unit.sandbox)
                    + AppDirectory.unknownAccounts(of: app.unit)
                    + AppDirectory.unknownApps(of: app.unit, under: daemon, apps: Set(names))).map { "\(name): \($0)" }
                if let path = app.unit.command?.path {
                    let sandbox = app.unit.sandbox
                    let grants = sandbox.programs.flatMap(\.paths) + sandbox.readPaths + sandbox.writePaths
                    problems += Self.mistakes(in: path, by: app.executable, granted: grants)
                }
            }
        }
        return problems
    }

    /// Returns the mistakes in a file of intentd.command(5). intentd-command reads the file, because intentd parses only
    /// the operator's settings.
    private static func mistakes(in file: String, by program: String, granted grants: [String]) -> [String] {
        do throws(SystemError) {
            let arguments = ["--check", file] + grants.map { SystemLinks.resolve($0, on: .kernel) } + grants
            return File.lines(of: try ChildProcess.output(of: program, arguments: arguments).text).map(String.init)
                .filter { !$0.isEmpty }
        } catch {
            return ["\(file): cannot be checked: \(error)"]
        }
    }

    /// Returns the reason why a credential cannot be passed to the app; nil if the credential is usable.
    private static func problem(of credential: CredentialSource) -> String? {
        switch credential.location {
        // This credential cannot be checked, because systemd provides it only while the unit is running.
        case .ownUnit: return nil
        case .path(let path):
            do throws(SystemError) {
                _ = try File.open(path)
                return nil
            } catch {
                let isForRoot = error.code.rawValue == EACCES
                if isForRoot, CredentialSource.copy(of: path) != nil { return unreadable(asRoot: path) }
                let hint = isForRoot ? "; move it to \(CredentialSource.folder), of which the launcher has copies" : ""
                return "LoadCredential=: '\(credential.name)' cannot be read by user \(geteuid()): \(error)\(hint)"
            }
        }
    }

    /// Checks a file in the credentials folder as root, because systemd reads this folder as root.
    private static func unreadable(asRoot path: String) -> String? {
        guard getuid() == 0 else { return nil }
        let user = geteuid()
        _ = seteuid(0)
        defer { _ = seteuid(user) }
        do throws(SystemError) {
            let status = try File.status(at: path)
            return status.kind == .regular ? nil : "LoadCredential=: '\(path)' is not a regular file"
        } catch {
            return "LoadCredential=: '\(path)' cannot be loaded: \(error)"
        }
    }

    /// Returns messages about granted paths that the launcher cannot open and therefore cannot pass to a sandbox.
    private static func unopenableGrants(_ sandbox: SandboxSettings) -> [String] {
        sandbox.grantedPaths.compactMap { grant in
            let (key, path) = (grant.key, grant.path)
            do throws(SystemError) {
                _ = try File.openGrant(SystemLinks.resolve(path, on: .kernel))
                return nil
            } catch {
                let hint =
                    error.code.rawValue == ELOOP
                    ? "; it contains a symbolic link: use the path that 'realpath \(path)' prints" : ""
                return "\(key)=: '\(path)' cannot be opened by user \(geteuid()): \(error)\(hint)"
            }
        }
    }

    /// Assumes the file permissions of a user. The real user id remains root's, so that the process can become root
    /// again.
    private static func become(_ reader: Reader) throws(SystemError) {
        try syscall("initgroups") { initgroups(reader.name, reader.group) }
        try syscall("setegid") { setegid(reader.group) }
        try syscall("seteuid") { seteuid(reader.user) }
    }

    /// Restores root's permissions.
    static func becomeRoot() {
        // The kernel permits these calls because the real user id is still root's.
        _ = seteuid(0)
        _ = setegid(0)
        _ = setgroups(0, nil)
    }
}
