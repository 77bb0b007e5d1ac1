/// A recorded run without a recorded exit, because its supervisor exited first.
package struct UnfinishedRun: Equatable, Sendable {
    package var run: RunID
    package var accepted: AcceptedRun
    /// False if the machine has been rebooted since the run was accepted.
    package var isOfThisBoot: Bool
    /// The time at which the run was accepted, in nanoseconds of CLOCK_MONOTONIC and CLOCK_BOOTTIME.
    package var acceptedMonotonic: Int64
    package var acceptedBoottime: Int64
    /// The last recorded state. In state `queued`, none of the run's code has been executed.
    package var state: RunState
    /// The reason why the run was stopped; nil if it was not stopped.
    package var stopReason: CancellationReason?
    /// The slot that was assigned to the run.
    package var slot: SlotID?
    /// The most recent answer to one of the run's questions. The worker may not have received it.
    package var lastAnswer: RecordedAnswer?
    /// The recorded end of the run; nil if no outcome was decided.
    package var end: RunEnd?

    package init(
        run: RunID,
        accepted: AcceptedRun,
        isOfThisBoot: Bool = true,
        acceptedMonotonic: Int64,
        acceptedBoottime: Int64,
        state: RunState,
        stopReason: CancellationReason? = nil,
        slot: SlotID? = nil,
        lastAnswer: RecordedAnswer? = nil,
        end: RunEnd? = nil
    ) {
        self.run = run
        self.accepted = accepted
        self.isOfThisBoot = isOfThisBoot
        self.acceptedMonotonic = acceptedMonotonic
        self.acceptedBoottime = acceptedBoottime
        self.state = state
        self.stopReason = stopReason
        self.slot = slot
        self.lastAnswer = lastAnswer
        self.end = end
    }
}
