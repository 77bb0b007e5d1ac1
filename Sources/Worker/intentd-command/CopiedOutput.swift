import Glibc
import IntentLinux

/// A pipe from which the worker reads one output stream of a program. Unless the output is captured, the worker copies
/// it to its own stream.
final class CopiedOutput {
    private let source: SharedFileDescriptor
    /// The worker's own standard output or standard error.
    private let sink: Int32
    /// The bytes to copy. The worker reads no further bytes until these bytes are written, so a program that prints too
    /// much blocks instead of exhausting the worker's memory.
    private var pending: ArraySlice<UInt8> = []
    private(set) var hasEnded = false

    /// The number of bytes that a writable pipe accepts without blocking (PIPE_BUF in pipe(7)).
    private static let chunk = 4096
    /// The capacity of a pipe in bytes. A program cannot have left more unread output when it exits.
    private static let pipeByteCount = 64 << 10

    init(_ source: SharedFileDescriptor, to sink: Int32) throws(SystemError) {
        self.source = source
        self.sink = sink
        try source.setNonblocking()
    }

    /// The event for which the loop must poll.
    var interest: pollfd {
        if !pending.isEmpty { return pollfd(fd: sink, events: Int16(POLLOUT), revents: 0) }
        return pollfd(fd: hasEnded ? -1 : source.rawValue, events: Int16(POLLIN), revents: 0)
    }

    /// Reads or writes once, after ``interest`` was signalled. Returns the bytes that were read.
    func proceed() -> [UInt8] {
        if !pending.isEmpty {
            passOn(atMost: Self.chunk)
            return []
        }
        return read()
    }

    func pass(_ bytes: [UInt8]) {
        pending += bytes
    }

    private func read() -> [UInt8] {
        do throws(SystemError) {
            guard let bytes = try File.read(source.rawValue, upTo: 16 << 10) else { return [] }
            if bytes.isEmpty { hasEnded = true }
            return bytes
        } catch {
            hasEnded = true
            return []
        }
    }

    /// Reads the output that the program wrote before it exited. Does not wait for other processes that still have the
    /// pipe open.
    func drain(_ take: ([UInt8]) -> Void) {
        var count = 0
        while !hasEnded, count < Self.pipeByteCount {
            let bytes = read()
            if bytes.isEmpty { break }
            count += bytes.count
            take(bytes)
            flush()
        }
        flush()
    }

    private func flush() {
        while !pending.isEmpty { passOn(atMost: pending.count) }
    }

    private func passOn(atMost count: Int) {
        let part = pending.prefix(count)
        do throws(SystemError) {
            try File.write(sink, part)
            pending = pending.dropFirst(part.count)
        } catch {
            // The reader of the output has exited, so drop the bytes.
            pending = []
        }
    }
}
