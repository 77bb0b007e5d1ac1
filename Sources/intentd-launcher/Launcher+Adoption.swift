import IntentWire

/// What the next `intentd` adopts.
extension Launcher {
    /// A launcher with a listener may serve several `intentd`s, one after the other.
    var outlivesSupervisor: Bool {
        switch supervisorSocket {
        case .listen, .handed: true
        case .connected: false
        }
    }

    /// Reports every slot that is not released. A slot that is still being made is reported when its worker starts.
    func reportKeptSlots() {
        for slot in slots.values.sorted(by: { $0.id.number < $1.id.number }) where !slot.isReleased {
            report(.kept(slot: slot.id, process: slot.process, slot.isolation), descriptors: slot.keptEnds)
            if let end = slot.end { report(.ended(slot: slot.id, end)) }
        }
        for (run, socket) in adoption.inputs { report(.keptInputs(run: run), descriptors: [socket]) }
        report(adoption.message, descriptors: adoption.notes.map { [$0] } ?? [])
    }
}
