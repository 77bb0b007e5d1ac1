import Glibc
import IntentLinux
import IntentSystemd

/// A link between an open page and a relay process. Copies bytes between them without interpreting them.
final class WebLink {
    private static let readByteCount = 64 << 10

    let name: String
    let process: ChildProcess
    private let input: SharedFileDescriptor
    private let output: SharedFileDescriptor
    private var inputSource: EventSource?
    private var outputSource: EventSource?
    private var order = LinkInput()
    /// Bytes from the page that have not been written to the relay yet.
    private var unwritten: ArraySlice<UInt8> = []
    /// The text of events that have not been sent to the page yet.
    private var unsent: [UInt8]
    private var sentCount = 0
    private var isReading = true
    private(set) var hasEnded = false
    /// Called when text can be sent to the page, or when the link has ended.
    var whenReadable: () -> Void = {}
    /// Called when all input from the page has been written to the relay, or when the link has ended.
    var whenWritten: () -> Void = {}

    init(_ command: [String], on loop: EventLoop) throws(SystemError) {
        name = SecretText().text
        unsent = EventText.opened(name)
        let (toRelay, fromRelay) = (try Pipe(), try Pipe())
        process = try ChildProcess.start(
            command[0],
            arguments: Array(command.dropFirst()),
            streams: ChildProcess.Streams(
                input: toRelay.reading,
                output: fromRelay.writing,
                error: try SharedFileDescriptor(owning: 2, closer: { _ in }).duplicate()
            ),
            defaults: [SIGPIPE]
        )
        input = toRelay.writing
        output = fromRelay.reading
        try input.setNonblocking()
        try output.setNonblocking()
        outputSource = try loop.descriptor(output, [.readable]) { [weak self] _ in self?.readOutput() }
        inputSource = try loop.descriptor(input, []) { [weak self] events in
            if events.contains(.failed) { self?.end() } else { self?.writeInput() }
        }
    }

    /// Ends the link. The relay then waits for another link to continue the session.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        (inputSource, outputSource) = (nil, nil)
        whenReadable()
        whenWritten()
    }

    // MARK: From the relay to the page

    private func readOutput() {
        do throws(SystemError) {
            guard let bytes = try File.read(output.rawValue, upTo: Self.readByteCount) else { return }
            guard !bytes.isEmpty else { return end() }
            unsent += EventText.data(bytes)
            if unsent.count - sentCount > WebLimits.waitingByteCount { try pauseReading(true) }
            whenReadable()
        } catch {
            end()
        }
    }

    private func pauseReading(_ isPaused: Bool) throws(SystemError) {
        guard isReading == isPaused else { return }
        isReading = !isPaused
        try outputSource?.watch(isPaused ? [] : [.readable])
    }

    /// Copies unsent text to a buffer. Returns the number of bytes; 0 if all text has been sent.
    func take(into buffer: UnsafeMutablePointer<CChar>, upTo limit: Int) -> Int {
        let count = min(limit, unsent.count - sentCount)
        guard count > 0 else { return 0 }
        unsent[sentCount..<sentCount + count].withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(from: $0)
        }
        sentCount += count
        if sentCount == unsent.count {
            unsent.removeAll(keepingCapacity: unsent.capacity <= WebLimits.waitingByteCount)
            sentCount = 0
        }
        if unsent.count - sentCount < WebLimits.waitingByteCount / 2, !hasEnded {
            do throws(SystemError) {
                try pauseReading(false)
            } catch {
                end()
            }
        }
        return count
    }

    // MARK: From the page to the relay

    /// True when all input from the page has been written to the relay, or the link has ended.
    var isWritten: Bool { unwritten.isEmpty || hasEnded }

    func receive(serial: UInt64, _ bytes: [UInt8]) -> LinkInput.Decision {
        guard unwritten.isEmpty else { return .refuse(.wrongSerial) }
        let decision = order.receive(serial: serial, byteCount: bytes.count)
        switch decision {
        case .write:
            unwritten = bytes[...]
            writeInput()
        case .repeated, .refuse: break
        }
        return decision
    }

    private func writeInput() {
        do throws(SystemError) {
            while !unwritten.isEmpty {
                guard let count = try File.writePart(input.rawValue, unwritten) else {
                    try inputSource?.watch([.writable])
                    return
                }
                unwritten = unwritten.dropFirst(count)
            }
            try inputSource?.watch([])
            whenWritten()
        } catch {
            end()
        }
    }
}
