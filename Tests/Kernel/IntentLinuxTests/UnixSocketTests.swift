import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct UnixSocketTests {
    @Test(arguments: [UnixSocket.Kind.stream, .sequencedPacket])
    func `descriptors can be sent in both directions`(_ kind: UnixSocket.Kind) throws {
        let pair = try UnixSocket.Pair(kind)
        for (sender, receiver) in [
            (pair.first.rawValue, pair.second.rawValue), (pair.second.rawValue, pair.first.rawValue),
        ] {
            let files = try [
                MemoryFile.sealed(name: "a", Array("first".utf8)[...]),
                MemoryFile.sealed(name: "b", Array("second".utf8)[...]),
            ]
            #expect(try UnixSocket.send([7, 8, 9], descriptors: files, on: sender) == 3)
            let (bytes, descriptors) = try #require(
                message(UnixSocket.receive(from: receiver, upTo: 100, descriptorLimit: 16))
            )
            #expect(bytes == [7, 8, 9])
            #expect(try descriptors.map { try File.readAll($0.rawValue, limit: 100).map(text) } == ["first", "second"])
            #expect(descriptors.allSatisfy { OpenDescriptors.isCloseOnExec($0.rawValue) })
        }
    }

    @Test func `records keep their boundaries`() throws {
        let pair = try UnixSocket.Pair(.sequencedPacket)
        for record in [[1, 2], [3], [4, 5, 6]] as [[UInt8]] {
            #expect(try UnixSocket.send(record[...], on: pair.first.rawValue) == record.count)
        }
        for record in [[1, 2], [3], [4, 5, 6]] as [[UInt8]] {
            let received = try message(UnixSocket.receive(from: pair.second.rawValue, upTo: 9, descriptorLimit: 0))
            #expect(received?.bytes == record)
        }
    }

    @Test func `a record larger than the limit is reported and discarded`() throws {
        let pair = try UnixSocket.Pair(.sequencedPacket)
        let file = try MemoryFile.sealed(name: "a", [1])
        let inode = try File.status(of: file.rawValue).inode
        #expect(try UnixSocket.send([1, 2, 3], descriptors: [file], on: pair.first.rawValue) == 3)
        #expect(isTruncated(try UnixSocket.receive(from: pair.second.rawValue, upTo: 2, descriptorLimit: 1)))
        #expect(try OpenDescriptors.count(inode: inode) == 1)
    }

    @Test(arguments: [UnixSocket.Kind.stream, .sequencedPacket])
    func `descriptors above the limit are reported, and all descriptors are closed`(_ kind: UnixSocket.Kind) throws {
        let pair = try UnixSocket.Pair(kind)
        let file = try MemoryFile.sealed(name: "a", [1])
        let inode = try File.status(of: file.rawValue).inode
        let five = [SharedFileDescriptor](repeating: file, count: 5)
        #expect(try UnixSocket.send([1], descriptors: five, on: pair.first.rawValue) == 1)
        #expect(isTruncated(try UnixSocket.receive(from: pair.second.rawValue, upTo: 10, descriptorLimit: 2)))
        #expect(try OpenDescriptors.count(inode: inode) == 1)
    }

    @Test func `as many descriptors as the limit are received, and are closed with their message`() throws {
        let pair = try UnixSocket.Pair(.stream)
        let file = try MemoryFile.sealed(name: "a", [1])
        let inode = try File.status(of: file.rawValue).inode
        let all = [SharedFileDescriptor](repeating: file, count: 16)
        #expect(try UnixSocket.send([1], descriptors: all, on: pair.first.rawValue) == 1)
        do {
            let received = try UnixSocket.receive(from: pair.second.rawValue, upTo: 10, descriptorLimit: 16)
            #expect(message(received)?.descriptors.count == 16)
            #expect(try OpenDescriptors.count(inode: inode) == 17)
        }
        #expect(try OpenDescriptors.count(inode: inode) == 1)
    }

    @Test func `descriptors are received with the first byte of a stream's message, not later`() throws {
        let pair = try UnixSocket.Pair(.stream)
        let file = try MemoryFile.sealed(name: "a", [1])
        #expect(try UnixSocket.send([1, 2, 3], descriptors: [file], on: pair.first.rawValue) == 3)
        let first = try message(UnixSocket.receive(from: pair.second.rawValue, upTo: 1, descriptorLimit: 1))
        #expect(first?.descriptors.count == 1)
        let rest = try message(UnixSocket.receive(from: pair.second.rawValue, upTo: 9, descriptorLimit: 1))
        #expect(rest?.bytes == [2, 3])
        #expect(rest?.descriptors.isEmpty == true)
    }

    @Test func `receiving from an empty socket would block, and a closed one is at its end`() throws {
        for kind in [UnixSocket.Kind.stream, .sequencedPacket] {
            let pair = try UnixSocket.Pair(kind)
            let first = try pair.first.duplicate()
            let empty = try UnixSocket.receive(
                from: first.rawValue,
                upTo: 1,
                descriptorLimit: 0,
                waiting: .never
            )
            guard case .wouldBlock = empty else {
                Issue.record("\(empty)")
                continue
            }
            hangUp(pair)
            let closed = try UnixSocket.receive(from: first.rawValue, upTo: 1, descriptorLimit: 0)
            guard case .end = closed else {
                Issue.record("\(closed)")
                continue
            }
        }
    }

    @Test func `a full socket accepts no more bytes, and no bytes are lost`() throws {
        let pair = try UnixSocket.Pair(.stream)
        let chunk = [UInt8](repeating: 5, count: 10_000)
        var sent = 0
        while let count = try UnixSocket.send(chunk[...], on: pair.first.rawValue, waiting: .never) { sent += count }
        #expect(sent > 0)
        var received = 0
        while case .message(let bytes, _) = try UnixSocket.receive(
            from: pair.second.rawValue,
            upTo: 65_536,
            descriptorLimit: 0,
            waiting: .never
        ) { received += bytes.count }
        #expect(received == sent)
    }

    @Test func `sending to a closed peer throws an error and causes no signal`() throws {
        let pair = try UnixSocket.Pair(.stream)
        let first = try pair.first.duplicate()
        hangUp(pair)
        var error: SystemError?
        // Between fork and exec, a process that another test starts also has the other end open.
        while error == nil {
            do throws(SystemError) {
                _ = try UnixSocket.send([1], on: first.rawValue, waiting: .never)
            } catch let thrown {
                error = thrown
            }
        }
        #expect(error == SystemError("sendmsg", code: Errno(rawValue: EPIPE)))
    }

    @Test func `the kernel reports the peer's user, group and process`() throws {
        let directory = TemporaryDirectory()
        let listener = try UnixSocket.listen(.stream, at: directory("s"), permissions: 0o600)
        let client = try UnixSocket.connect(.stream, to: directory("s"))
        let server = try UnixSocket.peer(of: client.rawValue)
        #expect(server.user == geteuid())
        #expect(server.group == getegid())
        #expect(server.process == getpid())
        let accepted = try UnixSocket.accept(on: listener.rawValue)?.release()
        let connection = SharedFileDescriptor(owning: try #require(accepted))
        #expect(try UnixSocket.peer(of: connection.rawValue) == server)
    }

    @Test(arguments: [0o600, 0o660, 0o666, 0o700] as [UInt32])
    func `a listening socket's file has the requested mode`(_ permissions: UInt32) throws {
        let directory = TemporaryDirectory()
        let listener = try UnixSocket.listen(.stream, at: directory("s"), permissions: permissions)
        let status = try File.status(at: directory("s"))
        #expect(status.kind == .socket)
        #expect(status.permissions == permissions)
        #expect(listener.rawValue >= 0)
    }

    @Test func `a new listener replaces the socket of a closed one, but no file of another kind`() throws {
        let directory = TemporaryDirectory()
        try discard(UnixSocket.listen(.stream, at: directory("s"), permissions: 0o600))
        let listener = try UnixSocket.listen(.stream, at: directory("s"), permissions: 0o600)
        _ = try UnixSocket.connect(.stream, to: directory("s"))
        #expect(listener.rawValue >= 0)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: directory("f")))
        #expect(throws: SystemError("bind", on: directory("f"), code: Errno(rawValue: EADDRINUSE))) {
            try discard(UnixSocket.listen(.stream, at: directory("f"), permissions: 0o600))
        }
        #expect(try File.text(at: directory("f")) == "mine")
    }

    @Test func `the error for a path that is too long for a socket names the path`() throws {
        let directory = TemporaryDirectory()
        let path = directory(String(repeating: "a", count: 108))
        #expect(throws: SystemError("bind", on: path, code: Errno(rawValue: ENAMETOOLONG))) {
            try discard(UnixSocket.listen(.stream, at: path, permissions: 0o600))
        }
        #expect(throws: SystemError("connect", on: path, code: Errno(rawValue: ENAMETOOLONG))) {
            try discard(UnixSocket.connect(.stream, to: path))
        }
    }

    @Test func `accept returns nil when no client is waiting`() throws {
        let directory = TemporaryDirectory()
        let listener = try UnixSocket.listen(.stream, at: directory("s"), permissions: 0o600)
        try listener.setNonblocking()
        let accepted = try UnixSocket.accept(on: listener.rawValue)
        let isNothing = accepted == nil
        #expect(isNothing)
    }

    private func message(
        _ received: UnixSocket.Received
    ) -> (bytes: [UInt8], descriptors: [SharedFileDescriptor])? {
        guard case .message(let bytes, let descriptors) = received else { return nil }
        return (bytes, descriptors)
    }

    private func isTruncated(_ received: UnixSocket.Received) -> Bool {
        guard case .truncated = received else { return false }
        return true
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Closes both ends. A duplicate of one end then has no peer.
    private func hangUp(_ pair: consuming UnixSocket.Pair) {}

    private func discard(_ descriptor: consuming FileDescriptor) {}
}
