/// A run that was found on record.
package struct KnownRun: Equatable, Sendable {
    package var run: RunID
    package var app: String
    package var intent: String
    /// Who asked for it.
    package var user: UInt32
    /// Nil when it has not ended.
    package var end: RunEnd?
    package var lastSerial: UInt64
    /// The newest run that was to take it back, where that was asked.
    package var lastUndo: UndoAttempt?

    package init(run: RunID, app: String, intent: String, user: UInt32, end: RunEnd?, lastSerial: UInt64) {
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.end = end
        self.lastSerial = lastSerial
    }
}
