import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An object that reports changes in the service's status to systemd, at most once a second. It also returns unused
/// heap memory to the kernel.
///
/// Must be used only on the event loop's thread.
final class StatusReporter {
    private let text: () -> String
    private var pacer: Pacer?
    private var last = ""
    private var heapRelease = HeapRelease()

    /// - Parameter text: Returns the current status line.
    init(on loop: EventLoop, text: @escaping () -> String) {
        self.text = text
        pacer = Pacer(on: loop, nanoseconds: 1_000_000_000) { [weak self] in
            guard let self else { return }
            update()
            // Return heap memory to the kernel if enough of it is free, for example after many simultaneous requests.
            guard let resident = try? Heap.residentByteCount(), heapRelease.hasGrown(residentByteCount: resident),
                heapRelease.isWorthwhile(freeByteCount: Heap.freeByteCount)
            else { return }
            Heap.release()
            if let left = try? Heap.residentByteCount() { heapRelease.released(residentByteCount: left) }
        }
    }

    /// Schedules a report of the status within a second.
    func schedule() { pacer?.schedule() }

    /// Reports the status immediately if it has changed.
    func update() {
        let text = text()
        guard text != last else { return }
        last = text
        ServiceNotification.status(text).send()
    }
}
