package import IntentSharedTypes
internal import IntentWorker

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

    private var actions: [Action] = []
    private var actionName = ""
    private let note: (@Sendable (RegisteredUndo?) -> Void)?

    /// Creates an undo manager without actions.
    public convenience init() {
        self.init(noting: nil)
    }

    /// Creates the undo manager for a run.
    ///
    /// - Parameter note: Called after each change, with the run's current undo action.
    init(noting note: (@Sendable (RegisteredUndo?) -> Void)?) {
        self.note = note
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
    /// one intent that undoes all of them. A parameter with a value that contains a file is omitted.
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
        guard let note else { return }
        guard !actions.isEmpty else { return note(nil) }
        let intent = actions.reversed().lazy.compactMap { action in
            if case .intent(let intent) = action { return intent }
            return nil
        }.first
        note(
            RegisteredUndo(
                offer: UndoOffer(
                    name: actionName.isEmpty ? nil : actionName.bounded(to: 200),
                    intent: intent.map { IntentReference(to: $0) }
                ),
                intent: intent.map { type(of: $0) }
            )
        )
    }
}

/// The undo action that a run has registered.
package struct RegisteredUndo: Sendable {
    /// The description of the undo action in the run's result.
    package var offer: UndoOffer
    /// The type of the intent that undoes the run; nil when the run registered only closures.
    package var intent: (any AppIntent.Type)?
}
