import IntentLinux
import IntentSandbox
import Testing

@testable import IntentLauncher

/// Tests the children that close sockets with queued messages.
@Suite(.timeLimit(.minutes(1))) struct SocketCloserTests {
    private let parts: LauncherParts

    init() throws { parts = try LauncherParts() }

    /// Releases a socket with a pipe's write end in its queue. Returns the pipe's read end.
    private func releaseFullSocket() throws -> SharedFileDescriptor {
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        let pipe = try Pipe()
        try pipe.reading.setNonblocking()
        _ = try UnixSocket.send([0], descriptors: [pipe.writing], on: ends.first.rawValue, waiting: .never)
        _ = try ends.second.duplicate(closer: parts.closer.closer(for: nil))
        return pipe.reading
    }

    @Test func `children close queued descriptors, and exit when no socket is waiting`() throws {
        var pipes = try (0..<3).map { _ in try releaseFullSocket() }
        var exited = 0
        try parts.run(until: { [parts] in
            pipes = try pipes.filter { try File.read($0.rawValue, upTo: 1)?.isEmpty != true }
            exited += parts.children.processes.count { ChildReaper.reap($0) != nil }
            return pipes.isEmpty && exited > 0 && exited == parts.children.processes.count
        })
    }
}
