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

    package init(slot: SlotID, app: AppName, mode: WorkerMode, for caller: Caller? = nil, run: RunID? = nil) {
        self.slot = slot
        self.app = app
        self.mode = mode
        user = caller?.uid
        account = caller.flatMap { $0.account.isEmpty ? nil : $0.account }
        self.run = run
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
    private enum Kind: String {
        case hello, launch, signal, open, release, measure, observe, keepNotes, keepInputs, dropInputs, adopt, reload,
            quit
    }

    package init(from decoder: any Decoder) throws {
        switch try decoder.messageKind(Kind.self) {
        case .hello: self = .hello(try Hello(from: decoder))
        case .launch: self = .launch(try LaunchRequest(from: decoder))
        case .signal:
            self = .signal(slot: try decoder.field(.slot), try decoder.field(.signal))
        case .open:
            self = .open(
                slot: try decoder.field(.slot),
                paths: try decoder.field(.paths),
                keep: try decoder.optionalField(.keep)
            )
        case .release: self = .release(slot: try decoder.field(.slot))
        case .measure: self = .measure(reportsUsage: try decoder.optionalField(.reportsUsage) ?? false)
        case .observe: self = .observe(slot: try decoder.field(.slot))
        case .keepNotes: self = .keepNotes
        case .keepInputs: self = .keepInputs(run: try decoder.field(.run))
        case .dropInputs: self = .dropInputs(run: try decoder.field(.run))
        case .adopt: self = .adopt
        case .reload: self = .reload
        case .quit: self = .quit
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello): try encoder.encodeMessage(Kind.hello, hello)
        case .launch(let request): try encoder.encodeMessage(Kind.launch, request)
        case .signal(let slot, let signal):
            try encoder.encodeMessage(Kind.signal, (.slot, slot), (.signal, signal))
        case .open(let slot, let paths, let keep):
            try encoder.encodeMessage(Kind.open, (.slot, slot), (.paths, paths), (.keep, keep))
        case .release(let slot): try encoder.encodeMessage(Kind.release, (.slot, slot))
        case .measure(let reportsUsage):
            try encoder.encodeMessage(Kind.measure, (.reportsUsage, reportsUsage ? true : nil))
        case .observe(let slot): try encoder.encodeMessage(Kind.observe, (.slot, slot))
        case .keepNotes: try encoder.encodeMessage(Kind.keepNotes)
        case .keepInputs(let run): try encoder.encodeMessage(Kind.keepInputs, (.run, run))
        case .dropInputs(let run): try encoder.encodeMessage(Kind.dropInputs, (.run, run))
        case .adopt: try encoder.encodeMessage(Kind.adopt)
        case .reload: try encoder.encodeMessage(Kind.reload)
        case .quit: try encoder.encodeMessage(Kind.quit)
        }
    }
}
