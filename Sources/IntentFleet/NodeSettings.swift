/// What an operator decided about a host of a fleet. Durations are those of CLOCK_MONOTONIC.
package struct NodeSettings: Sendable, Equatable {
    /// What the host performs, by the name `APP/INTENT`.
    package var offers: [String: Offer]
    /// How many runs the host performs at a time for the fleet.
    package var slots: Int
    /// Changes when the host has lost its workers.
    package var epoch: String
    package var lease: Duration
    package var poll: Duration

    package struct Offer: Codable, Sendable, Equatable {
        package var policy: RunPolicy
        /// How often a retryable run is attempted in all.
        package var tries: Int

        package init(_ policy: RunPolicy, tries: Int = 1) {
            self.policy = policy
            self.tries = tries
        }
    }

    package init(
        offers: [String: Offer],
        slots: Int,
        epoch: String,
        lease: Duration = .seconds(30),
        poll: Duration = .seconds(1)
    ) {
        self.offers = offers
        self.slots = slots
        self.epoch = epoch
        self.lease = lease
        self.poll = poll
    }

    /// Six beats fit into a lease, so that a few lost ones cost no run.
    var beatInterval: Duration { lease / 6 }
    /// How long before the end of the lease an exclusive run is stopped.
    var exclusiveMargin: Duration { lease / 6 }
}
