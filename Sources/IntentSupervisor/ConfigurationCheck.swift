import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// `intentd --check`: reads all files as the programs of the service do, and says what is wrong with them.
struct ConfigurationCheck {
    private let installation: Installation
    /// The users that it becomes to read, one after the other; empty: it stays the caller.
    private let readers: [Reader]
    /// Nil where the caller cannot become another user.
    private let grants: GrantCheck?

    /// A user that a program of the service runs as.
    private struct Reader {
        var name: String
        var user: UInt32
        var group: UInt32
        /// True for the launcher, which opens credentials and granted paths.
        var isLauncher: Bool
    }

    /// Root, for the system's own installation, checks with the permissions of the service's users: root can read files that
    /// they cannot.
    init(_ arguments: SupervisorArguments) {
        installation = arguments.installation
        guard geteuid() == 0, arguments.installation == .system(user: getuid()) else {
            readers = []
            // The group of uid 65534, which a daemon of root's own gives to apps.
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

    /// - Returns: The exit code: 78 where something is wrong.
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
            // intentd checks who owns them, and the launcher does not.
            own.user = reader.isLauncher ? nil : reader.user
            add(inspect(own, asLauncher: reader.isLauncher))
        }
        if let grants { add(try grants.problems(in: installation)) }
        for problem in problems { print(problem) }
        if !readers.isEmpty, !problems.isEmpty {
            let names = readers.map { "\($0.name) (\($0.user))" }
            print("read as \(Set(names).sorted().joined(separator: " and ")), as whom the service runs")
        }
        return problems.isEmpty ? 0 : 78
    }

    private func inspect(_ installation: Installation, asLauncher: Bool) -> [String] {
        var memory = InstallationMemory()
        let disk = DiskView.kernel
        var problems = memory.read(in: installation, on: disk).map(\.description)
        guard asLauncher else { return problems }
        for name in installation.appNames(on: disk) {
            switch memory.app(name, in: installation, on: disk) {
            case .missing: problems.append(AppDirectory.unmatched(name))
            case .refused(let reason):
                if !problems.contains(where: { reason.hasPrefix($0) }) { problems.append("\(name): \(reason)") }
            case .found(let app):
                problems +=
                    (app.credentials.compactMap(Self.problem) + Self.unseenGrants(app.sandbox)
                    + AppDirectory.unknownAccounts(of: app)).map { "\(name): \($0)" }
            }
        }
        return problems
    }

    /// Why a credential could not be handed to the app.
    private static func problem(of credential: CredentialSource) -> String? {
        switch credential.place {
        // Known only when the unit runs.
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

    /// systemd reads the folder as root.
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

    /// Grants that no sandbox can be given.
    private static func unseenGrants(_ sandbox: SandboxSettings) -> [String] {
        sandbox.grantedPlaces.compactMap { key, path in
            do throws(SystemError) {
                _ = try File.openGrant(SystemLinks.resolve(path, on: .kernel))
                return nil
            } catch {
                let hint = error.code.rawValue == ELOOP ? "; it has a link: write what 'realpath \(path)' prints" : ""
                return "\(key)=: '\(path)' cannot be reached by user \(geteuid()): \(error)\(hint)"
            }
        }
    }

    /// Runs the body with that user's permissions for files. The process keeps root as its real user, and is root afterwards.
    private static func become(_ reader: Reader) throws(SystemError) {
        try syscall("initgroups") { initgroups(reader.name, reader.group) }
        try syscall("setegid") { setegid(reader.group) }
        try syscall("seteuid") { seteuid(reader.user) }
    }

    static func becomeRoot() {
        // The kernel permits each of these calls to a process with root as its real user.
        _ = seteuid(0)
        _ = setegid(0)
        _ = setgroups(0, nil)
    }
}
