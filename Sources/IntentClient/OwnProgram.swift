internal import Glibc

/// The executable of the current process.
package enum OwnProgram {
    /// The folder that contains the executable; nil when /proc is not mounted.
    package static let folder: String? = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count), as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }()
}
