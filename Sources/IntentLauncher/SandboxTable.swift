import IntentWire

/// The existing sandboxes, by number.
struct SandboxTable {
    private var sandboxes: [Int: Sandbox] = [:]
    /// The highest sandbox number used so far. Numbers are never reused, because they are part of the names of folders
    /// and cgroups.
    private(set) var lastNumber = 0

    var values: Dictionary<Int, Sandbox>.Values { sandboxes.values }
    var isEmpty: Bool { sandboxes.isEmpty }

    subscript(number: Int) -> Sandbox? { sandboxes[number] }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ sandbox: Sandbox) {
        sandboxes[sandbox.number] = sandbox
        lastNumber = max(lastNumber, sandbox.number)
    }

    mutating func remove(_ sandbox: Sandbox) { sandboxes[sandbox.number] = nil }

    /// Continues the numbering after the highest number that the replaced program used.
    mutating func restore(lastNumber: Int) { self.lastNumber = max(self.lastNumber, lastNumber) }

    /// Returns the preparation of a worker that has no process yet.
    func preparation(of slot: SlotID) -> Preparation? {
        for sandbox in sandboxes.values {
            switch sandbox.use {
            case .worker(let preparation?) where preparation.request.slot == slot: return preparation
            case .forkServer(let server):
                if let preparation = server.preparations[slot] { return preparation }
            case .worker, .remains: continue
            }
        }
        return nil
    }
}
