import IntentLinux
import IntentSystemd

/// The reading end of what a worker prints.
///
/// When the text is not read, the pipe fills and the worker waits. This bounds the memory here.
final class OutputPipe {
    private let pipe: SharedFileDescriptor
    private var source: EventSource?
    private var lines = LineAssembler()
    private let text: (String) -> Void
    private let buffer: ReceiveBuffer

    /// `text` gets whole lines as they come.
    init(
        _ pipe: SharedFileDescriptor,
        on loop: EventLoop,
        text: @escaping (String) -> Void
    ) throws(SystemError) {
        self.pipe = pipe
        self.text = text
        buffer = loop.receiveBuffer
        try pipe.setNonblocking()
        // After sockets: what a worker reports is worth more than what it prints.
        source = try loop.descriptor(pipe, .readable, priority: .late) { [weak self] _ in
            guard let self else { return }
            if !readOnce() { source = nil }
        }
    }

    var lastLine: String? { lines.lastLine }

    /// Takes in what is there, and waits for no more: the rest comes with ``finish()``.
    func catchUp() {
        readWhatIsThere()
        source = nil
    }

    /// Reads the rest when the writers have exited, up to the capacity of a pipe.
    func finish() {
        readWhatIsThere()
        source = nil
        if let rest = lines.finish() { text(rest) }
    }

    /// Reads at most the capacity of a pipe, so that a process that writes without pause cannot keep us here.
    private func readWhatIsThere() {
        var budget = 16
        while budget > 0, readOnce() { budget -= 1 }
    }

    /// True when there may be more.
    private func readOnce() -> Bool {
        // A pipe that cannot be read has no more to say.
        guard let bytes = try? File.read(pipe.rawValue, upTo: 64 << 10, by: buffer), !bytes.isEmpty else {
            return false
        }
        if let whole = lines.append(bytes) { text(whole) }
        return true
    }
}
