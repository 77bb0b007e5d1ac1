import Glibc
import IntentLinux
import IntentProtocol

/// The user's ssh, which carries a link to the relay at a host.
final class SSHProcess {
    private static let errorByteLimit = 8 << 10

    let socket: SharedFileDescriptor
    /// Standard error of ssh, and of the relay.
    let errors: SharedFileDescriptor
    private let process: ChildProcess
    private var exitCode: Int32?
    private var errorBytes: [UInt8] = []
    /// Standard error has ended.
    private(set) var hasEndedErrors = false

    init(_ program: String, arguments: [String]) throws(SystemError) {
        let pair = try UnixSocket.Pair(.stream).shared()
        let pipe = try Pipe()
        process = try ChildProcess.start(
            program,
            arguments: arguments,
            streams: ChildProcess.Streams(input: pair.second, output: pair.second, error: pipe.writing),
            // SIGINT stays ignored if this process ignores it: Ctrl-C then cancels the run, over this ssh.
            defaults: [SIGPIPE]
        )
        socket = pair.first
        errors = pipe.reading
        try errors.setNonblocking()
    }

    /// Reads what ssh has printed. Only the last part is kept.
    func readErrors() {
        while true {
            // The text explains a failure, which is reported without it, too.
            guard let bytes = (try? File.read(errors.rawValue, upTo: 4096)) ?? nil else { return }
            guard !bytes.isEmpty else {
                hasEndedErrors = true
                return
            }
            errorBytes = Array((errorBytes + bytes).suffix(Self.errorByteLimit))
        }
    }

    /// What ssh has printed, as at most a few lines without control characters.
    var errorText: String {
        let lines = String(decoding: errorBytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.suffix(4).map { SafeText.line(String($0)) }.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Waits for the end of ssh, and ends it if it takes longer.
    ///
    /// - Returns: Its exit code, or 128 and the signal.
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
                // ssh that does not react to SIGTERM may be stopped by the terminal.
                if left < .seconds(-1) { process.signal(SIGKILL) }
            }
            // Standard error ends with ssh, unless it has a master in the background.
            var ready = pollfd(fd: hasEndedErrors ? -1 : errors.rawValue, events: Int16(POLLIN), revents: 0)
            _ = poll(&ready, 1, 20)
            readErrors()
        }
        readErrors()
        return exitCode ?? 0
    }
}
