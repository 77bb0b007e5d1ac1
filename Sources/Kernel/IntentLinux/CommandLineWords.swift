import Glibc

/// The command line of the process. The program that started the process chose the words.
package enum CommandLineWords {
    /// All words with all their bytes (``ByteText``), the program's name first.
    private static var all: [String] {
        // SAFETY: the array has argc strings that end with NUL — the C runtime made it, and no code of ours changes it.
        let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return words.compactMap(\.self).map { word in
            ByteText.text(of: Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
        }
    }

    /// The program's name as the caller wrote it.
    package static var program: String { StreamSafeText.stabilize(all.first ?? "") }

    /// The words after the program's name, for a program that checks them with ``StreamSafeText`` and accepts paths that
    /// are not UTF-8.
    package static var bytes: [String] { Array(all.dropFirst()) }

    /// Returns the words after the program's name. Ends the process with exit code 64 (EX_USAGE) unless all of them are
    /// UTF-8 and stream-safe (``StreamSafeText``).
    package static func read() -> [String] {
        let words = bytes
        guard let problem = StreamSafeText.problem(in: words) ?? ByteText.problem(in: words) else { return words }
        let name = program.split(scalar: "/").last ?? ""
        let line = Array("\(SafeText.line(String(name))): \(problem)\n".utf8)
        // Ignore an error of the write, because it cannot be reported. The exit status still reports the failure.
        _ = Glibc.write(STDERR_FILENO, line, line.count)
        exit(64)
    }
}
