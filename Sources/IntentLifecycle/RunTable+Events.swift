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
        /// The worker of a slot violated the protocol.
        case violated(SlotID, message: String)
        /// Copying the files of a result advanced, finished, or failed.
        case filesAdvanced(SlotID)
        case filesCollected(SlotID)
        case filesRefused(SlotID, message: String)
        /// All processes of a slot have exited. Events for their reports come before this one.
        case ended(SlotID, SlotEnd, lastWords: String?)
        case timerFired(TimerID)
        /// A run's timer fired while a debugger stops its worker.
        case heldByDebugger(RunID)
        /// The worker of a slot printed this text.
        case printed(SlotID, OutputStream, text: String)
        /// The launcher reported how workers without special requirements are isolated.
        case isolationReported(Isolation)
        /// The launcher holds the files and secret values of a run, so that another `intentd` can start the run.
        case inputsKept(RunID)
        /// The launcher no longer keeps the run's inputs.
        case inputsDropped(RunID)
        /// History has an ended run that this table no longer has, and a client asked for it.
        indirect case endRecalled(WaitingAsker, KnownRun, RunEnd, for: RecallPurpose)
        /// An accepted run cannot be recorded, for this reason.
        case notRecorded(RunID, message: String)
        /// History already has a run for the same request.
        indirect case foundOnRecord(RunID, KnownRun, [WaitingAsker])
        case launcherLost
        case stopRequested
        /// An earlier `intentd` left these slots. This is the first event; the unfinished runs follow, one event each.
        case tookOver(lastSlot: UInt64, unclaimed: [SlotID])
        indirect case found(FoundRun, absence: Duration)
        /// Workers can be launched from now on, and these apps are installed.
        case started([InstalledApp])
    }

    /// A decoded request, with the facts from outside that the decision needs.
    package enum Request: Sendable {
        /// The values are those of the request, if they were already encoded to measure them. `refusal` says why
        /// history accepts no new runs now; nil when it accepts them.
        case perform(PerformRequest, RunValues? = nil, newRun: RunID, AppLookup, refusal: ErrorReport? = nil)
        case describe(AppLookup)
        case list([InstalledApp])
        case cancel(run: String)
        case watch(run: String, after: UInt64?, isReturn: Bool = false)
        case question(run: String)
        case answer(AnswerRequest)
        /// `held` contains the runs with a worker that a debugger stops.
        case runs(held: Set<RunID>)
        /// `problems` contains the problems that concern the caller.
        case status(installedAppCount: Int, problems: [ServiceProblem], agentRoots: [String]? = nil)
        /// The operator's files were read again and are valid. `warnings` concern apps that are not in the list.
        case reload(Capacity, [InstalledApp], warnings: [String])
    }

    package enum Action: Equatable, Sendable {
        /// Keep the unrecorded state of a new run in memory that outlives this `intentd`, before any client learns of
        /// the run.
        indirect case keep(RunID, RunRemainder)
        /// Write this record before a later action reveals its contents.
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
        /// Write this note for the next `intentd` before any later action.
        indirect case note(RunNote)
        case armTimer(TimerID, at: Now.Instant)
        case disarmTimer(TimerID)
        /// A line about a run for the journal.
        indirect case log(RunLine)
        /// Perform the intent that reports the end of a run.
        indirect case notify(Notification)
        /// Discard everything kept for the run, here and at the launcher.
        case forget(RunID)
        /// Discard what this process keeps for the run. The launcher keeps its part for the next `intentd`.
        case handOver(RunID)
        /// Every app that was installed at the start has described its intents, or has failed to.
        case catalogued
        /// Log that an app could not describe its intents.
        case reportBroken(AppName, problem: String)
        /// End the program, because no work is left.
        case quit(QuitCause)
    }

    /// What happens to the files of a result once a client has received them.
    package enum FileHandling: Equatable, Sendable {
        /// Keep the files for other clients.
        case keep
        /// Remove the files: the owner has them.
        case handOver
    }

    /// What a client asked about a run that only history has.
    package enum RecallPurpose: Equatable, Sendable {
        case watching
        case cancelling
    }

    /// What happens to unfinished runs when this `intentd` ends.
    package enum Succession: Equatable, Sendable {
        /// The runs end with it.
        case none
        /// The next `intentd` adopts the runs: notes are written for it, and queued runs survive a stop.
        case adopts
    }

    package enum QuitCause: Equatable, Sendable {
        case stopped
        case launcherLost
    }

    package enum TimerID: Hashable, Sendable {
        case run(RunID)
        case description(AppName)
        /// The spares of an app and user may have been idle for too long.
        case spares(AppUser)
        /// The time for the owner of an attached run to reconnect is over.
        case owner(RunID)
    }

    /// The maximum numbers of runs.
    package struct Capacity: Equatable, Sendable {
        /// `MaxRuns=`: the maximum number of simultaneous runs.
        package var runCount = 64
        /// `MaxRunsPerUser=`: the maximum number of simultaneous runs of one user.
        package var runCountPerUser = 32
        /// `MaxWaiting=`: the maximum number of runs with an open question that occupy no slot. Any more of these runs
        /// occupy slots.
        package var waitingCount = 256
        /// `MaxQueued=`: the maximum number of runs in the backlog.
        package var queueCount = 1024
        /// The part of the backlog that one user may fill, so that other users find room.
        package var queueCountPerUser: Int { (queueCount + 1) / 2 }

        /// `Weight=`. An entry without an account is for any account with its uid.
        package var weights: [Caller: Int] = [:]

        func weight(of user: Caller) -> Int {
            if weights.isEmpty { return Self.standardWeight }
            return weights[user] ?? weights[.local(user: user.uid)] ?? Self.standardWeight
        }

        private static let standardWeight = 100

        /// `PerHour=` of `[Notify]`: the number of notifications in an hour about the runs of one app and user.
        package var notificationsPerHour = 20
        /// `MaxRuns=` of `[Agents]`: the number of unfinished runs of agents for one user.
        package var agentRunCount = 16

        package init() {}
    }
}
