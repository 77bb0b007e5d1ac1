import Glibc
import IntentLinux
import IntentSystemd

/// Runs a command that prints a report, and collects its output.
final class ReportProcess {
    private static let readByteCount = 64 << 10

    let process: ChildProcess
    private(set) var bytes: [UInt8] = []
    private(set) var hasEnded = false
    private let output: SharedFileDescriptor
    private var source: EventSource?
    private var timer: EventSource?
    /// Called when the output has ended or exceeded its limit, or when the command has exceeded its time limit.
    var whenEnded: () -> Void = {}

    init(_ command: [String], on loop: EventLoop) throws(SystemError) {
        let pipe = try Pipe()
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        process = try ChildProcess.start(
            command[0],
            arguments: Array(command.dropFirst()),
            streams: ChildProcess.Streams(input: null, output: pipe.writing, error: null),
            defaults: [SIGPIPE]
        )
        output = pipe.reading
        try output.setNonblocking()
        source = try loop.descriptor(output, [.readable]) { [weak self] _ in self?.read() }
        let end = ClockReading.monotonicNanoseconds() + WebLimits.reportLife.components.seconds * 1_000_000_000
        timer = try loop.timer(atNanoseconds: end) { [weak self] in
            self?.process.signal(SIGTERM)
            self?.end()
        }
    }

    private func read() {
        // Treat a read error as the end of the output. The page checks whether the output is valid JSON.
        guard let part = try? File.read(output.rawValue, upTo: Self.readByteCount) else { return end() }
        bytes += part
        if part.isEmpty { return end() }
        if bytes.count > WebLimits.reportByteCount {
            process.signal(SIGTERM)
            bytes = []
            end()
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        (source, timer) = (nil, nil)
        whenEnded()
    }
}
