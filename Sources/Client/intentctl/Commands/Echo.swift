import Dispatch
import Glibc
import IntentLinux
import Synchronization

/// Draws prompts, and hides what a user types at a prompt for a secret, as readpassphrase(3) of BSD does: a signal that
/// stops or terminates the program first restores the terminal for the shell. After the program continues, it hides the
/// input and prompts again.
enum Echo {
    /// A prompt, and the settings of the terminal before it.
    private struct Open {
        var prompt: String
        var hidesInput: Bool
        var settings: termios

        func start() {
            defer { Console.draw(prompt) }
            guard hidesInput else { return }
            var quiet = settings
            quiet.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(0, TCSANOW, &quiet)
            // Discard text that the terminal has already echoed, because it must not become part of the secret.
            tcflush(0, TCIFLUSH)
        }

        func end() {
            guard hidesInput else { return }
            var settings = settings
            tcsetattr(0, TCSANOW, &settings)
        }
    }

    private static let open = Mutex<Open?>(nil)

    /// Prompts. The prompt is open until ``restore()``.
    static func ask(_ prompt: String, hidesInput: Bool) {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return Console.draw(prompt) }
        _ = sources
        open.withLock {
            let current = Open(prompt: prompt, hidesInput: hidesInput, settings: $0?.settings ?? settings)
            $0 = current
            current.start()
        }
    }

    /// Closes the prompt, and restores the echo if the prompt has disabled it.
    static func restore() {
        open.withLock { $0.take()?.end() }
    }

    // MARK: Signals

    /// Handlers of the signals that readpassphrase(3) handles.
    ///
    /// SAFETY: nothing uses the sources after they have been created. The list only keeps them.
    nonisolated(unsafe) private static let sources = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU,
    ].compactMap(source(for:))

    private static func source(for number: Int32) -> (any DispatchSourceSignal)? {
        var current = sigaction()
        // Do not change the action of a signal that is ignored or handled, because it neither stops nor terminates the
        // program.
        guard sigaction(number, nil, &current) == 0, current.__sigaction_handler.sa_handler == nil else { return nil }
        return SignalSource.listen(to: number) { turn.withLock { _ in handle(number) } }
    }

    /// One signal at a time. A program that `bg` continued reads the terminal, and receives SIGTTIN, while the handler of
    /// SIGTSTP waits for the foreground: that SIGTTIN must be judged after the wait.
    private static let turn = Mutex(())

    private static func handle(_ number: Int32) {
        // A group that does not own its terminal receives these signals. A terminal that does not control the program's
        // session has no group.
        let isBackgroundUse = (number == SIGTTIN || number == SIGTTOU) && tcgetpgrp(0) > 0
        // The program is in the foreground again.
        if isBackgroundUse, tcgetpgrp(0) == getpgrp() { return }
        open.withLock { $0?.end() }
        if !isBackgroundUse { raise(number) }
        awaitForeground()
        open.withLock { $0?.start() }
    }

    /// Returns when the terminal belongs to the program. The command `bg` continues the program while the terminal belongs
    /// to the shell: tcdrain(3) then stops the program. The kernel compares the groups and stops the program in one call. A
    /// program that compares them and then stops itself can do so after the SIGCONT of `fg`.
    ///
    /// - Returns: False if there is no terminal, or if no shell can continue the program.
    @discardableResult
    private static func awaitForeground() -> Bool {
        withDefaultAction(of: SIGTTOU) {
            while tcdrain(0) != 0 { guard errno == EINTR else { return false } }
            return true
        }
    }

    /// Waits for the terminal after a read that has failed with EIO. This is how the kernel refuses to read for a program in the
    /// background in a thread that blocks SIGTTIN, as those of Dispatch do (termios(3)). The shell receives the typed text.
    ///
    /// - Returns: False if the program cannot wait for the terminal.
    static func awaitTerminal() -> Bool { turn.withLock { _ in awaitForeground() } }

    /// Performs the default action of a signal, and returns after the program continues.
    private static func raise(_ number: Int32) {
        // Direct the signal to this thread, which then receives it before the call returns. Another thread could receive a
        // signal to the process later.
        _ = withDefaultAction(of: number) { pthread_kill(pthread_self(), number) }
    }

    private static func withDefaultAction<Result>(of number: Int32, _ body: () -> Result) -> Result {
        var ours = sigaction()
        sigaction(number, nil, &ours)
        signal(number, SIG_DFL)
        // Dispatch blocks signals in its threads.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        defer {
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            sigaction(number, &ours, nil)
        }
        return body()
    }
}
