import Glibc
import IntentCommands
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux

/// A run's kernel objects: the program, its output streams, its socket and its files.
final class ProgramSession {
    enum Event {
        case progress(ProgramProgress?, status: String?)
        /// The program printed this many bytes (`Progress=output`).
        case printed(byteCount: Int)
        case asked(AskRequest?, asker: Int)
        case askerLeft(Int)
    }

    private let intent: CommandIntent
    private let given: [String: IntentValue]
    private let inputs: InputFiles
    /// The run folder.
    private let folder: String
    private var values: CommandValues?
    private var program: ProgramProcess?
    private var cancelProgram: ProgramProcess?
    private var socket: RunSocket?
    /// The connections of the intent-ask processes that are waiting for an answer.
    private var askers: [(id: Int, connection: SharedFileDescriptor)] = []
    private var askerCount = 0
    private var terminal: ProgramTerminal?
    private var output: CopiedOutput?
    private var error: CopiedOutput?
    private var outputLines = OutputLines()
    private var errorLines = OutputLines()
    private var lastOutputLine = LastLine()
    private var lastErrorLine = LastLine(skipsContinuations: true)
    /// The standard output that is the result of the run; nil after it has exceeded ``ProgramEnd/outputLimit``.
    private var captured: [UInt8]? = []
    private let expression: Regex<AnyRegexOutput>?

    init(_ intent: CommandIntent, _ given: [String: IntentValue], _ inputs: InputFiles, folder: String) {
        self.intent = intent
        self.given = given
        self.inputs = inputs
        self.folder = folder
        expression = intent.progress == .lines ? intent.progressPattern.regex : nil
    }

    // MARK: Start

    func start() throws {
        var values = try CommandValues(given, of: intent) { try inputs.path(of: $0) }
        if !intent.outputs.isEmpty {
            let path = "\(folder)/\(CommandIntent.outputFolder)"
            try syscall("mkdir", on: path) { mkdir(path, 0o755) }
            for name in intent.outputs { values.outputPaths[name] = "\(path)/\(name)" }
        }
        let kept = try passSecrets(&values)
        let socket = try RunSocket(in: folder)
        self.socket = socket
        var plan = ProgramProcess.Plan(
            arguments: try values.arguments(intent.exec),
            environment: try environment(values, socket),
            directory: try intent.workingDirectory.flatMap { try values.text($0) },
            input: try input(values)
        )
        plan.kept = kept
        if intent.usesTerminal {
            let terminal = try ProgramTerminal(hasInput: plan.input != nil)
            plan.terminal = terminal.path
            self.values = values
            self.terminal = terminal
            program = try ProgramProcess(plan)
            output = try CopiedOutput(terminal.end, to: STDOUT_FILENO)
            return
        }
        // This function must not keep the write ends after the program has inherited them. The worker can detect the
        // end of the output only if it has no write end open.
        let outputPipe = readsOutput ? try Pipe() : nil
        let errorPipe = try Pipe()
        plan.output = outputPipe?.writing
        plan.error = errorPipe.writing
        self.values = values
        program = try ProgramProcess(plan)
        output = try outputPipe.map { try CopiedOutput($0.reading, to: STDOUT_FILENO) }
        error = try CopiedOutput(errorPipe.reading, to: STDERR_FILENO)
    }

    private var readsOutput: Bool {
        switch intent.progress {
        case .none, .notify: intent.readsOutput
        case .lines: intent.readsOutput || intent.progressSource != .error
        case .output: true
        }
    }

    private func environment(_ values: CommandValues, _ socket: RunSocket) throws -> [String: String] {
        var environment = ProgramProcess.inheritedEnvironment()
        for variable in intent.environment {
            guard let value = try values.text(variable.value) else { continue }
            environment[variable.name] = value
        }
        if intent.usesTerminal, environment["TERM"] == nil { environment["TERM"] = "dumb" }
        // Set these last, so that `Environment=` cannot override them. The program's children depend on them.
        environment["INTENT_SOCKET"] = socket.path
        environment["NOTIFY_SOCKET"] = intent.progress == .notify ? socket.path : nil
        return environment
    }

    /// For each `%{fd:NAME}`, creates a pipe that contains the parameter's value.
    private func passSecrets(_ values: inout CommandValues) throws -> [SharedFileDescriptor] {
        var kept: [SharedFileDescriptor] = []
        for placeholder in (intent.exec + intent.environment.map(\.value)).flatMap(\.placeholders) {
            guard case .descriptor(let name) = placeholder, values.descriptorPaths[name] == nil,
                let parameter = intent.parameter(name),
                case .string(let text) = CommandValues.value(of: parameter, in: given)
            else { continue }
            let pipe = try Self.pipe(containing: Array(text.utf8), name)
            kept.append(pipe)
            values.descriptorPaths[name] = "/proc/self/fd/\(pipe.rawValue)"
        }
        return kept
    }

    private func input(_ values: CommandValues) throws -> SharedFileDescriptor? {
        guard let word = intent.standardInput else { return nil }
        if let parameter = word.onlyValue.flatMap(intent.parameter),
            case .file(let reference) = CommandValues.value(of: parameter, in: given)
        {
            return try inputs.standardInput(of: reference)
        }
        guard let text = try values.text(word) else { return nil }
        let bytes = Array(text.utf8)
        if bytes.count > Self.pipeByteCount, !hasSecret(word) { return try unlinkedFile(bytes) }
        return try Self.pipe(containing: bytes, "StandardInput=")
    }

    private func hasSecret(_ word: TemplateWord) -> Bool {
        word.placeholders.compactMap(\.parameter).contains { intent.parameter($0)?.isSecret == true }
    }

    /// The capacity of a pipe (pipe(7)). The sandbox does not permit enlarging a pipe.
    private static let pipeByteCount = 64 << 10

    /// Returns the read end of a pipe that contains only these bytes.
    private static func pipe(containing bytes: [UInt8], _ subject: String) throws -> SharedFileDescriptor {
        guard bytes.count <= pipeByteCount else {
            throw ArgumentError(
                "'\(subject)' has \(bytes.count) bytes, but a secret can have at most \(pipeByteCount) bytes"
            )
        }
        let pipe = try Pipe()
        try File.write(pipe.writing.rawValue, bytes[...])
        return pipe.closingWriting()
    }

    private func unlinkedFile(_ bytes: [UInt8]) throws(SystemError) -> SharedFileDescriptor {
        let path = "\(folder)/.standard-input"
        let file = try File.open(path, O_RDWR | O_CREAT | O_EXCL)
        try syscall("unlink", on: path) { unlink(path) }
        try File.write(file.rawValue, bytes[...])
        try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
        return SharedFileDescriptor(file)
    }

    // MARK: Event loop

    /// The descriptors that the loop must poll, in the order in which ``proceed(_:)`` receives the results.
    var interests: [pollfd] {
        var sources: [pollfd] = []
        if let output { sources.append(output.interest) }
        if let error { sources.append(error.interest) }
        if let socket { sources.append(pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)) }
        sources += askers.map { pollfd(fd: $0.connection.rawValue, events: Int16(POLLIN), revents: 0) }
        return sources
    }

    /// Handles the descriptors in ``interests`` that are ready.
    func proceed(_ signalled: [Bool]) -> [Event] {
        var rest = signalled[...]
        var events: [Event] = []
        if let output, rest.popFirst() == true { events += outputRead(output.proceed()) }
        if let error, rest.popFirst() == true { events += errorRead(error.proceed()) }
        let isSocketReadable = socket != nil && rest.popFirst() == true
        // A connection becomes readable when intent-ask disconnects. Check only the connections that were polled.
        let left = zip(askers, rest).filter { $0.1 }.map(\.0.id)
        askers.removeAll { left.contains($0.id) }
        events += left.map { .askerLeft($0) }
        if isSocketReadable { events += socketRead() }
        return events
    }

    private func socketRead() -> [Event] {
        (socket?.receive() ?? []).map { received in
            switch received {
            case .notification(let message): return .progress(message.progress, status: message.status)
            case .question(let request, let connection):
                askerCount += 1
                askers.append((askerCount, connection))
                return .asked(request, asker: askerCount)
            }
        }
    }

    private func outputRead(_ bytes: [UInt8]) -> [Event] {
        guard !bytes.isEmpty else { return [] }
        lastOutputLine.append(bytes)
        if intent.capturesOutput {
            captured?.append(contentsOf: bytes)
            if let count = captured?.count, count > ProgramEnd.outputLimit { captured = nil }
        }
        let parsesProgress = intent.progress == .lines && intent.progressSource != .error
        guard parsesProgress else {
            if !intent.capturesOutput { output?.pass(bytes) }
            return printed(bytes)
        }
        return outputLines.append(bytes).compactMap { progress(in: $0, intent.capturesOutput ? nil : output) }
    }

    private func printed(_ bytes: [UInt8]) -> [Event] {
        intent.progress == .output ? [.printed(byteCount: bytes.count)] : []
    }

    private func errorRead(_ bytes: [UInt8]) -> [Event] {
        guard !bytes.isEmpty else { return [] }
        guard intent.progress == .lines, intent.progressSource != .output else {
            lastErrorLine.append(bytes)
            error?.pass(bytes)
            return printed(bytes)
        }
        return errorLines.append(bytes).compactMap { line in
            let event = progress(in: line, error)
            if event == nil { lastErrorLine.append(line.bytes + line.end) }
            return event
        }
    }

    /// Returns the progress that a line reports. Passes a line of ordinary output to the stream and returns nil.
    private func progress(in line: OutputLines.Line, _ stream: CopiedOutput?) -> Event? {
        if let expression, !line.bytes.isEmpty,
            let found = ProgressLine(String(foreign: line.bytes), expression)
        {
            return .progress(found.progress, status: found.status)
        }
        stream?.pass(line.bytes + line.end)
        return nil
    }

    func reply(_ reply: AskReply, to asker: Int) {
        guard let index = askers.firstIndex(where: { $0.id == asker }) else { return }
        let connection = askers.remove(at: index).connection
        // Ignore a failure, because intent-ask may have exited.
        _ = try? UnixSocket.send(reply.bytes[...], on: connection.rawValue, waiting: .never)
    }

    // MARK: Cancellation and exit

    func signal(_ number: Int32) {
        program?.signalGroup(number)
        if let group = terminal?.foregroundGroup, group != program?.number { _ = kill(-group, number) }
    }

    /// Starts the `Cancel=` program. If that fails, sends `KillSignal=` to the intent's program instead.
    func startCancel(_ reason: CancellationReason) {
        guard let program, let command = intent.cancel, let values else { return }
        do {
            var environment = try environment(values)
            environment["INTENT_CANCEL_REASON"] = reason.name
            environment["INTENT_PID"] = String(program.number)
            cancelProgram = try ProgramProcess(
                ProgramProcess.Plan(arguments: try values.arguments(command), environment: environment)
            )
        } catch {
            let message =
                "cannot run Cancel= (\((error as? ArgumentError)?.message ?? "\(error)")); sending KillSignal= instead\n"
            // Ignore a failure, because the worker has no other output.
            try? File.write(STDERR_FILENO, Array(message.utf8)[...])
            program.signalGroup(intent.killSignal.number)
        }
    }

    /// Reaps the programs. Returns the result of the run when its program has exited, and nil otherwise.
    func reap(isCancelled: Bool) -> WorkerResult? {
        if cancelProgram?.reap() != nil { cancelProgram = nil }
        guard let end = program?.reap(), let values else { return nil }
        program = nil
        // The run has ended, so ignore the progress in the remaining output.
        output?.drain { _ = outputRead($0) }
        error?.drain { _ = errorRead($0) }
        if let line = outputLines.finish() { _ = progress(in: line, intent.capturesOutput ? nil : output) }
        if let line = errorLines.finish() { _ = progress(in: line, error) }
        output?.drain { _ in }
        error?.drain { _ in }
        output = nil
        error = nil
        terminal = nil
        socket = nil
        guard !isCancelled else { return WorkerResult(ending: .threwCancellation) }
        var ended = ProgramEnd(end)
        ended.output = captured
        ended.lastOutputLine = lastOutputLine.text
        ended.lastErrorLine = intent.usesTerminal ? ended.lastOutputLine : lastErrorLine.text
        ended.outputs = Set(intent.outputs.filter { isRegular("\(folder)/\(CommandIntent.outputFolder)/\($0)") })
        do {
            try inputs.writeBack()
        } catch {
            return CommandIntent.failure(ArgumentError("cannot write a changed file: \(error)"))
        }
        return intent.result(of: ended, values, given: given)
    }

    private func isRegular(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Removes the socket, because the launcher reuses the run folder for another run only if it contains no files.
    func removeFiles() { socket = nil }

    private func environment(_ values: CommandValues) throws -> [String: String] {
        guard let socket else { return ProgramProcess.inheritedEnvironment() }
        return try environment(values, socket)
    }
}
