import FoundationEssentials
import Glibc
import IntentLinux
import IntentWire

/// Somebody else's way to run a task: a program of Tests/Benchmarks/Peers that measures itself when it is told to.
///
/// It has a socket at descriptor 3: a line is a command, a line of JSON the answer. It ends when the socket does.
final class Peer {
    let name: String
    private let process: ChildProcess
    private var socket: SharedFileDescriptor?
    private var bytes: [UInt8] = []

    private struct Answer: Decodable {
        var samples: [Double]?
        var problem: String?
    }

    /// Starts it and waits until it can work.
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
        // How it ended changes nothing of what it measured.
        _ = process.waitForEnd()
        Cleanup.remove(process.number)
    }

    /// Starts a program with the other end of a socket; none of that end is left here, so that its end is heard.
    static func start(
        _ program: String,
        _ arguments: [String]
    ) throws -> (process: ChildProcess, socket: SharedFileDescriptor) {
        let ends = try UnixSocket.Pair(.stream).take()
        return (try ChildProcess.start(program, arguments: arguments, socket: ends.second), ends.first)
    }

    func measure(_ command: String) throws -> Samples {
        guard let socket else { throw BenchmarkError("\(name) is gone") }
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
                throw BenchmarkError("it ended")
            }
            bytes += received
        }
    }
}
