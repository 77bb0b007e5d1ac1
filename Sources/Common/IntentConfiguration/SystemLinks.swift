import IntentLauncherMessages

/// Resolves the symbolic links that only root can create, such as /var/run. A granted path must not contain other
/// links.
package enum SystemLinks {
    /// The folders in which only root can create files on every system that follows hier(7).
    private static let folders: Set<String> = ["", "/usr", "/var", "/etc", "/run"]
    /// The folders below /dev in which other users can create files.
    private static let openFolders = ["/dev/shm", "/dev/mqueue", "/dev/pts"]
    /// The maximum number of links in a path, which is the kernel's limit (path_resolution(7)).
    private static let linkLimit = 40

    /// Returns the path after resolving the links in folders where only root can create files. Other links are not
    /// resolved.
    package static func resolve(_ path: String, on disk: DiskView) -> String {
        var rest = path.split(scalar: "/").map { String($0) }
        var resolved = ""
        var linkCount = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            switch name {
            case ".": continue
            case "..": resolved = parent(of: resolved)
            default:
                guard isOfSystem(resolved), let target = disk.link("\(resolved)/\(name)") else {
                    resolved += "/" + name
                    continue
                }
                linkCount += 1
                guard linkCount <= linkLimit else { return path }
                if target.utf8.first == UInt8(ascii: "/") { resolved = "" }
                rest = target.split(scalar: "/").map { String($0) } + rest
            }
        }
        return resolved.isEmpty ? "/" : resolved
    }

    private static func isOfSystem(_ folder: String) -> Bool {
        if folders.contains(folder) || folder == "/dev" { return true }
        return folder.hasPrefix(utf8: "/dev/")
            && !openFolders.contains { folder == $0 || folder.hasPrefix(utf8: $0 + "/") }
    }

    private static func parent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[..<$0])) } ?? ""
    }
}
