import Glibc
import IntentLinux
import IntentProtocol

/// The user's ssh process, which provides a link to the relay on a host.
final class SSHProcess {
    private static let errorByteLimit = 8 << 10

    let socket: SharedFileDescriptor
    /// ssh's standard error, which includes the relay's.
    let errors: SharedFileDescriptor
    private let process: ChildProcess
    private var exitCode: Int32?
    private var errorBytes: [UInt8] = []
    /// True if standard error has reached its end.
    private(set) var hasEndedErrors = false

    init(_ program: String, arguments: [String]) throws(SystemError) {
        let pair = try UnixSocket.Pair(.stream).shared()
        let pipe = try Pipe()
        process = try ChildProcess.start(
            program,
            arguments: arguments,
            streams: ChildProcess.Streams(input: pair.second, output: pair.second, error: pipe.writing),
            // Ctrl-C on a terminal ends ssh, too, unless this process ignores SIGINT. The request to cancel the run is
            // then sent over the next connection.
            defaults: [SIGPIPE]
        )
        socket = pair.first
        errors = pipe.reading
        try errors.setNonblocking()
    }

    /// Reads what is available from ssh's standard error. Keeps only the last 8 KiB.
    func readErrors() {
        while true {
            // Ignore a read error: without this output, the failure is still reported.
            guard let bytes = (try? File.read(errors.rawValue, upTo: 4096)) ?? nil else { return }
            guard !bytes.isEmpty else {
                hasEndedErrors = true
                return
            }
            errorBytes = Array((errorBytes + bytes).suffix(Self.errorByteLimit))
        }
    }

    /// The last lines that ssh printed to standard error, without control characters.
    var errorText: String {
        let lines = String(foreign: errorBytes).split(whereScalar: \.isLineBreak)
        return lines.suffix(4).map { SafeText.line(String($0)) }.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Closes the connection and waits until ssh has exited. Sends SIGTERM after the given time, and SIGKILL 1 s later.
    ///
    /// - Returns: The exit code, or 128 plus the signal number.
    @discardableResult
    func end(within time: Duration) -> Int32 {
        UnixSocket.shutDown(socket.rawValue)
        let last = RelayEnd.now + time
        while exitCode == nil {
            exitCode = process.exitCodeIfEnded()
            if exitCode != nil { break }
            let left = last - RelayEnd.now
            if left <= .zero {
                process.signal(SIGTERM)
                // Send SIGKILL too, because a stopped process (SIGTTOU, SIGTSTP) does not react to SIGTERM.
                if left < .seconds(-1) { process.signal(SIGKILL) }
            }
            // The end of standard error wakes this loop when ssh exits. The timeout is for an ssh master process in the
            // background, which keeps standard error open.
            var ready = pollfd(fd: hasEndedErrors ? -1 : errors.rawValue, events: Int16(POLLIN), revents: 0)
            _ = poll(&ready, 1, 20)
            readErrors()
        }
        readErrors()
        return exitCode ?? 0
    }
}
