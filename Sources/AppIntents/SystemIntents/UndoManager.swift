internal import IntentWire
internal import Synchronization

/// Holds what takes back what was done.
///
/// Source: Apple's UndoManager page (Foundation; absent on Linux). ``registerUndo(performing:)`` is ours.
@MainActor
public final class UndoManager {
    private enum Action {
        case closure(@MainActor () -> Void)
        case intent(any AppIntent)
    }

    /// The one of this process's run.
    static let ofRun = UndoManager(isOfRun: true)

    private var actions: [Action] = []
    private var actionName = ""
    private let isOfRun: Bool

    /// A manager with nothing to undo.
    public convenience init() {
        self.init(isOfRun: false)
    }

    private init(isOfRun: Bool) {
        self.isOfRun = isOfRun
    }

    /// True when something was registered.
    public var canUndo: Bool { !actions.isEmpty }
    /// What would be undone, in a word.
    public var undoActionName: String { actionName }

    /// Registers an action that takes back what was done to an object. It ends with the process, as the object does.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target,
        handler: @escaping @MainActor (Target) -> Void
    ) {
        actions.append(.closure { handler(target) })
        offer()
    }

    /// Registers an intent that takes back what this run does, with the values that its parameters have now.
    ///
    /// It is recorded with the run's end, and `intentctl undo` performs it as a run of its own, in a worker of its own,
    /// while the run is on record. Of several that were registered the last one counts: an intent that does many things
    /// registers one that takes back all of them. Values that are files are left out.
    public func registerUndo(performing intent: some AppIntent) {
        actions.append(.intent(intent))
        offer()
    }

    /// Says what would be undone.
    public func setActionName(_ actionName: String) {
        self.actionName = actionName
        offer()
    }

    /// Takes back what was registered last. An intent is performed in this process, in a task of its own.
    public func undo() {
        switch actions.popLast() {
        case .closure(let action)?: action()
        case .intent(let intent)?:
            Task {
                do {
                    _ = try await intent.perform()
                } catch {
                    StandardError.print("cannot undo: \(ErrorMessage.of(error))")
                }
            }
        case nil: break
        }
        offer()
    }

    /// Forgets everything that was registered.
    public func removeAllActions() {
        actions.removeAll()
        offer()
    }

    /// Notes what a run of its own could do, for the end of this one.
    private func offer() {
        guard isOfRun else { return }
        guard !actions.isEmpty else { return UndoJournal.note(nil) }
        let intent = actions.reversed().lazy.compactMap { action in
            if case .intent(let intent) = action { return intent }
            return nil
        }.first
        UndoJournal.note(
            UndoOffer(
                name: actionName.isEmpty ? nil : actionName.bounded(to: 200),
                intent: intent.map { intent in
                    IntentReference(
                        intent: type(of: intent).persistentIdentifier,
                        values: ShortcutInspection.values(of: intent)
                    )
                }
            )
        )
    }
}

/// How this process's run can be taken back: told with its end.
enum UndoJournal {
    private static let offer = Mutex<UndoOffer?>(nil)

    static func note(_ offer: UndoOffer?) { self.offer.withLock { $0 = offer } }

    static func take() -> UndoOffer? {
        offer.withLock { offer in
            defer { offer = nil }
            return offer
        }
    }
}
