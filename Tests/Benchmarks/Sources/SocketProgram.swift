import Glibc
import IntentLinux

/// A program that reads from a socket and writes to it, until this value is released.
final class SocketProgram {
    let process: ChildProcess
    let socket: SharedFileDescriptor

    init(_ program: String, _ arguments: [String]) throws {
        let ends = try UnixSocket.Pair(.stream).shared()
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        socket = ends.first
        process = try ChildProcess.start(
            program,
            arguments: arguments,
            streams: ChildProcess.Streams(input: ends.second, output: ends.second, error: null),
            defaults: [SIGPIPE]
        )
        Cleanup.add(process.number)
    }

    deinit {
        kill(process.number, SIGKILL)
        // The exit status does not affect the measurements.
        _ = process.waitForEnd()
        Cleanup.remove(process.number)
    }
}
