import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// `intentd --check`: reads all files as the programs of the service do, and reports mistakes.
struct ConfigurationCheck {
    private let installation: Installation
    /// The users as whom it reads, in order; empty if it reads only as the caller.
    private let readers: [Reader]
    /// Nil if the caller cannot become another user.
    private let grants: GrantCheck?

    /// A user that a program of the service runs as.
    private struct Reader {
        var name: String
        var user: UInt32
        var group: UInt32
        /// True for the launcher, which opens credentials and granted paths.
        var isLauncher: Bool
    }

    /// For the system's installation, root checks with the permissions of the service's users, who cannot read every
    /// file that root can.
    init(_ arguments: SupervisorArguments) {
        installation = arguments.installation
        var system = Installation.system(user: getuid())
        system.commandProgram = installation.commandProgram
        guard geteuid() == 0, installation == system else {
            readers = []
            // The group that a daemon run by root gives to apps: uid 65534's.
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

    /// - Returns: The exit code: 78 if there are mistakes.
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
            // intentd checks the owners of these files, and the launcher does not.
            own.user = reader.isLauncher ? nil : reader.user
            add(inspect(own, asLauncher: reader.isLauncher))
        }
        if let grants { add(try grants.problems(in: installation)) }
        for problem in problems { print(problem) }
        if !readers.isEmpty, !problems.isEmpty {
            let names = readers.map { "\($0.name) (\($0.user))" }
            print("read as \(Set(names).sorted().joined(separator: " and ")), the users of the service")
        }
        return problems.isEmpty ? 0 : 78
    }

    private func inspect(_ installation: Installation, asLauncher: Bool) -> [String] {
        var memory = InstallationMemory()
        let disk = DiskView.kernel
        var problems = memory.read(in: installation, on: disk).map(\.description)
        problems += AppDirectory.unknownUsers(of: memory.daemon(in: installation, on: disk))
        guard asLauncher else { return problems }
        let names = installation.appNames(on: disk)
        let daemon = memory.daemon(in: installation, on: disk)
        problems += AppDirectory.unknownReporting(of: daemon, apps: Set(names))
        for name in names {
            switch memory.app(name, in: installation, on: disk) {
            case .missing: problems.append(AppDirectory.unmatched(name))
            case .refused(let reason):
                if !problems.contains(where: { reason.hasPrefix($0) }) { problems.append("\(name): \(reason)") }
            case .found(let app):
                problems +=
                    (app.credentials.compactMap(Self.problem) + Self.unseenGrants(app.sandbox)
                    + AppDirectory.unknownAccounts(of: app)
                    + AppDirectory.unknownApps(of: app, under: daemon, apps: Set(names))).map { "\(name): \($0)" }
            }
        }
        return problems
    }

    /// Why a credential could not be passed to the app; nil when it can.
    private static func problem(of credential: CredentialSource) -> String? {
        switch credential.location {
        // The credential is known only while the unit runs.
        case .ownUnit: return nil
        case .path(let path):
            do throws(SystemError) {
                _ = try File.open(path)
                return nil
            } catch {
                let isForRoot = error.code.rawValue == EACCES
                if isForRoot, CredentialSource.nameInUnit(of: path) != nil { return unreadable(asRoot: path) }
                let mend = isForRoot ? "; put it into \(CredentialSource.folder), from which systemd loads it" : ""
                return "LoadCredential=: '\(credential.name)' cannot be read by user \(geteuid()): \(error)\(mend)"
            }
        }
    }

    /// Checks a file in the credentials folder as root, because systemd reads that folder as root.
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

    /// Grants that the launcher could not pass to a sandbox.
    private static func unseenGrants(_ sandbox: SandboxSettings) -> [String] {
        sandbox.grantedPaths.compactMap { key, path in
            do throws(SystemError) {
                _ = try File.openGrant(SystemLinks.resolve(path, on: .kernel))
                return nil
            } catch {
                let hint = error.code.rawValue == ELOOP ? "; it has a link: write what 'realpath \(path)' prints" : ""
                return "\(key)=: '\(path)' cannot be reached by user \(geteuid()): \(error)\(hint)"
            }
        }
    }

    /// Takes on that user's permissions for files. The process keeps root as its real user id, so it can become root
    /// again.
    private static func become(_ reader: Reader) throws(SystemError) {
        try syscall("initgroups") { initgroups(reader.name, reader.group) }
        try syscall("setegid") { setegid(reader.group) }
        try syscall("seteuid") { seteuid(reader.user) }
    }

    static func becomeRoot() {
        // The kernel permits these calls because the real user id is still that of root.
        _ = seteuid(0)
        _ = setegid(0)
        _ = setgroups(0, nil)
    }
}
