import Foundation
import Glibc
import IntentConfiguration
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// A whole supervisor, on real sockets.
@Suite(.ownThread, .timeLimit(.minutes(1))) struct SupervisorTests {
    @Test(arguments: [false, true])
    func `a launcher that exited before the start ends the program`(hasHistory: Bool) throws {
        // The loop receives signals that this thread does not.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
        let folder = NSTemporaryDirectory() + "intentd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let loop = try EventLoop()
        let supervisor = try Supervisor(
            SupervisorOptions(
                installation: Installation(appFolders: [folder], user: nil),
                // The launcher's end is closed at once.
                launcher: try UnixSocket.Pair(.sequencedPacket).shared().first,
                operators: .owner(user: getuid()),
                history: hasHistory ? History.Options(path: folder + "/history.sqlite") : nil
            ),
            on: loop,
            journal: Journal(identifier: "intentd-test")
        )
        try supervisor.assumeIsolated { try $0.start() }
        #expect(try loop.run() == 1)
        _ = supervisor.assumeIsolated { $0.finish() }
    }
}
