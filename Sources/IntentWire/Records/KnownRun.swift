package import IntentProtocol

/// A run that was found on record.
package struct KnownRun: Equatable, Sendable {
    package var run: RunID
    package var app: String
    package var intent: String
    /// Who asked for it.
    package var caller: Caller
    /// Nil when it has not ended.
    package var end: RunEnd?
    package var lastSerial: UInt64
    /// The newest run that was to take it back, where that was asked.
    package var lastUndo: UndoAttempt?

    package init(run: RunID, app: String, intent: String, caller: Caller, end: RunEnd?, lastSerial: UInt64) {
        self.run = run
        self.app = app
        self.intent = intent
        self.caller = caller
        self.end = end
        self.lastSerial = lastSerial
    }
}
