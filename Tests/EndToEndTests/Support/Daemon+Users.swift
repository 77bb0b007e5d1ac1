import Foundation
import Glibc
import Testing

extension Daemon {
    /// True where other users can be become: as root.
    static var canBecomeOthers: Bool { getuid() == 0 }

    /// Lets every user of the machine connect, as if all were in the socket's group.
    func admitEverybody() throws {
        chmod(folder.url.path, 0o755)
        chmod(socket, 0o666)
        let copy = folder.appending("bin/intentctl")
        if !FileManager.default.fileExists(atPath: copy.path) {
            try FileManager.default.copyItem(at: Programs.intentctl, to: copy)
            chmod(copy.path, 0o755)
        }
    }

    /// Starts `intentctl` as another user, in the folder of that user.
    func start(as user: UInt32, groups: [UInt32] = [], _ arguments: [String], input: URL? = nil) throws -> Command {
        let home = folder.appending("home-\(user)")
        if !FileManager.default.fileExists(atPath: home.path) {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            chown(home.path, user, user)
        }
        let membership =
            groups.isEmpty ? "--clear-groups" : "--groups=\(groups.map(String.init).joined(separator: ","))"
        return try Command(
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            [
                "--reuid=\(user)", "--regid=\(user)", membership, "--", folder.appending("bin/intentctl").path,
                "--socket", socket,
            ] + arguments,
            input: input,
            directory: home
        )
    }

    /// Runs it to its end.
    func intentctl(
        as user: UInt32,
        groups: [UInt32] = [],
        _ arguments: String...
    ) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(as: user, groups: groups, arguments)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }
}
