import IntentLauncherMessages

/// The owner of a workspace: exactly one slot, the fork server that keeps it for a later run, or neither.
///
/// Each transition names the owner that performs it. A transition by another owner changes nothing and returns false,
/// so that code which runs twice for the same slot cannot give a workspace to two runs, or remove it from a run.
enum WorkspaceOwner: Equatable {
    /// From the preparation of the slot's worker until intentd has released the slot and its processes have exited.
    case slot(SlotID)
    /// The fork server keeps the clean workspace. It has no processes.
    case forkServer
    /// The folder and the leaf have been removed, or are being removed.
    case removed

    /// The slot passes the workspace to its fork server.
    mutating func keep(from slot: SlotID) -> Bool { move(from: .slot(slot), to: .forkServer) }

    /// The fork server passes the workspace to a new slot.
    mutating func take(for slot: SlotID) -> Bool { move(from: .forkServer, to: .slot(slot)) }

    /// The owner removes the workspace.
    mutating func remove(from owner: WorkspaceOwner) -> Bool {
        switch owner {
        case .slot, .forkServer: move(from: owner, to: .removed)
        case .removed: false
        }
    }

    private mutating func move(from owner: WorkspaceOwner, to next: WorkspaceOwner) -> Bool {
        guard self == owner else { return false }
        self = next
        return true
    }
}
