import CIntentLinux
import Glibc

/// Runs a program that reads an untrusted file, such as an executable with its debug information.
///
/// The program has the user's read access and no other rights: it has no capabilities, and cannot change files, start
/// processes, reach other processes and sockets, or control terminals. Its processor time and memory are limited.
package enum ConfinedTool {
    /// The maximum size of a program's output, in bytes.
    private static let outputByteLimit = 1 << 20

    /// The name (`argv[0]`) with which one of intentd's programs executes itself to demangle names.
    package static let demanglerName = "intentd-demangle"

    /// Prints the demangled form of each name on a separate line.
    package static func printReadableNames(_ names: some Sequence<String>) {
        for name in names { print(readableName(name)) }
    }

    /// Returns the demangled form of a name that this process may trust, such as one of its own executable; the name itself if
    /// it is not mangled.
    package static func readableName(_ name: String) -> String {
        let text = intentd_demangle(name)
        defer { free(text) }
        return text.map { String(foreign: $0) } ?? name
    }

    /// Returns the demangled forms of names. A confined process demangles them, because the names may come from an app
    /// and the Swift runtime's demangler is not hardened against malicious input.
    ///
    /// - Returns: The names in the same order; `names` itself if the process failed.
    package static func readableNames(_ names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        // A failure to start the process is not reported, because the mangled names remain usable.
        let text = try? output(of: "/proc/self/exe", name: demanglerName, arguments: names)
        let lines = text?.lines().map { String($0) } ?? []
        return lines.count == names.count ? lines : names
    }

    /// Returns the path of a program in `PATH`, or nil if it is not installed.
    package static func path(of program: String) -> String? {
        let folders = getenv("PATH").map { String(foreign: $0) } ?? "/usr/bin:/bin"
        return folders.split(scalar: ":").lazy.filter { $0.hasPrefix(utf8: "/") }.map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Runs a program until it exits, and returns its standard output. Its standard error is discarded.
    ///
    /// - Returns: The output, or nil if the program failed or printed more than 1 MiB.
    /// - Throws: ``SystemError`` if the program cannot be started.
    package static func output(
        of program: String,
        name: String? = nil,
        arguments: [String]
    ) throws(SystemError) -> String? {
        let (child, reading) = try start(program, name ?? program, arguments)
        var bytes: [UInt8] = []
        var isTooLong = false
        while let more = try? File.read(reading.rawValue, upTo: 64 << 10), !more.isEmpty {
            bytes += more
            guard bytes.count <= outputByteLimit else {
                isTooLong = true
                kill(child, SIGKILL)
                break
            }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 && !isTooLong ? String(foreign: bytes) : nil
    }

    /// Starts a program that writes its output to a pipe. Only the child keeps the write end, so that the reader
    /// receives end of file when the child exits.
    private static func start(
        _ program: String,
        _ name: String,
        _ arguments: [String]
    ) throws(SystemError) -> (child: Int32, reading: SharedFileDescriptor) {
        let pipe = try Pipe()
        let silence = try File.open("/dev/null", O_RDWR)
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
        // Pass no other variables, because DEBUGINFOD_URLS would make the program download debug information.
        var settings = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
        if let libraries = getenv("LD_LIBRARY_PATH") {
            settings.append("LD_LIBRARY_PATH=\(String(foreign: libraries))")
        }
        var variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) }
        defer { for text in words + variables { free(text) } }
        words.append(nil)
        variables.append(nil)
        let child = try syscall("fork") {
            intentd_start_confined_tool(program, words, variables, pipe.writing.rawValue, silence.rawValue)
        }
        return (child, pipe.reading)
    }
}
