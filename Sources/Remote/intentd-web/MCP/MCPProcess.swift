import Glibc
import IntentCommandLine
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The process `intentctl mcp --sessions` of one caller. It performs the protocol; this program only passes messages on.
///
/// Use an instance only on the loop's thread.
final class MCPProcess {
    private static let readByteCount = 64 << 10
    private static let lineByteLimit = 16 << 20
    private static let unsentByteLimit = 4 << 20

    let process: ChildProcess
    private let input: SharedFileDescriptor
    private let output: SharedFileDescriptor
    private var inputSource: EventSource?
    private var outputSource: EventSource?
    private var unsent: [UInt8] = []
    private var received: [UInt8] = []
    private var lastSession: UInt64 = 0
    /// The functions that receive the messages of sessions.
    private var sessions: [UInt64: (JSONValue, String) -> Void] = [:]
    private(set) var hasEnded = false
    var whenEnded: () -> Void = {}

    init(_ command: [String], on loop: EventLoop) throws(SystemError) {
        let (toProcess, fromProcess) = (try Pipe(), try Pipe())
        process = try ChildProcess.start(
            command[0],
            arguments: Array(command.dropFirst()),
            streams: ChildProcess.Streams(
                input: toProcess.reading,
                output: fromProcess.writing,
                error: try SharedFileDescriptor(owning: 2, closer: { _ in }).duplicate()
            ),
            defaults: [SIGPIPE]
        )
        input = toProcess.writing
        output = fromProcess.reading
        try input.setNonblocking()
        try output.setNonblocking()
        outputSource = try loop.descriptor(output, [.readable]) { [weak self] _ in self?.read() }
        inputSource = try loop.descriptor(input, []) { [weak self] events in
            if events.contains(.failed) { self?.end() } else { self?.write() }
        }
    }

    var isIdle: Bool { sessions.isEmpty }

    /// Begins a session.
    ///
    /// - Parameter receive: Receives each message, parsed and as text.
    func open(_ receive: @escaping (JSONValue, String) -> Void) -> UInt64 {
        lastSession += 1
        sessions[lastSession] = receive
        return lastSession
    }

    func send(_ line: [UInt8], to session: UInt64) {
        guard !hasEnded, unsent.count + line.count <= Self.unsentByteLimit else { return end() }
        unsent += Array("\(session) ".utf8) + line + [UInt8(ascii: "\n")]
        write()
    }

    func close(_ session: UInt64) {
        guard sessions.removeValue(forKey: session) != nil, !hasEnded else { return }
        send([], to: session)
    }

    /// Closes the input, so that the process cancels open calls and exits.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        (inputSource, outputSource, sessions) = (nil, nil, [:])
        whenEnded()
    }

    private func write() {
        do throws(SystemError) {
            var rest = unsent[...]
            while !rest.isEmpty {
                guard let count = try File.writePart(input.rawValue, rest) else { break }
                rest = rest.dropFirst(count)
            }
            unsent = Array(rest)
            try inputSource?.watch(unsent.isEmpty ? [] : .writable)
        } catch {
            end()
        }
    }

    private func read() {
        do throws(SystemError) {
            guard let part = try File.read(output.rawValue, upTo: Self.readByteCount) else { return }
            guard !part.isEmpty, received.count + part.count <= Self.lineByteLimit else { return end() }
            received += part
        } catch {
            return end()
        }
        while let end = received.firstIndex(of: UInt8(ascii: "\n")), !hasEnded {
            let line = Array(received[..<end])
            received.removeFirst(end + 1)
            deliver(line)
        }
    }

    private func deliver(_ line: [UInt8]) {
        let digits = line.prefix { $0 != UInt8(ascii: " ") }
        let message = Array(line.dropFirst(digits.count + 1))
        guard let session = UInt64(String(foreign: digits)), let receive = sessions[session],
            let value = try? WireCoding.decodeFile(JSONValue.self, from: message)
        else { return }
        receive(value, String(foreign: message))
    }
}
