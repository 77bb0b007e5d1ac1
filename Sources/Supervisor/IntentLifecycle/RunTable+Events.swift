package import IntentLauncherMessages

/// The events that the run table receives, and the actions that it returns.
extension RunTable {
    package enum Event: Sendable {
        indirect case requested(RequestOrigin, Request)
        case clientLeft(ClientID)
        /// The worker in a slot has been launched with this isolation, and its socket is connected.
        case launched(SlotID, Isolation)
        case launchFailed(SlotID, LaunchFailure)
        case reported(SlotID, WorkerReport)
        /// The worker in a slot violated the protocol.
        case violated(SlotID, message: String)
        /// More bytes of a result's files were copied.
        case filesAdvanced(SlotID)
        /// Runs must not begin in these slots, because their sandbox differs from the host.
        /// The path has changed on the host; it is nil if the app's settings have changed.
        case outdated([SlotID], path: String? = nil)
        /// What intentd-egress reports about a sandbox that the runs in these slots share.
        case hosts([SlotID], HostEvent)
        /// All files of a result were stored.
        case filesCollected(SlotID)
        /// The files of a result could not be read or stored.
        case filesRefused(SlotID, message: String)
        /// All processes in a slot have exited. The events for their reports precede this event.
        case ended(SlotID, SlotEnd, lastLine: String?)
        case timerFired(TimerID)
        /// A run's timer fired while its worker is stopped by a debugger.
        case heldByDebugger(RunID)
        /// The worker in a slot printed this string.
        case printed(SlotID, OutputStream, text: String)
        /// The launcher reported how workers without special requirements are isolated.
        case isolationReported(Isolation)
        /// The launcher keeps the files and secret values of a run, so that another `intentd` can start the run.
        case inputsKept(RunID)
        /// The launcher no longer keeps the run's inputs.
        case inputsDropped(RunID)
        /// The files of a run are kept until its last repetition, because they can be read again.
        case filesRepeatable(RunID)
        /// A client requested an ended run that the run table no longer contains, and the history returned the run's
        /// end.
        indirect case endRecalled(WaitingClient, KnownRun, RunEnd, for: RecallPurpose)
        /// An accepted run cannot be recorded. The message gives the reason.
        case notRecorded(RunID, message: String)
        /// The history already contains a run for the same request.
        indirect case foundOnRecord(RunID, KnownRun, [WaitingClient])
        /// The request of a notification was refused, for this reason.
        case undelivered(RequestID, String)
        /// The history has read the rows that ``RunRecord/Fact/stored(name:value:)`` has written.
        case recalled([String: String])
        /// A run of a shortcut's step was accepted, was refused or has ended, or the history has recalled the steps.
        indirect case stepReported(RunID, StepEvent)
        case launcherLost
        case stopRequested
        /// The ids that are subordinate to accounts were read, or have changed.
        case subordinatesRead(SubordinateIDs)
        /// `intentd` adopts the slots of an earlier `intentd`. An event `found` follows for each unfinished run.
        case tookOver(lastSlot: UInt64, unclaimed: [SlotID])
        indirect case found(FoundRun, absence: Duration)
        /// `intentd` can launch workers from now on. The array contains the installed apps. A private daemon knows the
        /// user who will request the first run, and catalogues that apps described to an earlier daemon.
        case started(
            [InstalledApp],
            expectingRunOf: Caller? = nil,
            with: [InstalledApp.Fingerprint: IntentCatalog] = [:]
        )
    }

    /// A decoded request, with the external facts that the decision needs.
    package enum Request: Sendable {
        /// The values of the request are separate if they were already encoded to measure their size. `refusal` is the
        /// reason why the history currently accepts no new runs, or nil if it accepts new runs.
        case perform(PerformRequest, RunValues? = nil, newRun: RunID, AppLookup, refusal: ErrorReport? = nil)
        case describe(AppLookup)
        case list([InstalledApp])
        case cancel(run: String, reason: CancellationReason? = nil)
        case watch(run: String, after: UInt64?, isReturn: Bool = false)
        case question(run: String)
        case answer(AnswerRequest)
        /// End the standing approval of a run.
        case revoke(run: String)
        /// Store a shortcut of the caller, which has been checked.
        case addShortcut(OwnShortcuts.Entry)
        case removeShortcut(name: String)
        /// `held` contains the runs with a worker that is stopped by a debugger.
        case runs(held: Set<RunID>)
        /// The apps are all installed apps that can be used. They describe their intents again if they have changed or
        /// have failed, so that the status is current.
        case status(StatusFacts, of: [InstalledApp])
        /// A start of the caller's schedule did not result in a run.
        case startFailed(StartFailure)
        /// The operator's files were read again and are valid. `warnings` concern apps that are not in the list.
        case reload(Capacity, [InstalledApp], warnings: [String])
    }

    package enum Action: Equatable, Sendable {
        /// Keep the unrecorded state of a new run in memory that outlives this `intentd`. This action precedes the
        /// action that announces the run to a client.
        indirect case keep(RunID, RunRemainder)
        /// Write this record before performing a later action that reveals its contents.
        indirect case record(RunRecord)
        indirect case answer(ClientID, id: UInt64, ClientAnswer)
        /// Send an event to these subscribers. The files of the result are sent with `finished`.
        case publish([ClientID], NumberedEvent)
        case launch(LaunchRequest)
        indirect case send(SlotID, RunID, WorkerCommand)
        /// Permit or refuse the connections that wait for the answer to a question about a host.
        case decide(RunID?, HostQuestion, isPermitted: Bool)
        case signal(SlotID, StopSignal)
        case collect(SlotID, RunID, [ResultFile])
        /// Discard the files of a result that no client will receive.
        case discardFiles(SlotID, RunID)
        case release(SlotID, RunID? = nil)
        /// Write this note for the next `intentd` before performing any later action.
        indirect case note(RunNote)
        case armTimer(TimerID, at: Now.Instant)
        case disarmTimer(TimerID)
        /// Write a line about a run to the journal.
        indirect case log(RunLine)
        /// Deliver a notification, or log what happened to it.
        indirect case notify(NotificationOutbox.Step)
        /// Perform a task of this shortcut's run.
        indirect case conduct(RunID, ShortcutTask)
        /// Release the files and values of the run, in this process and in the launcher.
        case forget(RunID)
        /// Release the files and values of the run in this process. The launcher keeps its copies for the next
        /// `intentd`.
        case handOver(RunID)
        /// Report to systemd that the service has started, because every app that was installed at the start has
        /// described its intents or has failed.
        case catalogued
        /// Log that an app cannot be used, because it could not describe its intents or its unit file does not match
        /// them.
        case reportBroken(AppName, problem: String)
        /// Exit the program, because no work is left or the launcher has exited.
        case quit(QuitCause)

        /// The run with records that must be on disk before this action; nil if the action depends on no record.
        ///
        /// Timers and signals depend on none, so that limits are enforced even while a disk hangs.
        package var recordedRun: RunID? {
            switch self {
            case .answer(_, _, .accepted(let run)): run
            case .answer(_, _, .ended(let end)): end.run
            case .answer(_, _, .watching(let watched)): watched.run
            case .answer(_, _, .answerAccepted(let run, _)): run
            case .answer(_, _, .shortcutAdded), .answer(_, _, .shortcutRemoved): RunTable.ownShortcutRows
            case .publish(_, let event): event.run
            // A worker may begin its run only once the run's start is on record, and discard its result only once the
            // result is on record.
            case .send(_, let run, .perform), .send(_, let run, .acknowledge), .send(_, let run, .answer): run
            case .release(_, let run): run
            case .decide(let run, _, _): run
            // A step is requested only once the shortcut is on record.
            case .conduct(let run, _): run
            case .forget(let run), .handOver(let run): run
            case .keep, .answer, .send, .record, .note, .launch, .signal, .collect, .discardFiles, .armTimer,
                .disarmTimer, .log, .notify, .quit, .catalogued, .reportBroken:
                nil
            }
        }
    }

    /// The purpose of a client's request about a run that only the history contains.
    package enum RecallPurpose: Equatable, Sendable {
        case watching
        case cancelling
    }

    /// What happens to unfinished runs when this `intentd` exits.
    package enum Succession: Equatable, Sendable {
        /// The runs end with this `intentd`.
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
        /// Fires when the spares of an app and user may have been idle for too long.
        case spares(AppUser)
        /// Fires when the owner of an attached run has not reconnected in time.
        case owner(RunID)
        /// Fires when a notification may be due.
        case notifications
        /// Fires when a shortcut continues.
        case shortcuts
        /// Fires when the workers of ended steps exit.
        case lingering
    }

    /// The limits on runs and notifications that apply to all apps, and the weights of users.
    package struct Capacity: Equatable, Sendable {
        /// `MaxRuns=`: the maximum number of simultaneous runs.
        package var runCount = 64
        /// `MaxRunsPerUser=`: the maximum number of simultaneous runs of one user.
        package var runCountPerUser = 32
        /// `MaxWaiting=`: the maximum number of runs that have an open question and occupy no slot, shared by
        /// ``FairShare``. Additional runs with an open question keep their slots.
        package var waitingCount = 256
        /// `MaxQueued=`: the maximum number of runs in the backlog.
        package var queueCount = 1024
        /// The maximum number of live runs of shortcuts, shared by ``FairShare``. No key changes it.
        package var shortcutCount = 32_768

        /// The `Weight=` of each user. An entry without an account applies to any account with its uid.
        package var weights: [Caller: Int] = [:]

        func weight(of account: Account) -> Int {
            if weights.isEmpty { return Self.standardWeight }
            return weights[account.payer] ?? weights[.local(user: account.payer.uid)] ?? Self.standardWeight
        }

        private static let standardWeight = 100

        /// `[Notify]` of `intentd.conf`, for apps that are not installed.
        package var notify = NotifyRule()
        /// `PerHour=` in `[Notify]`: the maximum number of notifications within an hour about the runs of one app and
        /// user.
        package var notificationsPerHour = 20
        /// `MaxRuns=` in `[Agents]`: the maximum number of unfinished runs that agents have requested for one user,
        /// without those that wait for an answer.
        package var agentRunCount = 16
        /// `MaxWaiting=` in `[Agents]`: the number of agents' runs for one user that may wait for an answer.
        package var agentWaitingCount = 16
        /// `User=` and `Realm=` in `[Web]`.
        package var realms = RealmAccess()

        package init() {}
    }
}
