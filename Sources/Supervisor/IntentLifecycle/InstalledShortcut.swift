package import IntentLauncherMessages

/// A shortcut as its file describes it.
package struct InstalledShortcut: Equatable, Sendable {
    package var plan: ShortcutPlan { kept.plan }
    let kept: KeptPlan
    package var catalog: IntentCatalog
    /// True for a shortcut without an operator's file: a user's own, or that of one request.
    package var isPersonal = false
    /// The versions of the apps that perform the steps, when the shortcut was requested (``InstalledApp/version``).
    package var versions: [String: String] = [:]

    /// - Parameter isRequestedOften: True to encode the plan once, instead of for each run.
    package init(plan: ShortcutPlan, catalog: IntentCatalog, isRequestedOften: Bool = false) {
        kept = KeptPlan(plan, encoded: isRequestedOften ? WireCoding.encode(plan) : nil)
        self.catalog = catalog
    }
}

/// A plan, and its JSON if many runs store it.
struct KeptPlan: Sendable {
    let plan: ShortcutPlan
    private let encoded: [UInt8]?

    init(_ plan: ShortcutPlan, encoded: [UInt8]? = nil) {
        self.plan = plan
        self.encoded = encoded
    }
}

extension KeptPlan: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.plan == right.plan }
}

extension KeptPlan: Codable {
    init(from decoder: any Decoder) throws { self.init(try ShortcutPlan(from: decoder)) }

    func encode(to encoder: any Encoder) throws {
        if let encoded, let encoder = encoder as? MessageEncoder { return encoder.encode(encoded: encoded) }
        try plan.encode(to: encoder)
    }
}

/// A live run of a shortcut.
struct LiveShortcut: Sendable {
    var machine: ShortcutMachine
    /// The shortcuts that perform each other, the one of this run last.
    var chain: [AppName]
    /// The runs of steps that were accepted, by key.
    var runs: [String: RunID] = [:]
    /// The reasons for which runs are cancelled that were requested, by key.
    var cancelled: [String: CancellationReason] = [:]
    /// The end, until all processes of the steps have exited.
    @Apart var end: ShortcutEnd?
    /// The slot in which the files of the result are collected. It has no worker.
    var slot: SlotID?
    /// The revisions of the apps with stored secret parameters.
    var described: [AppName: UInt64] = [:]
    /// The time at which the shortcut continues, in nanoseconds since 1970.
    var wake: Int64?
}

/// What the history stores of a live run of a shortcut, so that another `intentd` can continue it.
struct StoredShortcut: Equatable, Sendable, Codable {
    var plan: KeptPlan
    var chain: [AppName]
    var isPersonal = false
    var versions: [String: String] = [:]

    init(_ shortcut: InstalledShortcut, chain: [AppName]) {
        plan = shortcut.kept
        self.chain = chain
        isPersonal = shortcut.isPersonal
        versions = shortcut.versions
    }

    /// Returns the app of a run as it was when the run was requested: with the recorded steps, of which a person may have
    /// approved the whole, whatever the file contains now.
    func app(of found: FoundRun) -> AppLookup {
        let accepted = found.record.accepted
        var shortcut = InstalledShortcut(plan: plan.plan, catalog: IntentCatalog(intents: []))
        (shortcut.isPersonal, shortcut.versions) = (isPersonal, versions)
        if isPersonal {
            return .found(.personal(accepted.app, shortcut, of: accepted.caller.caller, limits: accepted.limits))
        }
        guard case .found(var app) = found.app else { return found.app }
        shortcut.catalog = app.shortcut?.catalog ?? shortcut.catalog
        app.shortcut = shortcut
        return .found(app)
    }

    /// The name of the row with the plan.
    static func name(of run: RunID) -> String { "\(prefix)\(run)" }
    /// The name of the row with the notes.
    static func notesName(of run: RunID) -> String { "\(notesPrefix)\(run)" }

    static let prefix = "shortcut "
    static let notesPrefix = "shortcut-notes "
}

/// The stored shortcuts of an earlier `intentd` that were not continued yet.
struct RecalledShortcuts: Sendable {
    private(set) var stored: [RunID: StoredShortcut] = [:]
    private var notes: [RunID: ShortcutMachine.ShortcutNotes] = [:]

    mutating func recall(_ rows: [String: String]) {
        for (name, value) in rows {
            let bytes = Array(value.utf8)
            if name.hasPrefix(utf8: StoredShortcut.notesPrefix) {
                guard let run = RunID(name.dropFirst(scalars: StoredShortcut.notesPrefix.scalarCount)) else { continue }
                notes[run] = try? WireCoding.decodeFile(ShortcutMachine.ShortcutNotes.self, from: bytes)
            } else if name.hasPrefix(utf8: StoredShortcut.prefix) {
                guard let run = RunID(name.dropFirst(scalars: StoredShortcut.prefix.scalarCount)) else { continue }
                stored[run] = try? WireCoding.decodeFile(StoredShortcut.self, from: bytes)
            }
        }
    }

    mutating func remove(_ run: RunID) -> (StoredShortcut, ShortcutMachine.ShortcutNotes)? {
        stored.removeValue(forKey: run).map { ($0, notes.removeValue(forKey: run) ?? ShortcutMachine.ShortcutNotes()) }
    }
}

extension RunLimits {
    /// The limits of a shortcut's run: its steps have limits of their own, and only its questions have a time limit.
    package var ofShortcut: RunLimits {
        var limits = self
        let unlimited = Duration.seconds(366 * 86_400)
        (limits.runtime, limits.ceiling, limits.longCeiling) = (unlimited, unlimited, unlimited)
        limits.runtimeMax = nil
        // The steps have their graces, and the undo follows.
        limits.graceCancellable = unlimited
        return limits
    }
}
