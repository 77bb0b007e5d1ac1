import FoundationEssentials
import Glibc
import IntentLauncherMessages
import IntentLinux

/// A program of Tests/Benchmarks/Peers that measures another task runner on command.
///
/// Its descriptor 3 is a socket: each command is a line, and each answer a line of JSON. It exits when the socket is
/// closed.
final class Peer {
    let name: String
    private let process: ChildProcess
    private var socket: SharedFileDescriptor?
    private var bytes: [UInt8] = []

    private struct Answer: Decodable {
        var samples: [Double]?
        var problem: String?
    }

    /// Starts the peer and waits until it is ready.
    init(_ name: String, _ program: String, _ arguments: [String]) throws {
        self.name = name
        let started = try Self.start(program, arguments)
        process = started.process
        socket = started.socket
        Cleanup.add(process.number)
        _ = try answer()
    }

    deinit {
        socket = nil
        // The exit status does not affect the measurements.
        _ = process.waitForEnd()
        Cleanup.remove(process.number)
    }

    /// Starts a program with one end of a socket. This process keeps no copy of that end, so that it notices the exit.
    static func start(
        _ program: String,
        _ arguments: [String]
    ) throws -> (process: ChildProcess, socket: SharedFileDescriptor) {
        let ends = try UnixSocket.Pair(.stream).shared()
        return (try ChildProcess.start(program, arguments: arguments, socket: ends.second), ends.first)
    }

    func measure(_ command: String) throws -> Samples {
        guard let socket else { throw BenchmarkError("\(name) has exited") }
        try File.write(socket.rawValue, Array("\(command)\n".utf8)[...])
        return try answer()
    }

    private func answer() throws -> Samples {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(bytes[..<end])
                bytes.removeSubrange(...end)
                let answer = try WireCoding.decode(Answer.self, from: line)
                if let problem = answer.problem { throw BenchmarkError(problem) }
                return Samples(answer.samples ?? [])
            }
            guard let socket, let received = try File.read(socket.rawValue, upTo: 64 << 10), !received.isEmpty else {
                throw BenchmarkError("the peer has exited")
            }
            bytes += received
        }
    }
}
