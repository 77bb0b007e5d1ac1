import Glibc
import IntentLinux
import IntentSandbox
import Testing

/// Tests how a process is confirmed to be a child.
@Suite struct ChildReaperTests {
    /// Receives one record, and waits for it.
    private func receive(_ records: NamedRecords, on socket: SharedFileDescriptor) throws -> NamedRecords.Sender {
        var source = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        _ = poll(&source, 1, 20_000)
        guard case .record(_, let sender) = try records.receive(upTo: 64, by: ReceiveBuffer(byteCount: 64)) else {
            throw SystemError("recvmsg", on: "test", code: Errno(rawValue: ENOMSG))
        }
        return sender
    }

    @Test func `a child is confirmed with and without a pidfd, until it is reaped`() throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near)
        let started = try ChildProcess.start("/bin/sh", arguments: ["-c", "echo >&3; read line <&3"], socket: far)
        let sender = try receive(records, on: near)
        #expect(sender.process == started.number)
        let child = ChildReaper.child(sender.process)
        #expect(child?.process == sender.process)
        // Before Linux 6.13, both are confirmed without a cgroup.
        #expect(ChildReaper.child(sender.process, pidfd: sender.pidfd?.rawValue) == child)
        _ = try UnixSocket.send([10], on: near.rawValue)
        _ = started.waitForEnd()
        #expect(ChildReaper.child(sender.process, pidfd: sender.pidfd?.rawValue) == nil)
    }

    @Test func `a process that is not a child is not confirmed`() throws {
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let records = try NamedRecords(near)
        _ = try UnixSocket.send([10], on: far.rawValue)
        let sender = try receive(records, on: near)
        #expect(ChildReaper.child(sender.process) == nil)
        #expect(ChildReaper.child(sender.process, pidfd: sender.pidfd?.rawValue) == nil)
    }
}
