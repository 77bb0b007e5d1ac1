package import IntentWire

/// The events that the run table receives, and the actions that it returns.
extension RunTable {
    package enum Event: Sendable {
        indirect case requested(Asker, Request)
        case clientLeft(ClientID)
        /// A slot's worker runs with this isolation, and its socket is connected.
        case launched(SlotID, Isolation)
        case launchFailed(SlotID, message: String)
        case reported(SlotID, WorkerReport)
        /// A slot's worker broke the protocol.
        case violated(SlotID, message: String)
        /// Copying the files of a result advanced, finished, or failed.
        case filesAdvanced(SlotID)
        case filesCollected(SlotID)
        case filesRefused(SlotID, message: String)
        /// All processes of a slot have exited. Everything that they reported came before this.
        case ended(SlotID, SlotEnd, lastWords: String?)
        case timerFired(TimerID)
        /// The run's timer fired, and a debugger holds its worker.
        case heldByDebugger(RunID)
        /// A run's worker printed this.
        case printed(SlotID, OutputStream, text: String)
        /// The launcher reported how workers without special requirements are isolated.
        case isolationReported(Isolation)
        /// The launcher holds the files and secret values of a run, so that another `intentd` can start the run.
        case inputsKept(RunID)
        /// The launcher no longer keeps the run's inputs.
        case inputsDropped(RunID)
        /// History has a finished run that this table no longer remembers, and a client asked for it.
        indirect case endRecalled(WaitingAsker, KnownRun, RunEnd, for: RecallPurpose)
        /// A run that was accepted cannot be put on record, for this reason.
        case notRecorded(RunID, message: String)
        /// History already has a run for the same request.
        indirect case foundOnRecord(RunID, KnownRun, [WaitingAsker])
        case launcherLost
        case stopRequested
        /// An earlier `intentd` left these slots. This is the first event; the unfinished runs follow, one event each.
        case tookOver(lastSlot: UInt64, unclaimed: [SlotID])
        indirect case found(FoundRun, absence: Duration)
        /// Workers can be launched from now on. These apps are installed.
        case started([InstalledApp])
    }

    /// A decoded request, with the facts from outside that deciding about it needs.
    package enum Request: Sendable {
        /// The values are the request's, if they were already encoded to measure them. `refusal` says why history
        /// accepts no new runs now; nil while it accepts them.
        case perform(PerformRequest, RunValues? = nil, newRun: RunID, AppLookup, refusal: ErrorReport? = nil)
        case describe(AppLookup)
        case list([InstalledApp])
        case cancel(run: String)
        case watch(run: String, after: UInt64?, isReturn: Bool = false)
        case question(run: String)
        case answer(AnswerRequest)
        /// `held` are the runs with a worker that a debugger stops now.
        case runs(held: Set<RunID>)
        /// `problems` are those that concern the caller.
        case status(installedAppCount: Int, problems: [ServiceProblem])
        /// The operator's files were read again and have no mistakes. `warnings` are about apps that are not in the
        /// list.
        case reload(Capacity, [InstalledApp], warnings: [String])
    }

    package enum Action: Equatable, Sendable {
        /// Keep this state of a new run in memory that outlives this `intentd`, before any client learns of the run.
        indirect case keep(RunID, RunRemainder)
        /// Write this record, before any later action reveals what it contains.
        indirect case record(RunRecord)
        indirect case answer(ClientID, id: UInt64, ClientAnswer)
        /// Send an event to these subscribers. `finished` carries the files of the result.
        case publish([ClientID], NumberedEvent, files: FileHandling = .keep)
        case launch(LaunchRequest)
        indirect case tell(SlotID, WorkerCommand)
        case signal(SlotID, StopSignal)
        case collect(SlotID, RunID, [ResultFile])
        /// Discard the files of a result that no client will receive.
        case discardFiles(SlotID, RunID)
        case release(SlotID)
        /// Keep this note of a run for the next `intentd`, before any later action is performed.
        indirect case note(RunNote)
        case armTimer(TimerID, at: Now.Instant)
        case disarmTimer(TimerID)
        /// A line about a run for the journal.
        indirect case log(RunLine)
        /// Discard everything that is held for the run, here and at the launcher.
        case forget(RunID)
        /// Discard this process's state of the run. The launcher keeps its own for the next `intentd`.
        case handOver(RunID)
        /// Every app that was installed at the start has described its intents, or failed to.
        case catalogued
        /// Log that an app could not describe its intents.
        case reportBroken(AppName, problem: String)
        /// End the program: nothing is left to do.
        case quit(QuitCause)
    }

    /// What happens to the files of a result once a client has received them.
    package enum FileHandling: Equatable, Sendable {
        /// Keep the files for other clients.
        case keep
        /// Remove the files: the owner has them.
        case handOver
    }

    /// What a client asked about a run that only history remembers.
    package enum RecallPurpose: Equatable, Sendable {
        case watching
        case cancelling
    }

    /// What happens to unfinished runs when this `intentd` ends.
    package enum Succession: Equatable, Sendable {
        /// The runs end with it.
        case none
        /// The next `intentd` adopts the runs: notes are written for it, and the backlog outlives a stop.
        case adopts
    }

    package enum QuitCause: Equatable, Sendable {
        case stopped
        case launcherLost
    }

    package enum TimerID: Hashable, Sendable {
        case run(RunID)
        case description(AppName)
        /// The idle time of an app's and user's spares may be over.
        case spares(AppUser)
        /// The owner of an attached run has not reconnected.
        case owner(RunID)
    }

    /// How many runs there may be.
    package struct Capacity: Equatable, Sendable {
        /// `MaxRuns=`: at the same time.
        package var runCount = 64
        /// `MaxRunsPerUser=`: at the same time, for one user.
        package var runCountPerUser = 32
        /// `MaxWaiting=`: the number of runs with an open question that occupy no slot. Each further one occupies a slot.
        package var waitingCount = 256
        /// `MaxQueued=`: the number of runs in the backlog.
        package var queueCount = 1024
        /// The part of the backlog that one user may fill, so that no user fills it for all others.
        package var queueCountPerUser: Int { (queueCount + 1) / 2 }

        package init() {}
    }
}
