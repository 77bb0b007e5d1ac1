import IntentLinux
import IntentSystemd

/// The pipe from which the output of a worker is read.
///
/// If this process does not read, the pipe fills up and the worker blocks, so this process uses a bounded amount of
/// memory.
final class OutputPipe {
    private let pipe: SharedFileDescriptor
    private var source: EventSource?
    private var lines = LineAssembler()
    private let text: (String) -> Void
    private let buffer: ReceiveBuffer

    /// - Parameter text: Receives complete lines as they arrive.
    init(
        _ pipe: SharedFileDescriptor,
        on loop: EventLoop,
        text: @escaping (String) -> Void
    ) throws(SystemError) {
        self.pipe = pipe
        self.text = text
        buffer = loop.receiveBuffer
        try pipe.setNonblocking()
        // Use a low priority, because a worker's reports are more important than its output.
        source = try loop.descriptor(pipe, .readable, priority: .late) { [weak self] _ in
            guard let self else { return }
            if !readOnce() { source = nil }
        }
    }

    var lastLine: String? { lines.lastLine }

    /// Reads the output that has arrived, a line without a line feed too, and stops polling the pipe. Call it at the end of
    /// the run, and again for later output after the writers have exited.
    func finish() {
        // Read at most the capacity of a pipe, so that a process that writes without pause does not block the loop.
        var budget = 16
        while budget > 0, readOnce() { budget -= 1 }
        source = nil
        if let rest = lines.finish() { text(rest) }
    }

    /// Reads once. Returns true if more output may be available.
    private func readOnce() -> Bool {
        // Treat a pipe that cannot be read as closed.
        guard let bytes = try? File.read(pipe.rawValue, upTo: 64 << 10, by: buffer), !bytes.isEmpty else {
            return false
        }
        if let whole = lines.append(bytes) { text(whole) }
        return true
    }
}
