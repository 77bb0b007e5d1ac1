import Glibc
import IntentLinux

/// The process that performs the command for one of several hosts.
final class HostProcess {
    let child: ChildProcess
    private let host: HostName
    private let output: SharedFileDescriptor
    private let errors: SharedFileDescriptor
    private var outputBytes: [UInt8] = []
    private var lines = HostLines()
    private var hasOutput = true
    private var hasErrors = true

    /// - Parameter input: The file from which the process reads its standard input; nil for /dev/null.
    init(_ host: HostName, _ arguments: [String], input: SharedFileDescriptor?) throws(CommandFailure) {
        self.host = host
        do throws(SystemError) {
            let pipes = (output: try Pipe(), errors: try Pipe())
            let source = SharedFileDescriptor(
                try File.open(input.map { "/proc/self/fd/\($0.rawValue)" } ?? "/dev/null", O_RDONLY)
            )
            child = try ChildProcess.start(
                "/proc/self/exe",
                arguments: arguments,
                streams: ChildProcess.Streams(
                    input: source,
                    output: pipes.output.writing,
                    error: pipes.errors.writing
                ),
                environment: [FanOutCommand.hostVariable: host.text],
                defaults: [SIGPIPE, SIGINT, SIGTERM]
            )
            output = pipes.output.reading
            errors = pipes.errors.reading
            try output.setNonblocking()
            try errors.setNonblocking()
        } catch {
            throw CommandFailure(.system, "cannot start intentctl for '\(host)': \(error)")
        }
    }

    var polls: [pollfd] {
        ((hasOutput ? [output] : []) + (hasErrors ? [errors] : [])).map {
            pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Reads the available output, and returns the lines to show to the user.
    func read(limit: Int) throws(CommandFailure) -> [HostLines.Line] {
        while hasOutput, let bytes = next(output) {
            if bytes.isEmpty { hasOutput = false }
            outputBytes += bytes.prefix(max(0, limit - outputBytes.count))
        }
        var shown: [HostLines.Line] = []
        while hasErrors, let bytes = next(errors) {
            if bytes.isEmpty {
                hasErrors = false
                if let last = lines.finish() { shown.append(last) }
            }
            shown += lines.add(bytes)
        }
        return shown
    }

    /// Returns the answer, or nil until both streams and the process have ended.
    func answer() -> HostAnswer? {
        guard !hasOutput, !hasErrors else { return nil }
        let code = child.waitForExitCode()
        while outputBytes.last == UInt8(ascii: "\n") { outputBytes.removeLast() }
        return HostAnswer(
            host: host.text,
            code: ExitCode(rawValue: code) ?? .failed,
            output: String(foreign: outputBytes),
            failure: lines.failure
        )
    }

    /// Returns the available bytes, an empty array at the end of the file, or nil if no bytes have arrived yet. Treats
    /// an unreadable pipe like a pipe that has ended.
    private func next(_ stream: SharedFileDescriptor) -> [UInt8]? {
        do throws(SystemError) {
            return try File.read(stream.rawValue, upTo: 64 << 10)
        } catch {
            return []
        }
    }
}
