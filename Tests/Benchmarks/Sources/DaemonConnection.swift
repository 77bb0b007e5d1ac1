import Glibc
import IntentLauncherMessages
import IntentLinux

/// A client's connection that speaks the protocol directly and waits in the kernel.
final class DaemonConnection {
    private let socket: FileDescriptor
    private let buffer: UnsafeMutableRawBufferPointer
    private var begin = 0
    private var end = 0
    private var lastID: UInt64 = 0

    /// Connects and greets.
    init(to path: String) throws {
        socket = try UnixSocket.connect(.stream, to: path)
        // A frame has at most 1 MiB. Complete frames are read in place.
        buffer = .allocate(byteCount: 4 << 20, alignment: 16)
        guard case .hello = try ask(.hello(Hello(software: "benchmarks"))) else {
            throw BenchmarkError("intentd does not answer hello")
        }
    }

    deinit { buffer.deallocate() }

    var rawValue: Int32 { socket.rawValue }

    /// Sends a frame. The files are attached to its first byte.
    func send(_ frame: [UInt8], files: [SharedFileDescriptor] = []) throws {
        var rest = frame[...]
        if !files.isEmpty {
            rest = rest.dropFirst(try UnixSocket.send(rest, descriptors: files, on: socket.rawValue) ?? 0)
        }
        try File.write(socket.rawValue, rest)
    }

    /// The next payload; it is valid until the next call.
    func nextPayload() throws -> UnsafeRawBufferPointer {
        while true {
            if let payload = bufferedPayload() { return payload }
            try receive()
        }
    }

    /// A payload that is already received; it is valid until the next call.
    func bufferedPayload() -> UnsafeRawBufferPointer? {
        guard end - begin >= Frame.headerByteCount else { return nil }
        let byteCount = (0..<Frame.headerByteCount).reduce(0) { $0 << 8 | Int(buffer[begin + $1]) }
        let first = begin + Frame.headerByteCount
        guard end - first >= byteCount else { return nil }
        begin = first + byteCount
        return UnsafeRawBufferPointer(rebasing: buffer[first..<first + byteCount])
    }

    /// Waits for bytes and appends them to the buffer.
    func receive() throws {
        if begin == end {
            begin = 0
            end = 0
        } else if end + Frame.clientPayloadLimit > buffer.count {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[begin..<end]))
            end -= begin
            begin = 0
        }
        let count = try syscall("read") {
            read(socket.rawValue, buffer.baseAddress?.advanced(by: end), buffer.count - end)
        }
        guard count > 0 else { throw BenchmarkError("intentd closed the connection") }
        end += count
    }

    /// Sends one request and waits for its answer. Events received before it are skipped.
    func ask(_ request: ClientRequest) throws -> ClientAnswer {
        let id = try send(request)
        while true {
            if case .answer(id, let answer) = try nextMessage() {
                if case .refused(let report) = answer { throw BenchmarkError("intentd refuses: \(report.message)") }
                return answer
            }
        }
    }

    /// Sends a request, and returns the id that its answer will repeat.
    func send(_ request: ClientRequest) throws -> UInt64 {
        lastID += 1
        let payload = WireCoding.encode(NumberedRequest(id: lastID, request))
        try send(Frame.encode(payload, limit: Frame.clientPayloadLimit))
        return lastID
    }

    func nextMessage() throws -> ClientMessage {
        try WireCoding.decode(ClientMessage.self, from: Array(try nextPayload()))
    }

    /// The next message, or nil if none arrives before an instant of CLOCK_MONOTONIC.
    func nextMessage(until instant: Int64) throws -> ClientMessage? {
        while true {
            if let payload = bufferedPayload() {
                return try WireCoding.decode(ClientMessage.self, from: Array(payload))
            }
            let wait = instant - ClockReading.monotonicNanoseconds()
            var source = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
            guard wait > 0, try syscall("poll", { poll(&source, 1, Int32(clamping: wait / 1_000_000 + 1)) }) > 0 else {
                return nil
            }
            try receive()
        }
    }

    /// Performs an intent, waits for its outcome, and returns the duration in nanoseconds.
    ///
    /// Files of the result are discarded.
    func perform(_ request: inout PreparedPerform, files: [SharedFileDescriptor] = []) throws -> Int64 {
        request.renew()
        let begin = ClockReading.monotonicNanoseconds()
        try send(request.frame, files: files)
        while true {
            let payload = try nextPayload()
            if let isDone = try Self.end(in: payload) {
                let end = ClockReading.monotonicNanoseconds()
                guard isDone else { throw BenchmarkError("a run failed: \(Self.text(payload))") }
                return end - begin
            }
        }
    }

    /// Returns nil if the payload is not the end of a run, and else whether the run succeeded.
    static func end(in payload: UnsafeRawBufferPointer) throws -> Bool? {
        if contains(payload, "\"type\":\"finished\"") { return contains(payload, "\"kind\":\"done\"") }
        if contains(payload, "\"type\":\"error\"") { throw BenchmarkError("intentd refuses: \(text(payload))") }
        return nil
    }

    private static func contains(_ payload: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard payload.count >= wanted.count else { return false }
        return (0...payload.count - wanted.count).contains { offset in
            wanted.indices.allSatisfy { payload[offset + $0] == wanted[$0] }
        }
    }

    private static func text(_ payload: UnsafeRawBufferPointer) -> String { String(decoding: payload, as: UTF8.self) }
}
