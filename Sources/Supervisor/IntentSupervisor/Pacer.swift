import IntentLinux
import IntentSystemd

/// A timer that calls its body after a fixed delay. Further calls of ``schedule()`` during the delay have no effect.
///
/// Must be used only on the event loop's thread.
final class Pacer {
    private let loop: EventLoop
    private let nanoseconds: Int64
    private var timer: EventSource?
    private let body: () -> Void

    init(on loop: EventLoop, nanoseconds: Int64, body: @escaping () -> Void) {
        self.loop = loop
        self.nanoseconds = nanoseconds
        self.body = body
    }

    /// Calls the body after the interval, or immediately if no timer can be created.
    ///
    /// - Parameter isNeeded: Evaluated unless the body will be called anyway.
    func schedule(if isNeeded: @autoclosure () -> Bool = true) {
        guard timer == nil, isNeeded() else { return }
        do {
            timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + nanoseconds) { [weak self] in
                self?.timer = nil
                self?.body()
            }
        } catch {
            body()
        }
    }
}
