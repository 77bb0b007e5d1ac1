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
}
