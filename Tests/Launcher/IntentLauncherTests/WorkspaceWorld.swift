import Foundation
import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport

@testable import IntentLauncher

/// A launcher with one sandbox and real workspaces, in which workers are numbers instead of processes.
final class WorkspaceWorld {
    let parts: SandboxParts
    let sandbox: Sandbox
    let server: ForkServer
    /// The launches that wait for their turn. The launcher begins them when it loses intentd.
    var backlog: [SlotID] = []
    /// The prepared workers that the fork server has not reported yet.
    private(set) var preparations: [SlotID: Preparation] = [:]
    /// The paths of the folders that the workers were told, by slot. An entry is removed with its slot.
    private(set) var told: [SlotID: String] = [:]
    private(set) var problems: [String] = []
    private var lastSlot: UInt64 = 0

    init() throws {
        parts = try SandboxParts()
        let app = try parts.app()
        let server = ForkServer(of: app, control: try UnixSocket.Pair(.sequencedPacket).shared().first)
        self.server = server
        sandbox = try parts.sandboxes.make(
            of: app,
            for: SandboxOwner(app: app.name, user: 1000, account: nil),
            isolation: parts.isolation.common
        ) { _, _, _ in .forkServer(server) }
        parts.base.obey = { [weak self] command in
            if case .release(let slot) = command { self?.workers.release(slot) }
        }
        parts.base.lost = { [weak self] in self?.beginBacklog() }
        workers.removed = { [weak self] slot in self?.removed(slot) }
    }

    deinit { sandbox.group?.remove() }

    var workers: Workers { parts.base.workers }

    func nextSlot() -> SlotID {
        lastSlot += 1
        return SlotID(number: lastSlot)
    }

    /// Prepares a worker, and tells it the path of its folder.
    func prepare(_ slot: SlotID) {
        do {
            let workspace = try parts.forkServers.workspace(for: slot, in: sandbox, of: server)
            let others = preparations.values.map(\.workspace) + workers.all.map(\.workspace)
            if others.contains(where: { $0 === workspace || $0.directory.path == workspace.directory.path }) {
                problems.append("slot \(slot.number) has the workspace of another slot, number \(workspace.number)")
            }
            told[slot] = workspace.directory.path
            preparations[slot] = try workers.prepare(parts.request(slot.number), at: workspace, diskLimit: nil)
        } catch {
            problems.append("slot \(slot.number) is refused: \(error)")
        }
    }

    func begin(_ slot: SlotID) {
        guard let preparation = preparations.removeValue(forKey: slot) else { return }
        preparation.closeWorkerEnds()
        // No process has a number this high.
        let process = Int32(1 << 30) + Int32(slot.number)
        workers.begin(preparation, process: process, in: sandbox, parts.isolation.common)
    }

    /// Prepares and begins a worker.
    func launch() -> SlotID {
        let slot = nextSlot()
        prepare(slot)
        begin(slot)
        return slot
    }

    /// The worker exits. The launcher notices when it reaps.
    func exit(_ slot: SlotID, wasKilled: Bool = false) {
        if wasKilled { workers[slot]?.leaf?.kill() }
        workers[slot]?.processEnd = .exited(code: 0)
    }

    /// Removes and returns the workspaces that the fork server has kept.
    func keptPaths() -> [String] {
        var paths: [String] = []
        while let kept = server.removeWorkspace() { paths.append(kept.directory.path) }
        return paths
    }

    /// Records each worker that no longer has the folder that it was told.
    func check() {
        for (slot, path) in told where !FileManager.default.fileExists(atPath: path) {
            problems.append("slot \(slot.number) has lost its folder \(path)")
        }
    }

    private func beginBacklog() {
        let slots = backlog
        backlog = []
        for slot in slots { prepare(slot) }
    }

    private func removed(_ slot: Slot) {
        if told.removeValue(forKey: slot.id) == nil { problems.append("slot \(slot.id.number) was removed twice") }
        sandbox.slots.remove(slot.id)
    }
}
