import IntentLinux
import IntentSystemd

/// The reading end of what a worker prints.
///
/// When nobody takes the text, the pipe fills and the worker waits: memory here stays bounded.
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

    /// Takes in what is left, up to what a pipe can hold, when the writers are gone.
    func finish() {
        readWhatIsThere()
        source = nil
        if let rest = lines.finish() { text(rest) }
    }

    /// As much as a pipe can hold: somebody who writes all the time does not keep us longer.
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
