import Dispatch
import Glibc
import Testing
import intentctl

@Suite struct SignalSourceTests {
    @Test func `a signal that arrives immediately afterwards is handled`() {
        for _ in 1...20 {
            let handled = DispatchSemaphore(value: 0)
            let source = SignalSource.listen(to: SIGUSR2) { handled.signal() }
            kill(getpid(), SIGUSR2)
            #expect(handled.wait(timeout: .now() + 30) == .success)
            source?.cancel()
        }
    }

    @Test func `a signal that the parent process ignores stays ignored`() {
        signal(SIGUSR1, SIG_IGN)
        defer { signal(SIGUSR1, SIG_DFL) }
        #expect(SignalSource.listen(to: SIGUSR1) {} == nil)
        kill(getpid(), SIGUSR1)
    }
}
