import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux
import IntentWire

/// A check that apps can use the paths that the operator grants to them. Apps run with user ids that own no file on the
/// host.
struct GrantCheck {
    /// The keys that grant paths.
    private enum Key: String {
        case program = "Programs"
        case read = "ReadPaths"
        case write = "WritePaths"
        case socket = "Sockets"
        case device = "Devices"
    }

    private struct Grant {
        var app: AppName
        var key: Key
        var path: String
        var kind: File.Kind
        var file: SharedFileDescriptor
    }

    /// A user id from the range for sandboxes. It owns no file and belongs to no app.
    private static let user = HostIDs.forService.first

    /// The group to which the operator must give access to granted files. Every app is a member of this group.
    let group: UInt32

    /// Returns messages about grants that have no effect. This process must be root, and is root again when the method
    /// returns.
    func problems(in installation: Installation) throws(SystemError) -> [String] {
        let grants = Self.grants(in: installation)
        guard !grants.isEmpty else { return [] }
        try become()
        defer { ConfigurationCheck.becomeRoot() }
        return grants.filter { !Self.permits($0) }.map(problem)
    }

    /// Returns the grants of all apps, each with its open file. An app receives the file itself, already opened by the
    /// launcher, so it needs no access to the file's parent folders.
    private static func grants(in installation: Installation) -> [Grant] {
        var memory = InstallationMemory()
        return installation.appNames(on: .kernel).flatMap { name -> [Grant] in
            guard case .found(let app) = memory.app(name, in: installation, on: .kernel) else { return [] }
            return app.unit.sandbox.grantedPaths.compactMap { key, path in
                // Skip a path that cannot be opened, because the check with the launcher's permissions reports it.
                guard let key = Key(rawValue: key),
                    let file = try? SharedFileDescriptor(File.openGrant(SystemLinks.resolve(path, on: .kernel))),
                    let kind = try? File.status(of: file.rawValue).kind
                else { return nil }
                return Grant(app: name, key: key, path: path, kind: kind, file: file)
            }
        }
    }

    private static func permits(_ grant: Grant) -> Bool {
        let modes: [Int32] =
            switch grant.key {
            case .program, .read: [grant.kind == .directory ? X_OK : R_OK]
            case .write: [grant.kind == .directory ? W_OK | X_OK : W_OK]
            case .socket: [W_OK]
            case .device: [R_OK, W_OK]
            }
        return modes.contains { File.mayAccess(grant.file.rawValue, $0) }
    }

    private func problem(of grant: Grant) -> String {
        let group = getgrgid(group).map { String(foreign: $0.pointee.gr_name) } ?? "\(group)"
        let (permissions, verb) =
            switch grant.key {
            case .program, .read: ("rX", "read")
            case .write: ("rwX", "written")
            case .socket: ("rw", "connected to")
            case .device: ("rw", "used")
            }
        let entry = "g:\(group):\(permissions)"
        let options = grant.kind == .directory ? "-R -m \(entry),d:\(entry)" : "-m \(entry)"
        return """
            \(grant.app): \(grant.key.rawValue)=: '\(grant.path)' cannot be \(verb) by apps, which have user ids of their own and \
            the group '\(group)'; to permit it: setfacl \(options) \(Self.quoted(grant.path))
            """
    }

    /// Quotes a text for the shell.
    static func quoted(_ text: String) -> String { "'" + text.replacing(utf8: "'", with: #"'\''"#) + "'" }

    private func become() throws(SystemError) {
        let groups = [group]
        try syscall("setgroups") { setgroups(1, groups) }
        try syscall("setegid") { setegid(Self.user) }
        try syscall("seteuid") { seteuid(Self.user) }
    }
}
