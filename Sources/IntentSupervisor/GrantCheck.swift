import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux
import IntentWire

/// Checks that apps can use what they are granted: no file of the host belongs to their user ids.
struct GrantCheck {
    /// The keys that grant paths.
    private enum Key: String {
        case read = "ReadPaths"
        case write = "WritePaths"
        case socket = "Sockets"
        case device = "Devices"
    }

    private struct Place {
        var app: AppName
        var key: Key
        var path: String
        var kind: File.Kind
        var file: SharedFileDescriptor
    }

    /// An id of the range for sandboxes that owns no file and that no app has.
    private static let user = HostIDs.forService.first

    /// The group for grants: every app is a member.
    let group: UInt32

    /// Lists grants that permit nothing. The caller is root, before and after.
    func problems(in installation: Installation) throws(SystemError) -> [String] {
        let places = Self.places(in: installation)
        guard !places.isEmpty else { return [] }
        try become()
        defer { ConfigurationCheck.becomeRoot() }
        return places.filter { !Self.permits($0) }.map(problem)
    }

    /// Paths as the launcher passes them to sandboxes: apps need no permission for the folders above them.
    private static func places(in installation: Installation) -> [Place] {
        var memory = InstallationMemory()
        return installation.appNames(on: .kernel).flatMap { name -> [Place] in
            guard case .found(let app) = memory.app(name, in: installation, on: .kernel) else { return [] }
            return app.sandbox.grantedPlaces.compactMap { key, path in
                // The launcher's own check reports a path that cannot be opened.
                guard let key = Key(rawValue: key),
                    let file = try? SharedFileDescriptor(File.openGrant(SystemLinks.resolve(path, on: .kernel))),
                    let kind = try? File.status(of: file.rawValue).kind
                else { return nil }
                return Place(app: name, key: key, path: path, kind: kind, file: file)
            }
        }
    }

    private static func permits(_ place: Place) -> Bool {
        let modes: [Int32] =
            switch place.key {
            case .read: [place.kind == .directory ? X_OK : R_OK]
            case .write: [place.kind == .directory ? W_OK | X_OK : W_OK]
            case .socket: [W_OK]
            case .device: [R_OK, W_OK]
            }
        return modes.contains { File.mayAccess(place.file.rawValue, $0) }
    }

    private func problem(of place: Place) -> String {
        let group = getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
        let (permissions, verb) =
            switch place.key {
            case .read: ("rX", "read")
            case .write: ("rwX", "written")
            case .socket: ("rw", "connected to")
            case .device: ("rw", "used")
            }
        let entry = "g:\(group):\(permissions)"
        let options = place.kind == .directory ? "-R -m \(entry),d:\(entry)" : "-m \(entry)"
        let word = place.path.replacing("'", with: #"'\''"#)
        return """
            \(place.app): \(place.key.rawValue)=: '\(place.path)' cannot be \(verb) by apps, which have user ids of their own and the \
            group '\(group)'; to permit it: setfacl \(options) '\(word)'
            """
    }

    private func become() throws(SystemError) {
        let groups = [group]
        try syscall("setgroups") { setgroups(1, groups) }
        try syscall("setegid") { setegid(Self.user) }
        try syscall("seteuid") { seteuid(Self.user) }
    }
}
