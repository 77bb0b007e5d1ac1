import CIntentWorker
import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux

/// The kernel objects of an MCP server: its process, and the pipes to it.
final class ServerSession {
    enum Event {
        /// A line of standard output, without its line end.
        case line([UInt8])
        /// A line of standard output exceeds ``ServerMessage/byteLimit``.
        case lineTooLong
        /// Standard output has ended.
        case outputEnded
    }

    private let arguments: [String]
    private var process: ProgramProcess?
    private var input: SharedFileDescriptor?
    private var output: SharedFileDescriptor?
    private var error: CopiedOutput?
    private var lines = LineBuffer(byteLimit: ServerMessage.byteLimit)
    /// The bytes that the server has not read yet.
    private var unsent: ArraySlice<UInt8> = []
    /// What the run has not printed yet, because it has not begun.
    private var kept: [UInt8]? = []
    /// The end of standard error, which explains the end of the server.
    private var tail: [UInt8] = []

    private static let readByteCount = 64 << 10
    private static let tailByteCount = 4 << 10
    /// The maximum size of what a server prints before its run begins, in bytes. It then waits for the run.
    private static let keptByteLimit = 64 << 10

    /// - Parameter arguments: The path of the server's program, and its arguments.
    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// Starts the server, after an earlier one has ended.
    ///
    /// - Throws: An error with the reason and the next step.
    func start() throws {
        stop()
        // This function must not keep the ends of the server. Otherwise its output would never end.
        let (inputPipe, outputPipe, errorPipe) = (try Pipe(), try Pipe(), try Pipe())
        process = try ProgramProcess(
            ProgramProcess.Plan(
                arguments: arguments,
                environment: ProgramProcess.inheritedEnvironment(),
                input: inputPipe.reading,
                output: outputPipe.writing,
                error: errorPipe.writing
            )
        )
        input = inputPipe.writing
        output = outputPipe.reading
        try input?.setNonblocking()
        try output?.setNonblocking()
        error = try CopiedOutput(errorPipe.reading, to: STDERR_FILENO)
        lines = LineBuffer(byteLimit: ServerMessage.byteLimit)
        (unsent, tail) = ([], [])
    }

    /// Kills the server, and waits for its end.
    func stop() {
        if let process {
            process.signalGroup(SIGKILL)
            waitpid(process.number, nil, 0)
        }
        process = nil
        (input, output, error) = (nil, nil, nil)
    }

    // MARK: Output of the run

    /// Prints a text as output of the run.
    func log(_ text: String) { passOn(Array((text + "\n").utf8)) }

    private func passOn(_ bytes: [UInt8]) {
        if let count = kept?.count {
            kept?.append(contentsOf: bytes.prefix(max(0, Self.keptByteLimit - count)))
        } else {
            error?.pass(bytes)
        }
    }

    /// Begins to print, because the run has begun.
    func beginPrinting() {
        guard let bytes = kept else { return }
        kept = nil
        if error == nil {
            // Ignore a failure, because the worker has no other output.
            try? File.write(STDERR_FILENO, bytes[...])
        } else {
            error?.pass(bytes)
        }
    }

    /// What the server printed last to standard error; empty if it printed nothing.
    var lastErrors: String { String(foreign: tail) }

    /// The last line of standard error that is not empty.
    var lastErrorLine: String? {
        let lines = lastErrors.split(scalar: "\n").map { $0.trimmed }
        return lines.last { !$0.utf8.isEmpty }.map { String($0) }
    }

    // MARK: Event loop

    /// The descriptors that the loop must poll, in the order in which ``proceed(_:)`` receives the results.
    var interests: [pollfd] {
        let isFull = (kept?.count ?? 0) >= Self.keptByteLimit
        return [
            pollfd(fd: output?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: unsent.isEmpty ? -1 : input?.rawValue ?? -1, events: Int16(POLLOUT), revents: 0),
            isFull ? pollfd(fd: -1, events: 0, revents: 0) : error?.interest ?? pollfd(fd: -1, events: 0, revents: 0),
        ]
    }

    /// Handles the descriptors in ``interests`` that are ready.
    func proceed(_ signalled: [Bool]) -> [Event] {
        if signalled[2], let bytes = error?.proceed(), !bytes.isEmpty { errorRead(bytes) }
        if signalled[1] { write() }
        return signalled[0] ? read() : []
    }

    private func errorRead(_ bytes: [UInt8]) {
        tail = Array((tail + bytes).suffix(Self.tailByteCount))
        passOn(bytes)
    }

    private func read() -> [Event] {
        guard let output else { return [] }
        // A failed read is an end, too.
        guard let bytes = try? File.read(output.rawValue, upTo: Self.readByteCount) else { return [] }
        guard !bytes.isEmpty else {
            self.output = nil
            return [.outputEnded]
        }
        let lines = self.lines.append(bytes).map { Event.line($0) }
        return self.lines.isOverfull ? lines + [.lineTooLong] : lines
    }

    /// Reads what the server wrote before it ended. Does not wait for other processes that still have the pipe open.
    func drain() -> [Event] {
        flush()
        // A pipe contains at most as many bytes, and may end with the middle of a line.
        return read() + read()
    }

    /// Prints what the server has written to standard error so far.
    func flush() { error?.drain { errorRead($0) } }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        write()
    }

    private func write() {
        guard let input else { return unsent = [] }
        while !unsent.isEmpty {
            do throws(SystemError) {
                guard let count = try File.writePart(input.rawValue, unsent) else { return }
                unsent = unsent.dropFirst(count)
            } catch {
                // The server has ended, or has closed its standard input.
                return unsent = []
            }
        }
    }

    /// Closes the server's standard input, after which it should end.
    func closeInput() {
        unsent = []
        input = nil
    }

    /// Reaps the server. Returns nil while it is running.
    func reap() -> ProcessEnd? {
        guard let end = process?.reap() else { return nil }
        process = nil
        return end
    }
}
