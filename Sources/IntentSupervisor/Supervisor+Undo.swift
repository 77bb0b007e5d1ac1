import IntentHistory
import IntentLifecycle
import IntentWire

/// Runs that take back what another one did.
extension Supervisor {
    /// Looks on record for what a run registered.
    func undo(_ request: PerformRequest, of run: RunID, _ session: ClientSession, _ id: UInt64) {
        ask(.undoable(run, by: session.viewer), about: run.text, session, id)
        if history != nil { recording.questions[recording.lastQuestion]?.purpose = .undoing(request) }
    }

    /// Performs what a run registered, as a run of its own.
    func undo(_ known: KnownRun, _ end: RunEnd, _ request: PerformRequest, _ session: ClientSession, _ id: UInt64) {
        func refuse(_ error: ErrorReport) { session.send(.answer(id: id, .refused(error))) }
        guard RunAccess.may(.undo, session.user, session.rank, withRunOf: known.caller) else {
            return refuse(
                ErrorReport(
                    .notPermitted,
                    "run \(known.run) is for who asked for it to take back",
                    hint: "run what undoes it as a run of your own"
                )
            )
        }
        guard let offer = end.account.details?.undo else {
            return refuse(
                ErrorReport(
                    .cannotUndo,
                    "run \(known.run) registered nothing that takes it back",
                    hint: "an UndoableIntent does so with its undoManager"
                )
            )
        }
        guard let intent = offer.intent else {
            return refuse(
                ErrorReport(
                    .cannotUndo,
                    "what would take back run \(known.run) is on no record: it registered closures alone, or secret values",
                    hint: "an intent that is registered, by registerUndo(performing:), outlives the run"
                )
            )
        }
        var request = request
        request.undoOf = nil
        request.app = known.app
        request.intent = intent.intent
        request.values = intent.values
        let rule = UndoRule(undoing: known.run, after: known.lastUndo)
        request.key = rule.key.text
        request.retryOf = rule.retryOf
        let values = RunValues(encoding: intent.values)
        take(request, values, id: id, byteCount: values.json.count, from: session)
    }
}
