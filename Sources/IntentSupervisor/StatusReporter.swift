import IntentLifecycle
import IntentLinux
import IntentSystemd

/// Tells systemd the service's status, at most once a second and only when it changed, and gives free memory back then.
///
/// Belongs to the loop's thread.
final class StatusReporter {
    private let text: () -> String
    private var pacer: Pacer?
    private var last = ""
    private var heapRelease = HeapRelease()

    /// - Parameter text: The status line of this moment.
    init(on loop: EventLoop, text: @escaping () -> String) {
        self.text = text
        pacer = Pacer(on: loop, nanoseconds: 1_000_000_000) { [weak self] in
            self?.update()
            self?.releaseHeap()
        }
    }

    /// Tells the status within a second.
    func schedule() { pacer?.schedule() }

    /// Tells the status now.
    func update() {
        let text = text()
        guard text != last else { return }
        last = text
        ServiceNotification.status(text).send()
    }

    /// Gives the kernel the memory that a flood has left free.
    private func releaseHeap() {
        guard let resident = try? Heap.residentByteCount(), heapRelease.hasGrown(residentByteCount: resident),
            heapRelease.isWorthwhile(freeByteCount: Heap.freeByteCount)
        else { return }
        Heap.release()
        if let left = try? Heap.residentByteCount() { heapRelease.released(residentByteCount: left) }
    }
}
