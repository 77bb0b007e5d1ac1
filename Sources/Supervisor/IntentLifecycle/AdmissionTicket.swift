package import IntentLauncherMessages

extension AdmissionQueue {
    /// The properties of a run that decide when it is admitted.
    package struct Ticket: Hashable, Sendable {
        package var run: RunID
        package var user: Caller
        /// The account that pays for the run: the run counts against its shares of the slots and the backlog.
        package var account: Account
        package var app: AppName
        /// The run that this run retries. It must end and release its slot before this run is admitted.
        package var predecessor: RunID?
        /// True if a user is waiting for the run at a terminal.
        package var isInteractive = false
        /// The run's claims; nil until its app has described its intents. Until then, the run stays in the backlog.
        package var claims: [ConcurrencyClaim]? = []
        /// `Priority=`: a run with a higher number is admitted first.
        package var priority = 0

        package init(run: RunID, user: Caller, account: Account, app: AppName) {
            self.run = run
            self.user = user
            self.account = account
            self.app = app
        }
    }

    /// The reason why the backlog refuses a run.
    package enum Refusal: Equatable, Sendable {
        /// The backlog is full, and contains this number of runs.
        case queueFull(Int)
        /// The user's share of the backlog is full, and contains this number of runs.
        case userShareFull(Int)
        /// A `Concurrency=` or `Exclusive=` limit with `refuse` has been reached.
        case limitReached(ConcurrencyClaim)

        /// Returns the reason why a user may not have one more of the runs that wait, or nil if the user may (``FairShare``).
        static func of(own: Int, taken: Int, limit: Int) -> Refusal? {
            if taken >= limit { return .queueFull(taken) }
            return FairShare.hasRoom(own: own, taken: taken, limit: limit) ? nil : .userShareFull(own)
        }
    }

    enum Stage: Sendable {
        /// The run waits in the backlog until it is admitted or leaves the queue.
        case queued
        /// The run has a slot. It becomes resting or asking when a question opens, or leaves the queue.
        case admitted
        /// The run has an open question and no slot. It becomes admitted or resumed when the question closes, or leaves
        /// the queue.
        case resting
        /// The run's question has closed, and no slot was free for the run. It becomes admitted when one is, becomes
        /// resting when another question opens, or leaves the queue.
        case resumed
        /// The run has an open question, and keeps its slot because its user's share of `MaxWaiting=` is full. It
        /// becomes resting when the share has room, becomes admitted when the question closes, or leaves the queue.
        case asking
    }
}
