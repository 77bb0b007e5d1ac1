import IntentConfiguration
import IntentLauncherMessages

/// A disk in memory: a table of files by path.
struct FakeDisk {
    private var files: [String: (facts: FileFacts, bytes: [UInt8])] = [:]

    mutating func add(_ path: String, text: String = "\u{7F}ELF") { add(path, Array(text.utf8)) }

    mutating func add(_ path: String, _ bytes: [UInt8]) {
        var facts = FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0o755)
        facts.byteCount = Int64(bytes.count)
        files[path] = (facts, bytes)
    }

    mutating func addFolder(_ path: String) {
        files[path] = (FileFacts(isRegular: false, isFolder: true, owner: 0, permissions: 0o755), [])
    }

    mutating func change(_ path: String, owner: UInt32, permissions: UInt32) {
        files[path]?.facts.owner = owner
        files[path]?.facts.permissions = permissions
    }

    var view: DiskView {
        let files = files
        return DiskView(
            facts: { files[$0]?.facts },
            bytes: { files[$0]?.bytes },
            names: { folder in
                files.keys.filter { $0.hasPrefix(utf8: folder + "/") }
                    .map { String($0.dropFirst(scalars: folder.scalarCount + 1)) }
                    .filter { !$0.contains(utf8: "/") }
                    .sorted()
            }
        )
    }
}
