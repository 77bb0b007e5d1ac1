import Glibc
import IntentDaemon
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(2))) struct ClosingThreadsTests {
    @Test(.enabled(if: HangingFile.obstacle == nil, "\(HangingFile.obstacle ?? "")"))
    func `descriptors of one user that hang do not delay the descriptors of another user`() async {
        // Run in a separate process: a process that another test starts would inherit these descriptors, and hang.
        await #expect(processExitsWith: .success) {
            let closing = try ClosingThreads()
            let hanging = try HangingFile()
            let files = try (0..<8).map { _ in try dup(hanging.open()) }
            try hanging.hang(in: .flush)
            for (number, file) in files.enumerated() {
                closing.close(file, in: .account(.local(user: UInt32(number % 6))))
            }
            for lane in [ClosingThreads.Lane.account(.local(user: 77)), .others] {
                var ends: [Int32] = [-1, -1]
                try syscall("pipe") { pipe(&ends) }
                closing.close(ends[1], in: lane)
                // The end of the pipe is reached once the last writing descriptor is closed.
                #expect(try File.read(ends[0], upTo: 1)?.isEmpty == true)
            }
            #expect(closing.waitingCount(in: .account(.local(user: 0))) == 2)
            #expect(closing.waitingCount(in: .account(.local(user: 5))) == 1)
            hanging.end()
        }
    }
}
