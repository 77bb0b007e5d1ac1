import IntentProtocol

/// The streams that receive the events of one run over one connection to intentd.
struct EventFeed {
    var watchers: [ObjectIdentifier: RunStream] = [:]
    private(set) var lastSerial: UInt64 = 0

    /// Returns the streams that receive an event. After the run's end, only streams remain for which intentd has not yet
    /// answered the request to watch the run: intentd repeats the end behind its answer.
    mutating func pass(_ event: NumberedEvent) -> [RunStream] {
        lastSerial = max(lastSerial, event.serial)
        let receivers = Array(watchers.values)
        if case .finished = event.event { watchers = watchers.filter { !$0.value.isOpen } }
        return receivers
    }
}
