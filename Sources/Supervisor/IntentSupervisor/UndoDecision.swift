import IntentHistory
import IntentLauncherMessages
import IntentLifecycle

/// The decision on whether a run can be undone. The undo performs the intent that the run registered for this purpose.
enum UndoDecision {
    /// Returns the request for the run that undoes another run.
    ///
    /// - Parameters:
    ///   - known: The record of the run to undo.
    ///   - request: The client's request to undo the run.
    /// - Returns: The request for the undoing run, or the reason why the run cannot be undone.
    static func request(
        undoing known: KnownRun,
        _ end: RunEnd,
        by requester: Requester,
        _ rank: RunAccess.Rank,
        _ request: PerformRequest
    ) -> Result<PerformRequest, ErrorReport> {
        guard RunAccess.may(.undo, requester, rank, withRunOf: known.requester) else {
            return .failure(
                ErrorReport(
                    .notPermitted,
                    "only the user who requested run \(known.run) may undo it",
                    hint: "perform an intent that reverses the effect of the run instead"
                )
            )
        }
        guard let offer = end.account.details?.undo else {
            return .failure(
                ErrorReport(
                    .cannotUndo,
                    "run \(known.run) registered no undo action",
                    hint: "an UndoableIntent registers an undo action with its undoManager"
                )
            )
        }
        guard let intent = offer.intent else {
            return .failure(
                ErrorReport(
                    .cannotUndo,
                    "the undo action of run \(known.run) was not recorded: it is a closure, or it contains secret values",
                    hint: "in the app, register an intent with registerUndo(performing:), which outlives the run"
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
        return .success(request)
    }
}
