import Glibc

/// The command line of the process. The program that started the process chose the words.
package enum CommandLineWords {
    /// The program's name as the caller wrote it.
    package static var program: String { String(foreign: (CommandLine.arguments.first ?? "").utf8) }

    /// Returns the words after the program's name. Ends the process with exit code 64 (EX_USAGE) unless all of them are
    /// stream-safe (``StreamSafeText``).
    package static func read() -> [String] {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let problem = StreamSafeText.problem(in: words) else { return words }
        let name = program.split(scalar: "/").last ?? ""
        let line = Array("\(SafeText.line(String(name))): \(problem)\n".utf8)
        // Ignore an error of the write, because it cannot be reported. The exit status still reports the failure.
        _ = Glibc.write(STDERR_FILENO, line, line.count)
        exit(64)
    }
}
