package import IntentProtocol

/// Which events of a run a watcher has received. intentd repeats the newest state and the newest progress to each new
/// watcher, with their original serials, so the serials of each kind increase, but not those of all events together.
package struct EventOrder: Sendable {
    private var lastStatus: UInt64
    private var lastProgress: UInt64
    private var lastOutput: UInt64
    private var last: UInt64

    package init(after serial: UInt64) {
        (lastStatus, lastProgress, lastOutput, last) = (serial, serial, serial, serial)
    }

    /// Returns the number with which the event is sent, from which a client continues; nil for a repeated event.
    package mutating func accept(_ event: NumberedEvent) -> UInt64? {
        let newest =
            switch event.event {
            case .state, .question, .answered: lastStatus
            case .progress: lastProgress
            case .output, .finished: lastOutput
            }
        guard event.serial > newest else { return nil }
        switch event.event {
        case .state, .question, .answered: lastStatus = event.serial
        case .progress: lastProgress = event.serial
        case .output, .finished: lastOutput = event.serial
        }
        last = max(last, event.serial)
        return last
    }
}
