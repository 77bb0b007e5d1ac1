/// A run that history contains.
package struct KnownRun: Equatable, Sendable {
    package var run: RunID
    package var app: String
    package var intent: String
    package var requester: Requester
    /// The end of the run; nil until the run has ended.
    package var end: RunEnd?
    package var lastSerial: UInt64
    /// The most recent run that undoes this run; nil when no client has requested an undo.
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
