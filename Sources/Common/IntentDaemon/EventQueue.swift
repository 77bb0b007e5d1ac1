/// Handles events one at a time. An event that arrives while another event is being handled waits, so that the actions of
/// the events keep their order.
package final class EventQueue<Event> {
    @usableFromInline var waiting: [Event] = []
    /// True while an event is being handled.
    @usableFromInline package var isHandling = false

    package init() {}

    /// Handles an event, and the events that arrive meanwhile.
    ///
    /// - Returns: False if the event waits, because another event is being handled.
    @inlinable @discardableResult
    package func handle(_ event: Event, _ body: (Event) -> Void) -> Bool {
        guard !isHandling else {
            waiting.append(event)
            return false
        }
        isHandling = true
        body(event)
        while !waiting.isEmpty { body(waiting.removeFirst()) }
        isHandling = false
        return true
    }
}
