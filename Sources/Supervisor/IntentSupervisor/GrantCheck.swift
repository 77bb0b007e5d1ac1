import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux

/// A check that apps can use the paths that the operator grants to them. Apps run with user ids that own no file on the
/// host.
struct GrantCheck {
    private struct Grant {
        var app: AppName
        var grant: PathGrant
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
            return app.unit.sandbox.grantedPaths.compactMap { grant in
                // Skip a path that cannot be opened, because the check with the launcher's permissions reports it.
                guard
                    let file = try? SharedFileDescriptor(File.openGrant(SystemLinks.resolve(grant.path, on: .kernel))),
                    let kind = try? File.status(of: file.rawValue).kind
                else { return nil }
                return Grant(app: name, grant: grant, kind: kind, file: file)
            }
        }
    }

    private static func permits(_ grant: Grant) -> Bool {
        let needed = Int32(grant.grant.permissions(isFolder: grant.kind == .directory))
        // An app may be meant to use a device in one direction only.
        let modes = grant.grant.access == .device ? [R_OK, W_OK] : [needed]
        return modes.contains { File.mayAccess(grant.file.rawValue, $0) }
    }

    private func problem(of grant: Grant) -> String {
        let group = getgrgid(group).map { String(foreign: $0.pointee.gr_name) } ?? "\(group)"
        let verb =
            switch grant.grant.access {
            case .reading: "read"
            case .writing: "written"
            case .connecting: "connected to"
            case .device: "used"
            }
        let (key, path) = (grant.grant.key, grant.grant.path)
        let options = grant.grant.aclOptions(group: group, isFolder: grant.kind == .directory)
        return """
            \(grant.app): \(key)=: '\(path)' cannot be \(verb) by apps, which have user ids of their own and \
            the group '\(group)'; to permit it: setfacl \(options) \(Self.quoted(path))
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
