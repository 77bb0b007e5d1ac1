import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// What the launcher and the workers say.
extension Supervisor {
    func launcherReported(_ report: LaunchReport, _ descriptors: [SharedFileDescriptor]) {
        if inheritance != nil, !report.isHello { return inherit(report, descriptors) }
        switch report {
        case .hello(let hello, let isolation, let process):
            guard hello.protocolVersion == Hello.currentVersion else {
                journal.write(.error, "the launcher speaks version \(hello.protocolVersion) of the launcher protocol")
                return handle(.launcherLost)
            }
            if let folder = descriptors.first { keepResults(in: folder) }
            clients.launcherProcess = process ?? launcherSocketPeer
            launcherSaysIsolation(isolation)
        case .kept, .keptInputs, .adopted:
            journal.write(.warning, "the launcher tells again what was taken over before, passing over it")
        case .launched(let slot, let process, let isolation): launched(slot, process, isolation, descriptors)
        case .launchFailed(let slot, let failure): handle(.launchFailed(slot, message: failure.message))
        case .opened(let slot, let writable): opened(slot, descriptors, writable: writable)
        case .openFailed(let slot, let message): openFailed(slot, message)
        case .observed(let slot, let seen): observed(slot, seen)
        case .ended(let slot, let end):
            // What the worker said comes before its end: a result may wait in the socket.
            workers[slot]?.drain()
            handle(.ended(slot, end, lastWords: workers[slot]?.lastWords))
        }
    }

    private func launched(
        _ slot: SlotID,
        _ process: Int32,
        _ isolation: Isolation,
        _ descriptors: [SharedFileDescriptor]
    ) {
        // An earlier intentd requested this slot, and nothing waits for it any more.
        guard runTable.knows(slot) else { return drop(slot) }
        guard descriptors.count == 3 else {
            // The kernel leaves out those for which there is no room.
            return letGo(slot, "its process came without its sockets: intentd has no room for more descriptors")
        }
        do {
            workers[slot] = try WorkerLink(
                socket: descriptors[0],
                standardOutput: descriptors[1],
                standardError: descriptors[2],
                process: process,
                on: loop,
                closer: closing.closer(for: lane(of: slot)),
                together: { body in self.together(body) },
                input: { input in self.workerSaid(slot, input) }
            )
            handle(.launched(slot, isolation))
        } catch {
            letGo(slot, "its socket cannot be watched: \(error)")
        }
    }

    /// Where what a worker sends is closed.
    func lane(of slot: SlotID) -> ClosingThreads.Lane { runTable.app(in: slot).map { .app($0) } ?? .others }

    /// A worker that did not hear of its run yet, and cannot: it is no fault of the app's.
    private func letGo(_ slot: SlotID, _ message: String) {
        drop(slot)
        handle(.launchFailed(slot, message: message))
    }

    private func drop(_ slot: SlotID) {
        launcher?.send(.signal(slot: slot, .kill))
        launcher?.send(.release(slot: slot))
    }

    func workerSaid(_ slot: SlotID, _ input: WorkerLink.Input) {
        switch input {
        case .report(.standing(let standing)):
            // It may be what ended the intentd before.
            notes?.adopting(slot) { handle(.reported(slot, .standing(standing))) }
        case .report(.progress(let progress)):
            handle(.reported(slot, .progress(progress)))
            // Each waking the loop for itself is most of what very many cost; their results wait as short a while.
            if reportPace.reported(at: .current) { workers[slot]?.join(reporters) }
        case .report(let report): handle(.reported(slot, report))
        case .violation(let message): handle(.violated(slot, message: message))
        case .output(let stream, let text): output(of: slot, stream, text)
        }
    }
}

extension LaunchReport {
    fileprivate var isHello: Bool {
        if case .hello = self { return true }
        return false
    }
}
