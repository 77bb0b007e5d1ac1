package import IntentProtocol

/// What `intentd` may tell the launcher. It names apps, never programs or paths, and can only tighten.
package enum LaunchCommand: Hashable, Sendable {
    case hello(Hello)
    /// Start a worker of an app; answered by `launched` or `launchFailed`.
    case launch(LaunchRequest)
    /// Signal every process of a slot.
    case signal(slot: SlotID, StopSignal)
    /// Open result files by their paths below the slot's directory; answered by `opened` or `openFailed`.
    ///
    /// With a place, they get a second name there instead of being opened: then none rides with the answer.
    case open(slot: SlotID, paths: [String], keep: KeptPlace? = nil)
    /// Nothing of an ended slot is needed any more: its directory may go.
    case release(slot: SlotID)
    /// Look at what the runs' directories take on disk; sent now and then while any run is live.
    case measure
    /// Look at the threads of a slot's worker; answered by `observed` where there is something to see.
    case observe(slot: SlotID)
    /// Keep the descriptor that rides along, a memory file of notes, for the next `intentd`.
    case keepNotes
    /// Keep the socket that rides along, for the next `intentd`: the files that a run was given wait in it.
    case keepInputs(run: RunID)
    /// That socket may go.
    case dropInputs(run: RunID)
    /// Tell of all slots that an earlier `intentd` left: `kept` for each, and `adopted` after the last.
    case adopt
    /// Read the operator's files again; what runs keeps its rules.
    case reload
    /// End every slot, and exit.
    case quit
}

/// The names under which the files of a run's result are kept, in the launcher's folder of results: the run's
/// identifier, and below it a number for each.
package struct KeptPlace: Hashable, Sendable, Codable {
    package var run: RunID
    /// One for each path.
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
    /// The user whose run it is for: workers of two users share no sandbox. Nil for a description, which is for no user.
    package var user: UInt32?
    /// The name of that user's account, where it is known: a uid may be given to another account.
    package var account: String?
    /// The run it is for; nil for a description, and for a worker that waits for a run.
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

/// What an app's executable is started for: the environment's INTENTD_MODE.
package enum WorkerMode: String, Hashable, Sendable, Codable {
    /// Tell the catalogue, and exit.
    case describe
    /// Perform one run, and exit.
    case once
    /// Be the fork server of the app: only the launcher asks for it.
    case serve
}

extension LaunchCommand: Codable {
    private enum Kind: String {
        case hello, launch, signal, open, release, measure, observe, keepNotes, keepInputs, dropInputs, adopt, reload,
            quit
    }
    private struct Slot: Codable { var slot: SlotID }
    private struct Signal: Codable {
        var slot: SlotID
        var signal: StopSignal
    }
    private struct Open: Codable {
        var slot: SlotID
        var paths: [String]
        var keep: KeptPlace?
    }
    private struct Inputs: Codable { var run: RunID }

    package init(from decoder: any Decoder) throws {
        switch try decoder.messageKind(Kind.self) {
        case .hello: self = .hello(try Hello(from: decoder))
        case .launch: self = .launch(try LaunchRequest(from: decoder))
        case .signal:
            let fields = try Signal(from: decoder)
            self = .signal(slot: fields.slot, fields.signal)
        case .open:
            let fields = try Open(from: decoder)
            self = .open(slot: fields.slot, paths: fields.paths, keep: fields.keep)
        case .release: self = .release(slot: try Slot(from: decoder).slot)
        case .measure: self = .measure
        case .observe: self = .observe(slot: try Slot(from: decoder).slot)
        case .keepNotes: self = .keepNotes
        case .keepInputs: self = .keepInputs(run: try Inputs(from: decoder).run)
        case .dropInputs: self = .dropInputs(run: try Inputs(from: decoder).run)
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
            try encoder.encodeMessage(Kind.signal, Signal(slot: slot, signal: signal))
        case .open(let slot, let paths, let keep):
            try encoder.encodeMessage(Kind.open, Open(slot: slot, paths: paths, keep: keep))
        case .release(let slot): try encoder.encodeMessage(Kind.release, Slot(slot: slot))
        case .measure: try encoder.encodeMessage(Kind.measure)
        case .observe(let slot): try encoder.encodeMessage(Kind.observe, Slot(slot: slot))
        case .keepNotes: try encoder.encodeMessage(Kind.keepNotes)
        case .keepInputs(let run): try encoder.encodeMessage(Kind.keepInputs, Inputs(run: run))
        case .dropInputs(let run): try encoder.encodeMessage(Kind.dropInputs, Inputs(run: run))
        case .adopt: try encoder.encodeMessage(Kind.adopt)
        case .reload: try encoder.encodeMessage(Kind.reload)
        case .quit: try encoder.encodeMessage(Kind.quit)
        }
    }
}
