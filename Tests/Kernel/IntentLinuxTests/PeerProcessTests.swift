import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(1))) struct PeerProcessTests {
    @Test func `a peer is a descendant of the process that started it, and of no other process`() throws {
        let peer = try Peer("connection.connect(sys.argv[1]); sys.stdin.read()")
        let process = try #require(try PeerProcess(of: peer.accept()))
        #expect(process.ancestry(from: getpid()) == .below)
        // This process is not a descendant of a process that it started.
        let other = try Peer("sys.stdin.read()")
        #expect(process.ancestry(from: other.number) == .elsewhere)
    }

    @Test func `an orphaned peer is a descendant of the process that adopts orphans`() throws {
        // PR_SET_CHILD_SUBREAPER is 36. The test's process must not adopt orphans, because the test library reaps any
        // child.
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

    @Test func `the ancestry of a peer that has exited is unknown`() throws {
        let peer = try Peer(
            """
            child = os.fork()
            if child == 0: connection.connect(sys.argv[1]); os._exit(0)
            os.waitpid(child, 0); print("reaped", flush=True); sys.stdin.read()
            """
        )
        peer.waitForLine()
        // The result is nil if the kernel no longer reports the process.
        #expect(try PeerProcess(of: peer.accept())?.ancestry(from: getpid()) ?? .unknown == .unknown)
    }

    @Test func `a peer in its own PID namespace is a descendant of the namespace's creator`() throws {
        guard getuid() == 0 else { return print("skipped: a PID namespace requires root") }
        let peer = try Peer(
            "connection.connect(sys.argv[1]); sys.stdin.read()",
            by: ["/usr/bin/unshare", "--pid", "--fork"]
        )
        let process = try #require(try PeerProcess(of: peer.accept()))
        #expect(process.ancestry(from: getpid()) == .below)
        #expect(process.ancestry(from: try Peer("sys.stdin.read()").number) == .elsewhere)
    }

    /// A Python program with an unconnected socket, `connection`, and the path of a listening socket. The program exits
    /// at the end of its input.
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
            // Ignore failures, because the pipe may already be closed and the folder already removed.
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
            // The descriptor stays open until the test exits.
            return accepted.release()
        }
    }
}
