internal import IntentWire
internal import IntentWorker
internal import Synchronization

/// A stack of undo actions.
///
/// Source: Apple's UndoManager page (Foundation, which lacks this class on Linux). ``registerUndo(performing:)`` is
/// specific to Linux.
@MainActor
public final class UndoManager {
    private enum Action {
        case closure(@MainActor () -> Void)
        case intent(any AppIntent)
    }

    /// The undo manager of the run that this process performs.
    static let ofRun = UndoManager(isOfRun: true)

    private var actions: [Action] = []
    private var actionName = ""
    private let isOfRun: Bool

    /// Creates an undo manager without actions.
    public convenience init() {
        self.init(isOfRun: false)
    }

    private init(isOfRun: Bool) {
        self.isOfRun = isOfRun
    }

    /// True if at least one action is registered.
    public var canUndo: Bool { !actions.isEmpty }
    /// The name of the undo action.
    public var undoActionName: String { actionName }

    /// Registers a closure that undoes a change to an object. The closure exists only in this process.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target,
        handler: @escaping @MainActor (Target) -> Void
    ) {
        actions.append(.closure { handler(target) })
        offer()
    }

    /// Registers an intent that undoes this run. The intent keeps its current parameter values.
    ///
    /// The intent is recorded together with the run. While the record exists, `intentctl undo` can perform the intent
    /// in a separate run. Only the last registered intent is used, so a run that makes several changes must register
    /// one intent that undoes all of them. Files in the values are omitted.
    public func registerUndo(performing intent: some AppIntent) {
        actions.append(.intent(intent))
        offer()
    }

    /// Sets the name of the undo action.
    public func setActionName(_ actionName: String) {
        self.actionName = actionName
        offer()
    }

    /// Performs the last registered action. An intent is performed in this process, in a separate task.
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

    /// Removes all registered actions.
    public func removeAllActions() {
        actions.removeAll()
        offer()
    }

    /// Stores the intent that undoes this run. The worker sends it with the result.
    private func offer() {
        guard isOfRun else { return }
        guard !actions.isEmpty else { return UndoJournal.record(nil) }
        let intent = actions.reversed().lazy.compactMap { action in
            if case .intent(let intent) = action { return intent }
            return nil
        }.first
        UndoJournal.record(
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

/// The intent that undoes this process's run. The worker sends it with the result.
enum UndoJournal {
    private static let offer = Mutex<UndoOffer?>(nil)

    static func record(_ offer: UndoOffer?) { self.offer.withLock { $0 = offer } }

    static func drain() -> UndoOffer? {
        offer.withLock { offer in
            defer { offer = nil }
            return offer
        }
    }
}
