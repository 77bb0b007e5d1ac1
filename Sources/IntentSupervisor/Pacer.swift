import IntentLinux
import IntentSystemd

/// Calls its body a while after a request, once for all requests until then.
///
/// Belongs to the loop's thread.
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

    /// Requests a call of the body. Without a timer it is called at once.
    func schedule() {
        guard timer == nil else { return }
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
