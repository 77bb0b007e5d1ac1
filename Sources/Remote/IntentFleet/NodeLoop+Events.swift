/// What a host hears, and what it does.
extension NodeLoop {
    package enum Event: Sendable, Equatable {
        case connected
        case disconnected
        /// A notification arrived. It only causes a query and is never a command, because any session can send
        /// notifications.
        case hinted(Hint)
        case timerFired
        case beaten([HeldRun])
        case took([FleetRun])
        /// A submission was sent that assigns its run to this host if possible.
        case submitting
        /// The database answered such a submission. The run is nil if it was not assigned to this host.
        case submitted(FleetRun?)
        case committed([EndVerdict])
        /// The number of runs of lost hosts that were ended or queued again, and the time until the next lease of
        /// another host ends; nil if there is no such lease or the database does not tell.
        case swept(Int, due: Duration?)
        case maintained
        case left
        /// The database refused a statement. The statement had no effect.
        case refused(NodeStatement)
        /// The database could not perform a statement because of a failure of its own, such as a full disk. The
        /// statement had no effect.
        case failed(NodeStatement)
        case runEnded(FleetRunEnd)
        /// The database has stored a cancellation that a user of this host requested. This host may hold the run.
        case cancelled(run: Int64, reason: String)
        /// The number of runs outside the fleet that intentd performs or queues.
        case localRunsCounted(Int)
        /// A request to drain: the host takes no more runs, and leaves the fleet when its last run has ended.
        case drainRequested
    }

    /// The content of a notification. It may be false, because any session can send notifications.
    package enum Hint: Sendable, Equatable {
        /// A run was submitted to the queue.
        case queue
        /// A run of this host was cancelled, or its question was answered.
        case held
    }

    package enum Action: Sendable, Equatable {
        case send(NodeStatement)
        case start(FleetRun)
        case stop(run: Int64, attempt: Int, StopReason)
        /// The answer to the run's question, as JSON. Repeated until the question is closed.
        case answer(run: Int64, attempt: Int, String)
        /// Writes an end to the outbox.
        case keep(FleetRunEnd)
        /// Waits until the ends in the outbox are on the disk.
        case syncOutbox
        /// Removes an end from the outbox.
        case forget(FleetRunEnd, EndVerdict.Kind)
        case armTimer(at: Duration)
        case finish
    }

    package enum StopReason: Sendable, Equatable {
        case cancelled(String)
        /// The database no longer assigns the run to this host, so another host may perform it now.
        case swept
        /// The run is exclusive, and could outlive the host's lease.
        case leaseEnds
    }
}
