import CIntentWorker
import Glibc
import IntentLinux

/// The terminal of a program (`Terminal=`).
final class ProgramTerminal {
    /// The path of the program's end.
    let path: String
    /// The worker's end.
    let end: SharedFileDescriptor
    /// The program's end, held open so that the worker's end has no error before the program has opened it, nor after
    /// the program has closed it.
    private let programEnd: SharedFileDescriptor

    /// The number of times that a program can read end of file. Each of them is a Ctrl-D in the terminal's queue.
    private static let endOfFileCount = 64

    init(hasInput: Bool) throws(SystemError) {
        var name = [CChar](repeating: 0, count: 32)
        end = SharedFileDescriptor(
            owning: try syscall("open", on: "/dev/ptmx") { intentd_open_terminal(80, 24, &name) }
        )
        path = String(foreign: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
        programEnd = SharedFileDescriptor(try File.open(path, O_RDWR | O_NOCTTY))
        guard !hasInput else { return }
        try File.write(end.rawValue, [UInt8](repeating: 4, count: Self.endOfFileCount)[...])
    }

    /// The process group in the foreground, such as the one that a shell with job control has started; nil if it has
    /// exited.
    var foregroundGroup: Int32? {
        let group = intentd_foreground_group(end.rawValue)
        return group > 0 ? group : nil
    }
}
