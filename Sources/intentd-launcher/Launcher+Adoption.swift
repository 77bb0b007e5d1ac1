import IntentWire

/// What is left when an `intentd` dies, and told to the next one.
extension Launcher {
    /// Only a launcher with a door of its own sees more than one `intentd`.
    var outlivesSupervisor: Bool {
        switch door {
        case .listen, .handed: true
        case .connected: false
        }
    }

    /// Tells of every slot that is not released. Those that are still being made are told of when they are.
    func tellOfKeptSlots() {
        for slot in slots.values.sorted(by: { $0.id.number < $1.id.number }) where !slot.isReleased {
            report(.kept(slot: slot.id, process: slot.process, slot.isolation), descriptors: slot.keptEnds)
            if let end = slot.end { report(.ended(slot: slot.id, end)) }
        }
        for (run, socket) in inputs { report(.keptInputs(run: run), descriptors: [socket]) }
        report(
            .adopted(Adopted(lastSlot: lastSlot, lostNanoseconds: lostNanoseconds)),
            descriptors: notes.map { [$0] } ?? []
        )
    }
}
