import IntentConfiguration
import IntentDaemon
import IntentLinux

/// The command line of `intentd-fleet` as a service.
struct ServiceArguments {
    var configuration = "/etc/intentd/fleet.conf"
    /// The socket of this host's intentd.
    var intentdSocket = "/run/intentd/intentd.sock"
    /// The socket for local users; nil to use the socket that systemd passes.
    var socket: String?
    var stateFolder = "/var/lib/intentd-fleet"

    static let usage = """
        usage: intentd-fleet [--configuration FILE] [--intentd-socket PATH] [--socket PATH] [--state FOLDER]
               intentd-fleet init|upgrade|add-host|remove-host|drain|nodes|lost|retry|runs ... (see intentctl fleet --help)
        """

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else {
                throw UsageError("'\(option)' is an unknown option or has no value")
            }
            switch option {
            case "--configuration": configuration = value
            case "--intentd-socket": intentdSocket = value
            case "--socket": socket = value
            case "--state": stateFolder = value
            default: throw UsageError("unknown option '\(option)'")
            }
        }
    }

    /// The uids of sandboxes on this host: the built-in ranges, and `IdRange=` of the intentd.conf in the folder of the
    /// settings. A file that this service cannot read sets no range.
    var appIDs: [HostIDs] {
        let folder =
            configuration.utf8.lastIndex(of: UInt8(ascii: "/"))
            .map { String(configuration[configuration.startIndex..<$0]) } ?? "."
        let installation = Installation(appFolders: [], configurationFolders: [folder], user: nil)
        return [.forService, .forRoot] + [installation.daemon(on: .kernel).idRange].compactMap(\.self)
    }

    /// Reads the settings.
    ///
    /// - Throws: ``UsageError`` for a file that is invalid or does not name a database.
    static func settings(at path: String) throws -> FleetServiceSettings {
        let status: File.Status
        do {
            status = try File.status(at: path)
        } catch {
            throw UsageError("cannot read the settings: \(error). Create the file with Database= in [Fleet].")
        }
        // The file determines which database this host trusts with the runs' values.
        guard status.permissions & 0o022 == 0 else {
            throw UsageError("other users can write to '\(path)'. Remove that permission: chmod go-w '\(path)'.")
        }
        let settings = try FleetServiceSettings(UnitFile(try File.bytes(at: path), file: path))
        guard !settings.databases.isEmpty else {
            throw UsageError("\(path): no server. Add Database= with a connection string to [Fleet].")
        }
        return settings
    }
}
