import IntentLinux

/// The mounts that this process sees (proc_pid_mountinfo(5)).
package struct MountTable: Equatable, Sendable {
    private struct Mount: Equatable, Sendable {
        var id: UInt64
        var path: String
    }

    private var mounts: [Mount] = []

    /// The kernel's file. It is readable with `POLLPRI` after a change since the last read.
    package static let path = "/proc/self/mountinfo"

    package init() {}

    /// Parses the contents of the kernel's file.
    package init(_ text: String) {
        for line in File.lines(of: text) {
            // ID PARENT DEVICE ROOT MOUNT-POINT OPTIONS…
            let fields = line.split(scalar: " ")
            guard fields.count > 4, let id = UInt64(fields[0]) else { continue }
            mounts.append(Mount(id: id, path: Self.unescaped(fields[4])))
        }
    }

    /// The ids of the mounts below a path, in the order of the table. The mount at the path itself is not below it.
    package func ids(below path: String) -> [UInt64] {
        let prefix = path == "/" ? path : path + "/"
        return mounts.filter { $0.path.hasPrefix(utf8: prefix) && $0.path.utf8.count > prefix.utf8.count }.map(\.id)
    }

    /// Replaces `\040` and the kernel's other octal escapes.
    private static func unescaped(_ field: Substring) -> String {
        let bytes = Array(field.utf8)
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(field) }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let digits = bytes[(index + 1)...].prefix(3)
            if bytes[index] == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(foreign: Array(digits)), radix: 8)
            {
                result.append(value)
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(foreign: result)
    }
}
