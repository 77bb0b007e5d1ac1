package import IntentProtocol

/// A run that was found in history.
package struct KnownRun: Equatable, Sendable {
    package var run: RunID
    package var app: String
    package var intent: String
    package var requester: Requester
    /// The run's end; nil while it has not ended.
    package var end: RunEnd?
    package var lastSerial: UInt64
    /// The newest run that was started to undo this run; nil when no client requested an undo.
    package var lastUndo: UndoAttempt?

    package init(run: RunID, app: String, intent: String, requester: Requester, end: RunEnd?, lastSerial: UInt64) {
        self.run = run
        self.app = app
        self.intent = intent
        self.requester = requester
        self.end = end
        self.lastSerial = lastSerial
    }
}
