/// The operator's settings for a host in a fleet. Durations are measured with CLOCK_MONOTONIC.
package struct NodeSettings: Sendable, Equatable {
    /// The intents that the host performs, by the name `APP/INTENT`.
    package var offers: [String: Offer]
    /// The maximum number of runs that the host performs for the fleet at the same time.
    package var slots: Int
    /// An identifier that changes when the host loses its workers.
    package var epoch: String
    package var lease: Duration
    package var poll: Duration

    package struct Offer: Codable, Sendable, Equatable {
        package var policy: RunPolicy
        /// The maximum number of attempts for a retryable run.
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

    /// The lease is six times as long as this interval, so that it does not end when a few beats are lost.
    var beatInterval: Duration { lease / 6 }
    /// The time before the end of the lease at which an exclusive run is stopped.
    var exclusiveMargin: Duration { lease / 6 }
}
