/// The reason why an ELF file or the libraries that it needs cannot be read.
package enum ElfError: Error, Equatable, Sendable {
    case unreadable(SystemError)
    /// The file is a directory, a device or a pipe.
    case notRegular(String)
    /// The file starts with `#!`.
    case script(String)
    case notElf(String)
    /// The file is built for another architecture.
    case foreign(String, machine: String)
    /// The file is 32-bit or big-endian.
    case unsupported(String)
    /// The file is neither an executable nor a library. For example, it is an object file or a core dump.
    case notLoadable(String)
    /// A structure in the file is inconsistent or exceeds a limit. The second string is a clause that describes the
    /// problem.
    case damaged(String, String)
    /// The file needs more libraries than the limit, or the search for them needs too many attempts.
    case excessive(String, limit: Int)
}

extension ElfError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error):
            "cannot find an executable's libraries: \(error). Check the file's path and permissions."
        case .notRegular(let path):
            Self.text(path, "it is not a regular file. Specify the executable that 'swift build' created.")
        case .script(let path):
            Self.text(path, "it is a script. Specify the executable that the script starts.")
        case .notElf(let path) where path.utf8.suffix(8).elementsEqual(".intents".utf8):
            Self.text(
                path,
                "it is a file of command intents, not an app. Move it to /etc/intentd/commands.d."
            )
        case .notElf(let path):
            Self.text(path, "it is not an ELF file. Specify the executable that 'swift build' created.")
        case .foreign(let path, let machine):
            Self.text(
                path,
                "it is built for \(machine), and this machine is \(ElfMachine.own.name). Build it for this machine."
            )
        case .unsupported(let path):
            Self.text(path, "it is not a 64-bit little-endian ELF file. Build it for this machine.")
        case .notLoadable(let path):
            Self.text(
                path,
                "it is neither an executable nor a library. Specify the executable that 'swift build' created."
            )
        case .damaged(let path, let what):
            "cannot find the libraries of '\(path)', because the file is damaged: \(what). Build or install it again."
        case .excessive(let path, let limit):
            Self.text(
                path,
                """
                it needs more than \(limit) libraries, or lists too many folders. Link it with fewer libraries, or with \
                '-static-stdlib'.
                """
            )
        }
    }

    private static func text(_ path: String, _ problem: String) -> String {
        "cannot find the libraries of '\(path)': \(problem)"
    }
}
