/// A command from `intentd` to the launcher. A command contains an app's name, never an executable or a permission: the
/// launcher reads both from the operator's files.
package enum LaunchCommand: Hashable, Sendable {
    case hello(Hello)
    /// Start a worker for an app. The launcher reports `launched` or `launchFailed`.
    case launch(LaunchRequest)
    /// Send a signal to every process of a slot.
    case signal(slot: SlotID, StopSignal)
    /// Open result files, given by their paths in the slot's run folder. The launcher reports `opened` or `openFailed`.
    ///
    /// If `keep` is set, the launcher links the files into the results folder and does not send descriptors.
    case open(slot: SlotID, paths: [String], keep: KeptFileNames? = nil)
    /// Remove the slot and its run folder as soon as all processes of the slot have exited.
    case release(slot: SlotID)
    /// Measure the disk usage of run folders and state folders if a measurement is due. Sent repeatedly while any run
    /// is live.
    ///
    /// If `reportsUsage` is true, the launcher also reports the memory and processor time of the slots that are due
    /// for a sample.
    case measure(reportsUsage: Bool = false)
    /// Inspect the threads of a slot's worker. The launcher reports `observed` if it found threads.
    case observe(slot: SlotID)
    /// Keep the attached memfd, which contains notes about live runs, for the next `intentd`.
    case keepNotes
    /// Keep the attached socket, which buffers a run's files, for the next `intentd`.
    case keepInputs(run: RunID)
    /// Close the socket that buffers a run's files.
    case dropInputs(run: RunID)
    /// Report `kept` for every slot from an earlier `intentd`, and then `adopted`.
    case adopt
    /// Reload the operator's files. Workers that are already running keep their previous rules.
    case reload
    /// Permit or refuse the connections that wait for the answer to a question (`HostEvent.asked`).
    case decide(HostQuestion, isPermitted: Bool)
    /// Open the credentials of a schedule, for a repetition of a run. The launcher reports `credentials`.
    case openCredentials(ScheduledRun)
    /// Kill the processes of every slot, and exit.
    case quit
}

/// The names of result files in the launcher's results folder. The run's identifier is the name of a subfolder, and the
/// files in it are numbered.
package struct KeptFileNames: Hashable, Sendable, Codable {
    package var run: RunID
    /// The number of each file in the subfolder, in the order of the paths.
    package var indices: [Int]

    package init(run: RunID, indices: [Int]) {
        self.run = run
        self.indices = indices
    }
}

/// A run that a schedule has started.
package struct ScheduledRun: Hashable, Sendable, Codable {
    package var run: RunID
    package var schedule: String
    package var app: AppName
    /// The name of the owner's account.
    package var account: String

    package init(run: RunID, schedule: String, app: AppName, account: String) {
        self.run = run
        self.schedule = schedule
        self.app = app
        self.account = account
    }
}

package struct LaunchRequest: Hashable, Sendable, Codable {
    package var slot: SlotID
    package var app: AppName
    package var mode: WorkerMode
    /// The uid of the run's owner; nil for a worker that only reports the app's catalogue. Workers of different users
    /// never share a sandbox.
    package var user: UInt32?
    /// The name of the owner's account; nil when unknown. The uid alone does not identify the owner, because it can be
    /// reassigned to another account.
    package var account: String?
    /// The run; nil for a spare, and for a worker that only reports the app's catalogue.
    package var run: RunID?
    /// The name in the section of an intent that has a sandbox of its own, because the operator grants hosts to it; nil for
    /// all other intents.
    package var intent: String?

    package init(
        slot: SlotID,
        app: AppName,
        mode: WorkerMode,
        for caller: Caller? = nil,
        run: RunID? = nil,
        intent: String? = nil
    ) {
        self.slot = slot
        self.app = app
        self.mode = mode
        user = caller?.uid
        account = caller.flatMap { $0.account.isEmpty ? nil : $0.account }
        self.run = run
        self.intent = intent
    }
}

/// What an app's executable does after it has started: the value of `INTENTD_MODE` in its environment.
package enum WorkerMode: String, Hashable, Sendable, Codable {
    /// The process reports the app's catalogue and exits.
    case describe
    /// The process performs one run and exits.
    case once
    /// The process is the app's fork server. Only the launcher sets this mode.
    case serve
}

extension LaunchCommand: Codable {
    package static let valueLimit = Int.max

    private enum CodingKeys: CaseName {
        case hello, launch, signal, open, release, measure, observe, keepNotes, keepInputs, dropInputs, adopt, reload,
            decide, openCredentials, quit
    }

    private enum SignalCodingKeys: String, CodingKey { case slot, _1 = "signal" }
    private enum MeasureCodingKeys: String, CodingKey { case reportsUsage = "reportsUsage?" }
}
