import Glibc
import IntentLinux
import IntentProtocol
import Synchronization

/// An ssh process of the user, which connects a socket with a command on a host.
final class SSHProcess: Sendable {
    private struct State {
        var errors: [UInt8] = []
        var hasEndedErrors = false
        var exitCode: Int32?
    }

    private static let errorByteLimit = 8 << 10

    let socket: SharedFileDescriptor
    private let process: ChildProcess
    private let state = Mutex(State())

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
        let errors = pipe.reading
        try DetachedThread.start { [self] in readErrors(from: errors) }
    }

    /// Reads ssh's standard error, which includes the server's, to its end. Keeps only the last 8 KiB.
    private func readErrors(from errors: SharedFileDescriptor) {
        // Treat a read error as the end: without this output, a failure is still reported.
        while let bytes = (try? File.read(errors.rawValue, upTo: 4096)) ?? nil, !bytes.isEmpty {
            state.withLock { $0.errors = Array(($0.errors + bytes).suffix(Self.errorByteLimit)) }
        }
        state.withLock { $0.hasEndedErrors = true }
    }

    /// The last lines that ssh printed to standard error, without control characters.
    var errorText: String {
        let lines = String(foreign: state.withLock(\.errors)).split(whereScalar: \.isLineBreak)
        return lines.suffix(4).map { SafeText.line(String($0)) }.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Closes the connection. A thread that reads from it receives its end.
    func disconnect() { UnixSocket.shutDown(socket.rawValue) }

    /// Closes the connection and waits until ssh has exited. Sends SIGTERM after the given time, and SIGKILL 1 s later.
    ///
    /// - Returns: The exit code, or 128 plus the signal number.
    @discardableResult
    func end(within time: Duration) -> Int32 {
        disconnect()
        let last = ContinuousClock.now + time
        while true {
            let (code, hasEndedErrors) = state.withLock { state in
                state.exitCode = state.exitCode ?? process.exitCodeIfEnded()
                return (state.exitCode, state.hasEndedErrors)
            }
            let left = last - ContinuousClock.now
            // An ssh master process in the background keeps standard error open.
            if let code, hasEndedErrors || left <= .zero { return code }
            if code == nil, left <= .zero {
                process.signal(SIGTERM)
                // Send SIGKILL too, because a stopped process (SIGTTOU, SIGTSTP) does not react to SIGTERM.
                if left < .seconds(-1) { process.signal(SIGKILL) }
            }
            _ = poll(nil, 0, 5)
        }
    }
}
