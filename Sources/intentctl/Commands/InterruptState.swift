/// What Ctrl-C means at each moment of `run`: the first cancels and waits, the second gives up waiting.
package struct InterruptState: Sendable {
    private enum Phase: Sendable {
        /// Nothing was asked for yet.
        case preparing
        /// The wish is sent, and its run not known.
        case asking
        case following(run: String)
        /// The run is over; its files are being written.
        case ended
    }

    package enum Action: Equatable, Sendable {
        case nothing
        /// Cancel the run and say so.
        case cancel
        /// The run is to be cancelled as soon as it is known.
        case remember
        /// Leave at once; with the run that nobody waits for any more.
        case leave(ExitCode, run: String?)
    }

    private var phase: Phase = .preparing
    /// When the first interrupt came that counts.
    private var firstInterrupt: Duration?

    package init() {}

    package mutating func asked() { phase = .asking }

    package mutating func accepted(run: String) -> Action {
        phase = .following(run: run)
        return firstInterrupt != nil ? .cancel : .nothing
    }

    package mutating func ended() {
        phase = .ended
        // An interrupt that came before was about the run.
        firstInterrupt = nil
    }

    /// - Parameter now: Of any clock that does not jump.
    package mutating func interrupted(at now: Duration) -> Action {
        // timeout(1) signals the process and its group: two at once are one wish.
        if let firstInterrupt, now - firstInterrupt < .milliseconds(200) { return .nothing }
        let isSecond = firstInterrupt != nil
        firstInterrupt = firstInterrupt ?? now
        switch (phase, isSecond) {
        case (.preparing, _): return .leave(.userCancelled, run: nil)
        case (.asking, false): return .remember
        case (.asking, true): return .leave(.tryLater, run: nil)
        case (.following, false): return .cancel
        case (.following(let run), true): return .leave(.tryLater, run: run)
        case (.ended, false): return .nothing
        case (.ended, true): return .leave(.userCancelled, run: nil)
        }
    }
}
