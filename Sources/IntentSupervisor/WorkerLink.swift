import IntentLinux
import IntentSystemd
import IntentWire

/// A worker's socket and its two output pipes, from its launch to its end.
///
/// Belongs to the loop's thread.
final class WorkerLink {
    /// An event of a worker.
    enum Input {
        case report(WorkerReport)
        case violation(String)
        case output(OutputStream, String)
    }

    /// The longest path of a result file below the run's directory, in bytes.
    private static let pathLimit = 1024

    /// The maximum number of reports to hold back until an adopted worker reports its state.
    private static let heldReportLimit = 1024
    /// The maximum number of bytes to hold back, which is many times the longest result.
    private static let heldByteLimit = 1 << 20

    private let socket: RecordSocket
    private let process: Int32
    private var pipes: [OutputPipe] = []
    /// True if the worker is read together with others that report often.
    private var isGathered = false
    /// Reports for an earlier `intentd`. They are void once the worker reports its state, but count if it exits before
    /// that. Nil when no reports are held.
    private var held: [(report: WorkerReport, descriptors: [SharedFileDescriptor])]?
    private var heldByteCount = 0
    private var holdsDescriptors = false
    /// The number of the `resume` that the worker must answer.
    private var resumeNumber: UInt64?
    private let input: (Input) -> Void
    /// The descriptors of a result, once it has arrived.
    private(set) var memoryFiles: [SharedFileDescriptor] = []

    init(
        socket: SharedFileDescriptor,
        standardOutput: SharedFileDescriptor,
        standardError: SharedFileDescriptor,
        process: Int32,
        isAdopted: Bool = false,
        on loop: EventLoop,
        closer: @escaping SharedFileDescriptor.Closer,
        together: @escaping (() -> Void) -> Void,
        input: @escaping (Input) -> Void
    ) throws(SystemError) {
        self.process = process
        self.input = input
        held = isAdopted ? [] : nil
        // The worker may close its end at any time; the launcher reports its exit.
        let box = Box()
        self.socket = try RecordSocket(
            socket,
            on: loop,
            recordLimit: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit,
            closer: closer,
            received: { record, descriptors in box.received?(record, descriptors) },
            ended: { end in if end == .oversize { input(.violation("\(end)")) } }
        )
        self.socket.together = together
        box.received = { [weak self] record, descriptors in self?.receive(record, descriptors) }
        pipes = [
            try OutputPipe(standardOutput, on: loop) { input(.output(.stdout, $0)) },
            try OutputPipe(standardError, on: loop) { input(.output(.stderr, $0)) },
        ]
    }

    /// Lets the socket's callback reach its owner, which is not initialised yet when the socket is made.
    private final class Box {
        var received: (([UInt8], [SharedFileDescriptor]) -> Void)?
    }

    func send(_ command: WorkerCommand, files: [SharedFileDescriptor] = []) throws(FrameError) {
        if case .resume(let number) = command { resumeNumber = number }
        let limit = Frame.recordLimit - Frame.headerByteCount
        socket.send(try Frame.encode(WireCoding.encode(command), limit: limit), descriptors: files)
    }

    /// Reads the worker together with others from now on.
    func join(_ others: GatheredEvents) {
        if !isGathered { isGathered = socket.join(others) }
    }

    /// Receives reports of the worker that have arrived.
    func catchUp() { socket.catchUp() }

    /// Receives everything that the worker sent and printed before its end.
    func drain() {
        socket.drain()
        if let held {
            self.held = nil
            for (report, descriptors) in held { pass(report, descriptors) }
        }
        for pipe in pipes { pipe.finish() }
    }

    /// True while a debugger from outside the run traces the worker (TracerPid of proc(5)).
    var isTraced: Bool {
        // No debugger traces a worker that has exited.
        guard let tracer = Self.field("TracerPid", of: process), tracer > 0,
            let launcher = Self.field("PPid", of: process)
        else { return false }
        // A process that the launcher's workers started does not count as a debugger: otherwise a run could stop its
        // own clocks by tracing itself.
        var ancestor = tracer
        for _ in 0..<64 {
            if ancestor == launcher || ancestor == process { return false }
            // A process that cannot be seen belongs to another user, and so is not a worker.
            guard let parent = Self.field("PPid", of: ancestor), parent > 0 else { return true }
            ancestor = parent
        }
        return true
    }

    private static func field(_ name: String, of process: Int32) -> Int32? {
        let line = (try? File.lines(at: "/proc/\(process)/status"))?.first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int32($0.dropFirst(name.count + 1).trimmingPrefix(while: \.isWhitespace)) }
    }

    /// The last line that the worker printed, preferably to standard error.
    var lastLine: String? { pipes.reversed().lazy.compactMap(\.lastLine).first }

    private func receive(_ record: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        let report: WorkerReport
        do {
            report = try WireCoding.decode(WorkerReport.self, from: Frame.decode(record: record))
        } catch {
            return violate("it sent an invalid report: \(error)")
        }
        guard let heldCount = held?.count else { return pass(report, descriptors) }
        if case .resumed(let state) = report, state.number == resumeNumber {
            held = nil
            return pass(report, descriptors)
        }
        heldByteCount += record.count
        guard heldCount < Self.heldReportLimit, heldByteCount <= Self.heldByteLimit else {
            return violate("it answered 'resume' with other reports")
        }
        // Only a result may have files, and only one result is accepted. All other descriptors are closed.
        var kept: [SharedFileDescriptor] = []
        if case .finished = report, !holdsDescriptors {
            kept = descriptors
            holdsDescriptors = true
        }
        held?.append((report, kept))
    }

    private func pass(_ report: WorkerReport, _ descriptors: [SharedFileDescriptor]) {
        // Do not close them on this thread, where close(2) could hang.
        guard descriptors.isEmpty || report.mayBringFiles, memoryFiles.isEmpty || descriptors.isEmpty else {
            return violate("it sent files with a report that has no files")
        }
        if case .finished(let result) = report, memoryFiles.isEmpty {
            // Read the output that the worker printed before its result.
            for pipe in pipes { pipe.catchUp() }
            // Read later reports when the worker has ended.
            socket.rest()
            memoryFiles = descriptors
            if let problem = Self.problem(with: result, descriptors) { return violate(problem) }
        }
        input(.report(report))
    }

    /// Stops reading from the worker: more records could bring descriptors and exhaust the table of this process.
    private func violate(_ problem: String) {
        socket.abandon()
        input(.violation(problem))
    }

    /// The problem with the files of a result; nil when they are valid.
    private static func problem(with result: WorkerResult, _ descriptors: [SharedFileDescriptor]) -> String? {
        guard result.files.count <= Frame.fileLimit else {
            return "its result has \(result.files.count) files, more than the \(Frame.fileLimit) allowed"
        }
        guard result.files.filter({ $0 == .memory }).count == descriptors.count else {
            return "its result announces files that do not match the descriptors it passed"
        }
        // One record carries all these paths to the launcher.
        guard result.files.allSatisfy({ ($0.relativePath?.utf8.count ?? 0) <= pathLimit }) else {
            return "a file of its result has a path of more than \(pathLimit) bytes"
        }
        guard descriptors.allSatisfy({ MemoryFile.isSealed($0.rawValue) }) else {
            return "a file of its result is not a sealed memory file"
        }
        guard case .returned(let value?, _) = result.ending else { return nil }
        let files = value.files
        guard files.map(\.index) == Array(0..<result.files.count) else {
            return "its result's value does not refer to the passed files in their order"
        }
        guard files.allSatisfy({ FileName.isPlain($0.name) && $0.name.utf8.count <= 255 }) else {
            return "a file of its result has a name that is not a plain file name"
        }
        return nil
    }
}

extension WorkerReport {
    fileprivate var mayBringFiles: Bool {
        if case .finished = self { return true }
        return false
    }
}
