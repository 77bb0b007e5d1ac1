import Dispatch
import Glibc
import IntentLinux
import IntentMCP

/// Reads lines from standard input on a separate thread. The thread reads a line only after the previous line has been
/// handled, so that a client that does not wait for responses cannot exhaust memory.
struct InputLines: Sendable {
    enum Line: Sendable {
        case text([UInt8])
        case tooLong
    }

    let lines: AsyncStream<Line>
    private let handled = DispatchSemaphore(value: 0)

    init() throws(SystemError) {
        let (lines, continuation) = AsyncStream<Line>.makeStream()
        self.lines = lines
        try DetachedThread.start { [handled] in
            var reader = LineReader()
            while let line = reader.next() {
                continuation.yield(line)
                handled.wait()
            }
            continuation.finish()
        }
    }

    /// Permits the thread to read the next line.
    func next() { handled.signal() }
}

/// Reads lines from standard input.
private struct LineReader {
    private var bytes: [UInt8] = []
    /// The bytes before this index contain no line break.
    private var searched = 0
    private var isSkipping = false

    /// Returns the next line, or nil at the end of the input. Ignores bytes after the last line break.
    mutating func next() -> InputLines.Line? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                var line = Array(bytes[..<end])
                bytes.removeFirst(end + 1)
                searched = 0
                if isSkipping {
                    isSkipping = false
                    continue
                }
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                if line.isEmpty { continue }
                return .text(line)
            }
            searched = bytes.count
            if bytes.count > MCPServer.lineByteLimit {
                bytes = []
                searched = 0
                if !isSkipping {
                    isSkipping = true
                    return .tooLong
                }
            }
            guard readMore() else { return nil }
        }
    }

    private mutating func readMore() -> Bool {
        let part = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            var result: Int
            repeat { result = read(0, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        bytes += part
        return !part.isEmpty
    }
}
