/// The phase of `run`, which determines the effect of Ctrl-C. The first Ctrl-C cancels the run and waits for its end.
/// The second Ctrl-C stops waiting.
package struct InterruptState: Sendable {
    private enum Phase: Sendable {
        /// intentctl has not sent the request yet.
        case preparing
        /// intentctl has sent the request, but does not know the run's identifier yet.
        case requested
        case following(run: String)
        /// The run has ended, and intentctl is saving its files.
        case ended
    }

    package enum Action: Equatable, Sendable {
        case nothing
        /// Cancel the run and inform the user.
        case cancel
        /// Cancel the run after intentd has sent its identifier.
        case cancelLater
        /// Exit immediately. If `run` is set, intentd continues to cancel this run.
        case exit(ExitCode, run: String?)
    }

    private var phase: Phase = .preparing
    /// The time of the first interrupt.
    private var firstInterrupt: Duration?

    package init() {}

    package mutating func requestSent() { phase = .requested }

    package mutating func accepted(run: String) -> Action {
        phase = .following(run: run)
        return firstInterrupt != nil ? .cancel : .nothing
    }

    package mutating func ended() {
        phase = .ended
        // Discard an earlier interrupt, because it has already cancelled the run.
        firstInterrupt = nil
    }

    /// - Parameter now: The time on a monotonic clock.
    package mutating func interrupted(at now: Duration) -> Action {
        // timeout(1) signals the process and its process group. Treat two signals in quick succession as one interrupt.
        if let firstInterrupt, now - firstInterrupt < .milliseconds(200) { return .nothing }
        let isSecond = firstInterrupt != nil
        firstInterrupt = firstInterrupt ?? now
        switch (phase, isSecond) {
        case (.preparing, _): return .exit(.userCancelled, run: nil)
        case (.requested, false): return .cancelLater
        case (.requested, true): return .exit(.tryLater, run: nil)
        case (.following, false): return .cancel
        case (.following(let run), true): return .exit(.tryLater, run: run)
        case (.ended, false): return .nothing
        case (.ended, true): return .exit(.userCancelled, run: nil)
        }
    }
}
