import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The connection to a worker: its socket and its two output pipes.
///
/// Must be used only on the event loop's thread.
final class WorkerLink {
    /// An event that the link reports to its owner.
    enum Input {
        /// The worker sent a report.
        case report(WorkerReport)
        /// The worker violated the protocol.
        case violation(String)
        /// The worker printed lines.
        case output(OutputStream, String)
    }

    /// The maximum length of a result file's path relative to the run folder, in bytes.
    private static let pathLimit = 1024

    /// The maximum number of reports that are held until an adopted worker reports its state.
    private static let heldReportLimit = 1024
    /// The maximum total size of held reports, in bytes. It is many times the size of the longest result.
    private static let heldByteLimit = 1 << 20

    private let socket: RecordSocket
    /// The worker's process id.
    let process: Int32
    private var pipes: [OutputPipe] = []
    /// True if the worker's socket is polled together with the sockets of other workers that report often.
    private var isGathered = false
    /// Reports that the worker sent to an earlier `intentd`. They are discarded once the worker reports its state, but
    /// are handled if the worker exits first. Nil if no reports are held.
    private var held: [(report: WorkerReport, descriptors: [SharedFileDescriptor])]?
    private var heldByteCount = 0
    private var holdsDescriptors = false
    /// The number of the `resume` command that an adopted worker must answer with its state.
    private var resumeNumber: UInt64?
    private let input: (Input) -> Void
    /// The descriptors that arrived with the result; empty before the result has arrived.
    private(set) var memoryFiles: [SharedFileDescriptor] = []

    init(
        socket: SharedFileDescriptor,
        standardOutput: SharedFileDescriptor,
        standardError: SharedFileDescriptor,
        process: Int32,
        isAdopted: Bool = false,
        on loop: EventLoop,
        closer: @escaping SharedFileDescriptor.Closer,
        batch: @escaping (() -> Void) -> Void,
        input: @escaping (Input) -> Void
    ) throws(SystemError) {
        self.process = process
        self.input = input
        held = isAdopted ? [] : nil
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
        self.socket.batch = batch
        box.received = { [weak self] record, descriptors in self?.receive(record, descriptors) }
        pipes = [
            try OutputPipe(standardOutput, on: loop) { input(.output(.stdout, $0)) },
            try OutputPipe(standardError, on: loop) { input(.output(.stderr, $0)) },
        ]
    }

    /// A box for the socket's callback, which can be set only after the link is initialised.
    private final class Box {
        var received: (([UInt8], [SharedFileDescriptor]) -> Void)?
    }

    func send(_ command: WorkerCommand, files: [SharedFileDescriptor] = []) throws(FrameError) {
        if case .resume(let number) = command { resumeNumber = number }
        let limit = Frame.recordLimit - Frame.headerByteCount
        socket.send(try Frame.encode(WireCoding.encode(command), limit: limit), descriptors: files)
    }

    /// From now on, polls the worker's socket only together with other workers' sockets.
    func join(_ others: GatheredEvents) {
        if !isGathered { isGathered = socket.join(others) }
    }

    /// Receives the worker's pending reports.
    func receivePending() { socket.receivePending() }

    /// Receives all remaining reports and output of a worker that has exited.
    func drain() {
        socket.drain()
        if let held {
            self.held = nil
            for (report, descriptors) in held { pass(report, descriptors) }
        }
        for pipe in pipes { pipe.finish() }
    }

    /// True while a debugger outside the sandbox traces the worker (TracerPid in proc(5)).
    var isTraced: Bool {
        // The status cannot be read once the worker has exited. No debugger traces a worker that has exited.
        guard let tracer = Self.field("TracerPid", of: process), tracer > 0,
            let launcher = Self.field("PPid", of: process)
        else { return false }
        // A descendant of the launcher is not considered a debugger. Otherwise a run could stop its own clocks by
        // tracing itself.
        var ancestor = tracer
        for _ in 0..<64 {
            if ancestor == launcher || ancestor == process { return false }
            // A process that is not visible to intentd belongs to another user, so it is not a worker.
            guard let parent = Self.field("PPid", of: ancestor), parent > 0 else { return true }
            ancestor = parent
        }
        return true
    }

    private static func field(_ name: String, of process: Int32) -> Int32? {
        File.restOfLine(startingWith: "\(name):", at: "/proc/\(process)/status").flatMap { Int32($0.trimmed) }
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
            return violate("it sent too many reports before its answer to 'resume'")
        }
        // Only a result may carry files, and only one result is accepted, so close all other descriptors.
        var kept: [SharedFileDescriptor] = []
        if case .finished = report, !holdsDescriptors {
            kept = descriptors
            holdsDescriptors = true
        }
        held?.append((report, kept))
    }

    private func pass(_ report: WorkerReport, _ descriptors: [SharedFileDescriptor]) {
        // The closing threads close unexpected descriptors, because close(2) could block this thread.
        guard descriptors.isEmpty || report.mayHaveFiles, memoryFiles.isEmpty || descriptors.isEmpty else {
            return violate("it sent descriptors with a report that cannot carry files")
        }
        if case .finished(let result) = report, memoryFiles.isEmpty {
            // Read the output that the worker printed before its result.
            for pipe in pipes { pipe.finish() }
            // Do not read later reports until the worker has exited.
            socket.stopPolling()
            memoryFiles = descriptors
            if let problem = Self.problem(with: result, descriptors) { return violate(problem) }
        }
        if case .crashed = report {
            // Read the message of a trap, which the worker printed before its report.
            for pipe in pipes { pipe.finish() }
        }
        input(.report(report))
    }

    /// Stops reading from the worker. Further messages could contain enough descriptors to fill the descriptor table of
    /// this process.
    private func violate(_ problem: String) {
        socket.abandon()
        input(.violation(problem))
    }

    /// Returns the reason why the files of a result are invalid, or nil if they are valid.
    private static func problem(with result: WorkerResult, _ descriptors: [SharedFileDescriptor]) -> String? {
        guard result.files.count <= Frame.fileLimit else {
            return "its result has \(result.files.count) files, more than the limit of \(Frame.fileLimit)"
        }
        guard result.files.filter({ $0 == .memory }).count == descriptors.count else {
            return "the number of memory files in its result differs from the number of descriptors that it passed"
        }
        // Limit the length of paths, because one message carries all of them to the launcher.
        guard result.files.allSatisfy({ ($0.relativePath?.utf8.count ?? 0) <= pathLimit }) else {
            return "a file of its result has a path of more than \(pathLimit) bytes"
        }
        guard descriptors.allSatisfy({ MemoryFile.isSealed($0.rawValue) }) else {
            return "a file of its result is not a sealed memory file"
        }
        guard case .returned(let value, _) = result.ending else { return nil }
        let images = result.details?.snippet?.images ?? []
        if value == nil, images.isEmpty { return nil }
        let files = (value?.files ?? []) + images
        guard files.map(\.index) == Array(0..<result.files.count) else {
            return "the files in the value and the snippet of its result do not have the indices 0, 1, 2 … in order"
        }
        guard files.allSatisfy({ FileName.isPlain($0.name) && $0.name.utf8.count <= 255 }) else {
            return "a file of its result has an invalid name: expected one path component without control characters"
        }
        return nil
    }
}

extension WorkerReport {
    fileprivate var mayHaveFiles: Bool {
        if case .finished = self { return true }
        return false
    }
}
