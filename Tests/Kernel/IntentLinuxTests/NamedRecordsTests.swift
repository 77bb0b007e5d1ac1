import Glibc
import IntentLinux
import Testing

/// Tests sockets on which a peer may send bytes but no descriptors.
@Suite struct NamedRecordsTests {
    /// The result of one receive, without the pidfd.
    private enum Seen: Equatable {
        case record(String, sender: Int32)
        case refused, wouldBlock, end
    }

    private let buffer = ReceiveBuffer(byteCount: 64)

    private func receive(_ records: NamedRecords, upTo byteCount: Int = 64) throws -> Seen {
        switch try records.receive(upTo: byteCount, by: buffer) {
        case .record(let record, let sender): .record(String(decoding: record, as: UTF8.self), sender: sender.process)
        case .refused: .refused
        case .wouldBlock: .wouldBlock
        case .end: .end
        }
    }

    private func send(_ text: String, with file: SharedFileDescriptor? = nil, on socket: SharedFileDescriptor) throws {
        _ = try UnixSocket.send(Array(text.utf8)[...], descriptors: file.map { [$0] } ?? [], on: socket.rawValue)
    }

    @Test(arguments: [true, false])
    func `each record, even an empty one, has its sender's process id, and the end follows the records`(
        asksKernel: Bool
    ) throws {
        var ends: (first: SharedFileDescriptor, second: SharedFileDescriptor)? =
            try UnixSocket.Pair(.sequencedPacket).shared()
        let near = try #require(ends?.first)
        let records = try NamedRecords(near, asksKernel: asksKernel)
        #expect(try receive(records) == .wouldBlock)
        for text in ["one", ""] { try send(text, on: try #require(ends?.second)) }
        ends = nil
        #expect(try receive(records) == .record("one", sender: getpid()))
        #expect(try receive(records) == .record("", sender: getpid()))
        #expect(try receive(records) == .end)
    }

    @Test func `a record has a pidfd for its sender if the kernel refuses descriptors from the peer`() throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near)
        let older = try NamedRecords(far, asksKernel: false)
        try send("one", on: far)
        try send("two", on: near)
        guard case .record(_, let sender) = try records.receive(upTo: 64, by: buffer),
            case .record(_, let unknown) = try older.receive(upTo: 64, by: buffer)
        else { throw SystemError("recvmsg", on: "test", code: Errno(rawValue: ENOMSG)) }
        #expect(unknown.pidfd == nil)
        // Before Linux 6.16, no record has a pidfd.
        guard let pidfd = sender.pidfd else { return }
        #expect(try File.text(at: "/proc/self/fdinfo/\(pidfd.rawValue)").contains("Pid:\t\(getpid())\n"))
        #expect(fcntl(pidfd.rawValue, F_GETFD) == FD_CLOEXEC)
    }

    @Test func `the kernel refuses descriptors from the peer if it supports that`() throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near)
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        do {
            try send("a", with: file, on: far)
            // Before Linux 6.16, the record is sent, and refused on receipt.
            #expect(try receive(records) == .refused)
        } catch let error as SystemError {
            #expect(error.code.rawValue == EPERM)
            #expect(try receive(records) == .wouldBlock)
        }
    }

    @Test(arguments: ["", "a"])
    func `on other kernels, a record with descriptors remains in the socket`(text: String) throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near, asksKernel: false)
        let pipe = try Pipe()
        let (reading, writing) = (pipe.reading, pipe.writing)
        try send("first", on: far)
        try send(text, with: reading, on: far)
        #expect(try receive(records) == .record("first", sender: getpid()))
        for _ in 0..<3 { #expect(try receive(records) == .refused) }
        // The record is still in the socket.
        let closer: SharedFileDescriptor.Closer = { _ = close($0) }
        guard
            case .message(_, let descriptors) = try UnixSocket.receive(
                from: near.rawValue,
                upTo: 64,
                descriptorLimit: 1,
                closer: closer,
                waiting: .never
            )
        else { throw SystemError("recvmsg", on: "test", code: Errno(rawValue: ENOMSG)) }
        #expect(descriptors.count == 1)
        withExtendedLifetime(writing) {}
    }

    @Test(arguments: [true, false])
    func `a record over the limit is refused`(asksKernel: Bool) throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near, asksKernel: asksKernel)
        try send("four", on: far)
        #expect(try receive(records, upTo: 3) == .refused)
    }

    @Test func `a socket is closed only if it is empty, and accepts no more records in any case`() throws {
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        for (text, descriptor) in [(nil, nil), ("", nil), ("a", nil), ("", file), ("a", file)]
            as [(String?, SharedFileDescriptor?)]
        {
            let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
            if let text { try send(text, with: descriptor, on: far) }
            let number = try near.duplicate(closer: { _ in }).rawValue
            #expect(UnixSocket.closeIfEmpty(number) == (text == nil), "\(text ?? "nothing")")
            #expect(throws: SystemError.self) { try send("late", on: far) }
            if text != nil { close(number) }
        }
    }
}
