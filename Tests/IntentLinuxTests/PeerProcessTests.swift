import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(1))) struct PeerProcessTests {
    @Test func `a peer is below the process that started it, and below no other`() throws {
        let peer = try Peer("connection.connect(sys.argv[1]); sys.stdin.read()")
        let process = try #require(try PeerProcess(of: peer.accept()))
        #expect(process.ancestry(from: getpid()) == .below)
        // This process is no descendant of one that it started.
        let other = try Peer("sys.stdin.read()")
        #expect(process.ancestry(from: other.number) == .elsewhere)
    }

    @Test func `an orphaned peer is below the process that adopts orphans`() throws {
        // PR_SET_CHILD_SUBREAPER is 36. The test's own process must adopt no orphan: the test library waits for any child.
        let peer = try Peer(
            """
            import ctypes
            ctypes.CDLL(None).prctl(36, 1)
            if os.fork() == 0:
                if os.fork(): os._exit(0)
                connection.connect(sys.argv[1]); sys.stdin.read(); os._exit(0)
            os.wait(); os.wait()
            """
        )
        let process = try #require(try PeerProcess(of: peer.accept()))
        #expect(process.ancestry(from: peer.number) == .below)
        #expect(process.ancestry(from: getpid()) == .below)
    }

    @Test func `of a peer that has ended, nothing says where it was`() throws {
        let peer = try Peer(
            """
            child = os.fork()
            if child == 0: connection.connect(sys.argv[1]); os._exit(0)
            os.waitpid(child, 0); print("reaped", flush=True); sys.stdin.read()
            """
        )
        peer.waitForLine()
        // Nil where the kernel has forgotten it.
        #expect(try PeerProcess(of: peer.accept())?.ancestry(from: getpid()) ?? .unknown == .unknown)
    }

    @Test func `a peer in a PID namespace of its own is still below who made that`() throws {
        guard getuid() == 0 else { return print("not run: a PID namespace takes root") }
        let peer = try Peer(
            "connection.connect(sys.argv[1]); sys.stdin.read()",
            by: ["/usr/bin/unshare", "--pid", "--fork"]
        )
        let process = try #require(try PeerProcess(of: peer.accept()))
        #expect(process.ancestry(from: getpid()) == .below)
        #expect(process.ancestry(from: try Peer("sys.stdin.read()").number) == .elsewhere)
    }

    /// A Python program with a socket, `connection`, and the path of one that listens; it ends with its input.
    private final class Peer {
        private let listener: FileDescriptor
        private let process = Process()
        private let input = Foundation.Pipe()
        private let output = Foundation.Pipe()
        private let folder: String

        init(_ program: String, by wrapper: [String] = []) throws {
            folder = try File.makeTemporaryFolder("\(NSTemporaryDirectory())/peer.")
            listener = try UnixSocket.listen(.stream, at: folder + "/s", permissions: 0o600)
            let words =
                wrapper + [
                    "/usr/bin/python3", "-c",
                    "import os, socket, sys\nconnection = socket.socket(socket.AF_UNIX)\n" + program, folder + "/s",
                ]
            process.executableURL = URL(filePath: words[0])
            process.arguments = Array(words.dropFirst())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        deinit {
            // Either may be closed and removed already.
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            try? FileManager.default.removeItem(atPath: folder)
        }

        var number: Int32 { process.processIdentifier }

        func waitForLine() { _ = output.fileHandleForReading.availableData }

        func accept() throws -> Int32 {
            var source = pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)
            try #require(poll(&source, 1, 30_000) == 1)
            guard let accepted = try UnixSocket.accept(on: listener.rawValue) else { throw POSIXError(.EIO) }
            // The test's own end closes it.
            return accepted.release()
        }
    }
}
